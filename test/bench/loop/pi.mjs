/** The agent core of pi, on its own chat-completions client. */
import { Agent } from '@earendil-works/pi-agent-core';
import { streamSimple } from '@earendil-works/pi-ai/api/openai-completions';
import { goal, system, tool } from './modelServer.mjs';

export async function run({ base, step }) {
  const model = {
    id: 'bench',
    name: 'bench',
    api: 'openai-completions',
    provider: 'bench',
    baseUrl: base,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 10_000_000,
    maxTokens: 1000,
  };
  const agent = new Agent({
    initialState: {
      systemPrompt: system,
      model,
      tools: [
        {
          name: tool.name,
          label: tool.name,
          description: tool.description,
          parameters: tool.parameters,
          execute: async (_id, { n }) => ({ content: [{ type: 'text', text: step(n) }], details: {} }),
        },
      ],
    },
    streamFn: (of, context, options) => streamSimple(of, context, { ...options, apiKey: 'none' }),
  });
  await agent.prompt(goal);
  const last = agent.state.messages.at(-1);
  return last.content.map(({ text = '' }) => text).join('') || String(last.errorMessage);
}
