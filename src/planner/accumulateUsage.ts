import type { Usage } from '../core/events.ts';
import { isRecord } from '../core/parseMessage.ts';

/** Tokens as reported; undefined when `value` reports none. Other fields are kept under their own names. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const { prompt_tokens, completion_tokens, ...rest } = value;
  // No request is empty: a zero in the first or the last chunk is a report that was not filled in.
  const prompt = (count(prompt_tokens) ?? count(rest['input_tokens'])) || undefined;
  const completion = count(completion_tokens) ?? count(rest['output_tokens']);
  if (prompt === undefined && !completion) return undefined;
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(completion === undefined ? {} : { completion }),
    ...rest,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
