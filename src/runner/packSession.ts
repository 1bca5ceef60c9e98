/** Packs a session for its next request, and journals the packing as the difference from the one before. */
import type { FateChange, Meter } from '../core/events.ts';
import { callsOf, type MessageId } from '../core/messages.ts';
import { currentRound, currentRun, type JournalState, textOf } from '../core/journalState.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { countMessage, requestFraming } from '../planner/countMessage.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { pack, type Packed, type PackMessage } from '../planner/pack.ts';
import { toolsText } from '../planner/request.ts';
import type { Session } from '../session/session.ts';
import { offeredTools } from './callResults.ts';
import type { StepPorts } from './stepPorts.ts';

export function packSession({ journal, state }: Session, ports: StepPorts): Packed {
  const { config, countTokens } = ports;
  const { reserve, policy } = config.context;
  const limit = knownWindow(state, config, ports.model.url);
  const run = currentRun(state)?.run ?? 0;
  const messages = packMessages(state, ports);
  const offered = offeredTools(state, ports.toolbox);
  const tools = offered.length === 0 ? 0 : countTokens(toolsText(offered));
  const packed = pack({
    messages,
    run,
    policy,
    limit,
    reserve,
    fixed: tools + requestFraming,
    window: config.max_history,
    pins: state.pins,
    forced: currentRound(state)?.requestEdits.fates ?? new Map<MessageId, 'drop' | 'restore'>(),
  });
  journal.append({
    type: 'context.packed',
    policy,
    limit,
    reserve,
    fixed: { tools, format: requestFraming },
    meter: meter(state, packed.total),
    total: packed.total,
    counted: messages
      .filter(({ id, tokens }) => state.tokens.get(id) !== tokens)
      .map(({ id, tokens }) => [id, tokens]),
    changed: changes(state, packed),
  });
  return packed;
}

/** Counts are cached by text in the counter; parsing is what a message costs here. */
function packMessages(state: JournalState, { countTokens }: StepPorts): PackMessage[] {
  const own = currentRound(state)?.requestEdits.texts;
  const goals = new Map(state.runs.map(({ goal, run }) => [goal, run]));
  return state.history.flatMap((id): PackMessage[] => {
    const known = state.messages.get(id);
    const text = state.parts.get(own?.get(id) ?? '') ?? textOf(state, id);
    const message = text === undefined ? undefined : parseMessage(text);
    if (!known || !message) return [];
    const goalOf = goals.get(id);
    return [
      {
        id,
        role: known.role,
        run: known.run,
        tokens: countMessage(message, countTokens),
        hasCalls: callsOf(message).length > 0,
        ...(goalOf === undefined ? {} : { goalOf }),
      },
    ];
  });
}

/** Only what changed: a message that left keeps the arithmetic by which it left. */
function changes(state: JournalState, packed: Packed): FateChange[] {
  const left = packed.left.filter(({ id, fate, rule }) => {
    const before = state.fates.get(id);
    return before?.fate !== fate || before.rule !== rule;
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
