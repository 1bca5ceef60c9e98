/** Packs a session for its next request, and journals the packing as the difference from the one before. */
import type { FateChange, Meter } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import { requestFraming } from '../planner/countMessage.ts';
import type { Measures } from '../planner/measure.ts';
import { pack, type Packed } from '../planner/pack.ts';
import { packInput, shortenedTexts } from '../planner/packInput.ts';
import { toolsText } from '../planner/request.ts';
import type { Session } from '../session/session.ts';
import type { StepPorts } from './stepPorts.ts';

/** What a request is made of: the packing, and the texts of what it shortened. */
export interface PackedSession extends Packed {
  readonly texts: ReadonlyMap<MessageId, string>;
}

export function packSession(session: Session, ports: StepPorts, measures: Measures): PackedSession {
  const { journal, state } = session;
  const { config, countTokens, toolbox } = ports;
  const tools = toolbox.tools.length === 0 ? 0 : countTokens(toolsText(toolbox.tools));
  const source = { state, config, measures, fixed: tools + requestFraming, factor: 1 };
  const input = packInput(source);
  const packed = pack(input);
  const texts = shortenedTexts(packed, source);
  journal.append({
    type: 'context.packed',
    policy: config.context.policy,
    limit: input.limit,
    reserve: input.reserve,
    fixed: { tools, format: requestFraming },
    meter: meter(state, packed.total),
    total: packed.total,
    counted: [...packed.sizes].filter(([id, tokens]) => state.tokens.get(id) !== tokens),
    changed: changes(state, packed, (id) => {
      const text = texts.get(id);
      return text === undefined ? {} : { part: journal.part(text) };
    }),
  });
  return { ...packed, texts };
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

/** The estimate, beside the last prompt that a provider counted for us. Unknown stays absent. */
function meter(state: JournalState, estimate: number): Meter {
  const rounds = state.runs.flatMap((run) => run.rounds).toReversed();
  for (const round of rounds) {
    const replied = round.replies.at(-1)?.event;
    const reported = replied?.usage?.prompt;
    const packing = round.packing === undefined ? undefined : state.packings[round.packing];
    if (replied && packing && typeof reported === 'number' && reported > 0) {
      const estimated = packing.event.total;
      const error = Math.round(((estimated - reported) / reported) * 10_000) / 10_000;
      return { estimate, anchor: { request: replied.request, reported, estimated }, error };
    }
  }
  return { estimate };
}
