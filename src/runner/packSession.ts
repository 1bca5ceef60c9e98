/** Packs a session for its next request, and journals the packing as the difference from the one before. */
import type { FateChange } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import type { ToolSpec } from '../core/ports.ts';
import { namesRest } from '../core/restNote.ts';
import { policyName } from '../planner/blocked.ts';
import { requestFraming } from '../planner/countMessage.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import type { Measures } from '../planner/measure.ts';
import { readMeter } from '../planner/meter.ts';
import { pack, type Packed, type PackMessage, sizeIn } from '../planner/pack.ts';
import { type MeasuredMessage, packInput, scaled, shortenedTexts } from '../planner/packInput.ts';
import { toolsText } from '../planner/request.ts';
import { requestedModel } from '../planner/requestedModel.ts';
import { tallyOf } from '../planner/tally.ts';
import type { Session } from '../session/session.ts';
import type { StepPorts } from './stepPorts.ts';

/** What a request is made of: the packing, the texts of what it shortened, and the tools that it offers. */
export interface PackedSession extends Packed {
  readonly texts: ReadonlyMap<MessageId, string>;
  readonly tools: readonly ToolSpec[];
}

export function packSession(session: Session, ports: StepPorts, measures: Measures): PackedSession {
  const { journal, state } = session;
  const made = choosePacking(session, ports, measures);
  const { packed, texts, event } = made;
  journal.append({
    ...event,
    changed: changes(state, packed, (id) => {
      const text = texts.get(id);
      return text === undefined ? {} : { part: journal.part(text) };
    }),
  });
  return { ...packed, texts, tools: made.tools };
}

/**
 * With the tool that reads the rest of a result, where a result was cut, also by this very packing. It may never be why
 * nothing can be sent, and offered for the first time it may not cost a message.
 */
export function choosePacking(session: Session, ports: StepPorts, measures: Measures): Offering {
  const { tools, pager } = ports.toolbox;
  const offering = (offered: readonly ToolSpec[]) => packOffering(offered, session, ports, measures);
  const paged = () => offering([...tools, pager]);
  if (session.state.hasCutResults) {
    const known = paged();
    return known.packed.blocked ? offering(tools) : known;
  }
  const plain = offering(tools);
  // A stub says nothing of the rest, and a policy may make one in each round.
  if ([...plain.packed.shortened.values()].every((how) => how === 'stub')) return plain;
  const noted = paged();
  const costsNothing = !noted.packed.blocked && isEqual(noted.packed.kept, plain.packed.kept);
  return costsNothing && [...noted.texts.values()].some(namesRest) ? noted : plain;
}

function isEqual(one: readonly MessageId[], other: readonly MessageId[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

type Offering = ReturnType<typeof packOffering>;

/** A packing for a request with these tools, and what is journaled of it. */
function packOffering(
  offered: readonly ToolSpec[],
  { state }: Session,
  ports: StepPorts,
  measures: Measures,
) {
  const { config, countTokens } = ports;
  const model = requestedModel(state, config);
  const tools = offered.length === 0 ? 0 : countTokens(toolsText(offered));
  const { factor, measured, anchor, error } = readMeter(state, model, tools + requestFraming);
  const fixed = { tools: scaled(tools, factor), format: scaled(requestFraming, factor), measured };
  const source = {
    state,
    config,
    measures,
    limit: knownWindow(state, config, ports.model.url, model),
    policy: ports.policy,
    fixed: fixed.tools + fixed.format + measured,
    factor,
    saysRest: offered.includes(ports.toolbox.pager),
  };
  const input = packInput(source);
  const packed = pack(input);
  const texts = shortenedTexts(packed, source);
  const { own, media } = ownCounts(packed, texts, input.messages, measures);
  const ownTotal = own + tools + requestFraming;
  const event = {
    type: 'context.packed',
    policy: policyName(input),
    limit: input.limit,
    reserve: input.reserve,
    fixed: measured === 0 ? { tools: fixed.tools, format: fixed.format } : fixed,
    meter: {
      estimate: packed.total,
      ...(ownTotal === packed.total ? {} : { own: ownTotal }),
      ...(media === 0 ? {} : { media: scaled(media, factor) }),
      model,
      ...(factor === 1 ? {} : { factor }),
      ...(anchor === undefined ? {} : { anchor }),
      ...(error === undefined ? {} : { error }),
    },
    total: packed.total,
    counted: newCounts(state, packed, input.messages),
  } as const;
  return { packed, texts, event, tools: offered };
}

function newCounts(
  { tokens: known }: JournalState,
  packed: Packed,
  messages: readonly PackMessage[],
): [MessageId, number][] {
  const counts: [MessageId, number][] = [];
  for (const message of messages) {
    const tokens = sizeIn(packed, message);
    if (known.get(message.id) !== tokens) counts.push([message.id, tokens]);
  }
  return counts;
}

/** Tokens of what is sent by our own count, and what of them stands for media. */
function ownCounts(
  packed: Packed,
  texts: ReadonlyMap<MessageId, string>,
  messages: readonly MeasuredMessage[],
  measures: Measures,
): { readonly own: number; readonly media: number } {
  if (packed.left.length === 0) return tallyOf(messages);
  let own = 0;
  let media = 0;
  const left = new Map(packed.left.map(({ id, fate }) => [id, fate]));
  for (const { id, measured: whole } of messages) {
    const fate = left.get(id);
    if (fate === 'dropped' || fate === 'folded') continue;
    const cut = fate === undefined ? undefined : texts.get(id);
    const measured = cut === undefined ? whole : measures.of(cut);
    own += measured?.tokens ?? 0;
    media += measured?.media ?? 0;
  }
  return { own, media };
}

/** Only what changed: a message that left keeps the arithmetic by which it left. */
function changes(
  state: JournalState,
  packed: Packed,
  partOf: (id: MessageId) => Pick<FateChange, 'part'>,
): FateChange[] {
  const left = packed.left
    .map((change) => (change.fate === 'trimmed' ? { ...change, ...partOf(change.id) } : change))
    .filter(({ id, fate, rule, part, into }: FateChange) => {
      const before = state.fates.get(id);
      return before?.fate !== fate || before.rule !== rule || before.part !== part || before.into !== into;
    });
  const gone = new Set(packed.left.map(({ id }) => id));
  const back = [...state.fates.keys()].filter((id) => !gone.has(id));
  return [...left, ...back.map((id) => ({ id, fate: 'kept', rule: 'fits' }) as const)];
}
