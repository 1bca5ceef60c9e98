/** PLAN, after an overflow: the session is packed again under the window that the refusal told of. */
import type { JournalState } from '../core/journalState.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { requestedModel } from '../planner/requestedModel.ts';
import type { Session } from '../session/session.ts';
import type { PackedSession } from './packSession.ts';
import type { StepPorts } from './stepPorts.ts';

/** Journals the window that is known now, and packs; whether the request is smaller for it. */
export async function packSmaller(
  { journal, state }: Session,
  { config, model }: StepPorts,
  packed: PackedSession,
  packAgain: () => Promise<PackedSession>,
): Promise<boolean> {
  const window = knownWindow(state, config, model.url, requestedModel(state, config));
  const detail = windowWords(state, window, config.context.max_tokens);
  journal.append({ type: 'anomaly', code: 'window-corrected', detail, about: [state.seq - 1] });
  const next = await packAgain();
  return next.blocked === undefined && next.total < packed.total;
}

function windowWords(state: JournalState, window: number, allowed: number): string {
  const { asked, limit } = state.overflows.at(-1)?.tokens ?? {};
  const counted = asked === undefined ? '' : ` and counts ${asked} in this request`;
  const said =
    limit === undefined ? 'The server names no number' : `The server takes ${limit} tokens${counted}`;
  return `${said}; the agent file allows ${allowed}. The context is packed for ${window} tokens from here on.`;
}
