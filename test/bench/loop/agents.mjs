/** OpenAI's Agents SDK, streaming, on chat completions, tracing off. */
import {
  Agent,
  OpenAIChatCompletionsModel,
  run as runAgent,
  setTracingDisabled,
  tool as defineTool,
} from '@openai/agents';
import OpenAI from 'openai';
import { goal, system, tool } from './modelServer.mjs';

export async function run({ base, rounds, step }) {
  setTracingDisabled(true);
  const client = new OpenAI({ baseURL: base, apiKey: 'none' });
  const agent = new Agent({
    name: 'bench',
    instructions: system,
    model: new OpenAIChatCompletionsModel(client, 'bench'),
    tools: [
      defineTool({
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters,
        strict: false,
        execute: async ({ n }) => step(n),
      }),
    ],
  });
  const result = await runAgent(agent, goal, { stream: true, maxTurns: rounds + 2 });
  for await (const _event of result);
  await result.completed;
  return result.finalOutput ?? '';
}
