/** What the provider's finish labels mean. A label that is not listed ends the reply normally. */
export type Finish = 'normal' | 'limit' | 'filtered' | 'failed';

/** Lower case, as OpenAI and those that imitate it, gateways and the providers behind them say it. */
const labels: Readonly<Record<Exclude<Finish, 'normal'>, readonly string[]>> = {
  limit: [
    ...['length', 'max_length', 'model_length', 'max_tokens', 'max_output_tokens', 'token_limit'],
    ...['time_limit', 'model_context_window_exceeded'],
  ],
  filtered: [
    ...['content_filter', 'content_filtered', 'safety', 'image_safety', 'recitation', 'blocklist', 'spii'],
    ...['prohibited_content', 'refusal', 'sensitive', 'guardrail_intervened', 'error_toxic', 'model_armor'],
  ],
  failed: [
    ...['error', 'error_limit', 'network_error', 'engine_overloaded', 'insufficient_system_resource'],
    ...['cancelled', 'canceled', 'user_cancel', 'abort', 'aborted', 'interrupted', 'timeout', 'not_finished'],
    ...['function_call_filter', 'malformed_function_call', 'malformed_response', 'unexpected_tool_call'],
    ...['malformed_tool_use', 'server_error', 'internal_error', 'model_error'],
  ],
};

/** Labels that announce tool calls. */
const announcing: readonly string[] = [
  ...['tool_calls', 'tool_call', 'function_call', 'function_calls', 'tool_use'],
];

export function finishOf(label: string | null): Finish {
  const words = wordsOf(label);
  const kinds = ['limit', 'filtered', 'failed'] as const;
  return kinds.find((kind) => words.some((word) => labels[kind].includes(word))) ?? 'normal';
}

export function announcesCalls(label: string | null): boolean {
  return wordsOf(label).some((word) => announcing.includes(word));
}

/** A label in lower case; of one that says two things (`content_filter: RECITATION`), both. */
function wordsOf(label: string | null): readonly string[] {
  return (label ?? '').toLowerCase().split(/[:,;|\s]+/);
}
