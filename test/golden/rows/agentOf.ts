import type { Begin } from './row.ts';

/** The agent file of a row's session. */
export function agentOf({ agent = {} }: Begin, apiBase: string): object {
  return {
    model_name: 'scripted',
    api_base: apiBase,
    system_prompt: 'You are a test.',
    tools: ['calculator', 'list_todos', 'add_todo'],
    ...agent,
  };
}
