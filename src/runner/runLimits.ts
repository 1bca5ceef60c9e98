/** What a run may take: rounds, and by the reports of its provider tokens and cost. */
import type { AgentConfig } from '../core/config.ts';
import { costText, type Spent, spentIn } from '../core/cost.ts';
import { currentRun, type JournalState } from '../core/journalState.ts';

export interface RunLimits {
  /** The number of the last round that it may take. */
  readonly maxRounds: number;
  /** Tokens as reported, prompts and replies; US dollars. */
  readonly maxTokens?: number;
  readonly maxCost?: number;
  /** What had been spent before it began: a run that goes on after a limit may take as much again. */
  readonly before: Spent;
}

/** Limits of the run that was just begun, or goes on. */
export function runLimits(state: JournalState, config: AgentConfig, maxRounds: number): RunLimits {
  return {
    maxRounds,
    ...(config.max_total_tokens === undefined ? {} : { maxTokens: config.max_total_tokens }),
    ...(config.max_cost === undefined ? {} : { maxCost: config.max_cost }),
    before: spentOf(state),
  };
}

/**
 * Which limit of tokens or cost was reached, in words; undefined while none was. A report that is missing ends the run
 * too: a limit that can not be checked would be none.
 */
export function limitReached(state: JournalState, limits: RunLimits): string | undefined {
  const { maxTokens, maxCost, before } = limits;
  if (maxTokens === undefined && maxCost === undefined) return undefined;
  const spent = spentOf(state);
  const tokens = (spent.tokens ?? 0) - (before.tokens ?? 0);
  const cost = (spent.cost ?? 0) - (before.cost ?? 0);
  if (maxTokens !== undefined && tokens >= maxTokens)
    return `token limit (${maxTokens}): ${tokens} were used`;
  if (maxCost !== undefined && cost >= maxCost)
    return `cost limit (${costText(maxCost, 'en')}): ${costText(cost, 'en')} was spent`;
  if (spent.unknown === before.unknown) return undefined;
  const names = [...(maxTokens === undefined ? [] : ['token']), ...(maxCost === undefined ? [] : ['cost'])];
  return `${names.join(' and ')} limit: the server reported no usage, so what was spent is not known`;
}

function spentOf(state: JournalState): Spent {
  const run = currentRun(state);
  return run ? spentIn(state, run) : { unknown: 0 };
}
