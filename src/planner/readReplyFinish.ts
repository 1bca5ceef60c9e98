/** What the provider's finish labels mean. A label that is not listed ends the reply normally. */
export type Finish = 'normal' | 'limit' | 'filtered' | 'failed';

/** Lower case, as OpenAI and those that imitate it, gateways and the providers behind them say it. */
const labels: Readonly<Record<Exclude<Finish, 'normal'>, readonly string[]>> = {
  limit: [
    ...['length', 'max_length', 'model_length', 'max_tokens', 'max_output_tokens', 'token_limit'],
    'model_context_window_exceeded',
  ],
  filtered: [
    ...['content_filter', 'content_filtered', 'safety', 'image_safety', 'recitation', 'blocklist', 'spii'],
    ...['prohibited_content', 'refusal', 'sensitive', 'guardrail_intervened', 'error_toxic'],
  ],
  failed: [
    ...['error', 'error_limit', 'network_error', 'engine_overloaded', 'insufficient_system_resource'],
    ...['cancelled', 'canceled', 'user_cancel', 'abort', 'aborted', 'interrupted', 'timeout'],
    'malformed_function_call',
  ],
};

export function finishOf(label: string | null): Finish {
  const lower = label?.toLowerCase() ?? '';
  const kinds = ['limit', 'filtered', 'failed'] as const;
  return kinds.find((kind) => labels[kind].includes(lower)) ?? 'normal';
}

/** Labels that announce tool calls. */
export function announcesCalls(label: string | null): boolean {
  return label === 'tool_calls' || label === 'function_call';
}
