import type { AgentConfig } from '../core/config.ts';
import type { JournalState, OverflowState } from '../core/journalState.ts';

/** A refusal without numbers says only that this much was too much: the next try takes off a quarter. */
const withoutNumbers = 0.75;

/**
 * Tokens of a request with its reply: what the agent file allows, or less, where this end point and model have
 * refused it. In our own count, whatever the server counts with.
 *
 * @param model as the request names it
 */
export function knownWindow(state: JournalState, config: AgentConfig, url: string, model: string): number {
  const last = state.overflows.findLast((one) => one.url === url && one.model === model);
  const allowed = config.context.max_tokens;
  return last === undefined ? allowed : Math.min(allowed, windowOf(last));
}

function windowOf({ packed, reserve, tokens: { asked, limit, reply } }: OverflowState): number {
  if (limit === undefined) return Math.floor(packed * withoutNumbers) + reserve;
  const ours = packed + (reply ?? reserve);
  // Where we counted less than the server did, its limit is as much smaller by our count.
  const scale = asked !== undefined && asked > ours ? ours / asked : 1;
  const window = Math.floor(limit * scale);
  // The server says that the request fits and refuses it: the numbers are of no use.
  return window >= ours ? Math.floor(packed * withoutNumbers) + reserve : window;
}
