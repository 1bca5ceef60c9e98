/** What requests cost: reported tokens by the prices of the agent file. What was not reported is not known, never zero. */
import type { Price } from './config.ts';
import type { Usage } from './events.ts';
import type { JournalState, RunState } from './journalState.ts';
import { isRecord, parseJson } from './parseMessage.ts';

/** Sums of what was reported. A field is absent where nothing at all is known of it. */
export interface Spent {
  /** Prompt and completion tokens. */
  readonly tokens?: number;
  /** US dollars. */
  readonly cost?: number;
  /** Replies whose part in the sums is not known: the sums are the least that was spent. */
  readonly unknown: number;
}

/** US dollars of one reply; undefined where prompt or completion tokens were not reported. */
export function costOf(usage: Usage | null, price: Price): number | undefined {
  if (typeof usage?.prompt !== 'number' || typeof usage.completion !== 'number') return undefined;
  const cached = Math.min(cachedTokens(usage), usage.prompt);
  const input = (usage.prompt - cached) * price.input + cached * (price.cached_input ?? price.input);
  return (input + usage.completion * price.output) / 1e6;
}

/** Prompt tokens that the provider read from its cache: a part of the prompt tokens. 0 where it does not say. */
function cachedTokens(usage: Usage): number {
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
  const cached =
    (isRecord(details) ? details['cached_tokens'] : undefined) ?? usage['prompt_cache_hit_tokens'];
  return typeof cached === 'number' && cached > 0 ? cached : 0;
}

/** The sums of replies. */
export function spentOn(usages: readonly (Usage | null)[], price: Price | undefined): Spent {
  let tokens: number | undefined;
  let cost: number | undefined;
  let unknown = 0;
  for (const usage of usages) {
    const { prompt, completion } = usage ?? {};
    if (typeof prompt !== 'number' || typeof completion !== 'number') unknown++;
    if (typeof prompt === 'number' || typeof completion === 'number')
      tokens = (tokens ?? 0) + (prompt ?? 0) + (completion ?? 0);
    const own = price && costOf(usage, price);
    if (own !== undefined) cost = (cost ?? 0) + own;
  }
  return { ...(tokens === undefined ? {} : { tokens }), ...(cost === undefined ? {} : { cost }), unknown };
}

/** What a run's requests took, those for summaries and memory among them. */
export function spentIn(state: JournalState, run: RunState): Spent {
  const usages: (Usage | null)[] = [];
  for (const request of state.requests.values())
    if (request.run === run.run)
      for (const { replied } of request.attempts) if (replied) usages.push(replied.usage);
  return spentOn(usages, priceOf(state, run));
}

/** The prices that a run was configured with. */
export function priceOf(state: JournalState, run: RunState): Price | undefined {
  return priceIn(state.parts.get(run.config) ?? '');
}

/** The prices in a configuration's text. */
export function priceIn(config: string): Price | undefined {
  const value = parseJson(config);
  const price = isRecord(value) ? value['price'] : undefined;
  if (!isRecord(price)) return undefined;
  const { input, output, cached_input: cached } = price;
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return { input, output, ...(typeof cached === 'number' ? { cached_input: cached } : {}) };
}

/** As people write it, with the digits that a small sum needs: `$1.20`, `$0.0123`. */
export function costText(cost: number, language?: string): string {
  const digits = cost >= 1 ? 2 : cost >= 0.01 ? 4 : 6;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  }).format(cost);
}
