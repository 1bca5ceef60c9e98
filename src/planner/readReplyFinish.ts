/** What the provider's finish labels mean. A label that is not listed ends the reply normally. */
export type Finish = 'normal' | 'limit' | 'filtered' | 'failed';

const labels: readonly (readonly [Finish, readonly string[]])[] = [
  ['limit', ['length', 'max_tokens', 'model_length', 'max_output_tokens']],
  ['filtered', ['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'refusal']],
  ['failed', ['error', 'network_error', 'engine_overloaded']],
];

export function finishOf(label: string | null): Finish {
  const lower = label?.toLowerCase() ?? '';
  return labels.find(([, names]) => names.includes(lower))?.[0] ?? 'normal';
}

/** Labels that announce tool calls. */
export function announcesCalls(label: string | null): boolean {
  return label === 'tool_calls' || label === 'function_call';
}
