/** Mastra's agent, streaming. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { goal, system, tool } from './modelServer.mjs';

export async function run({ base, rounds, step }) {
  const provider = createOpenAICompatible({
    name: 'bench',
    baseURL: base,
    apiKey: 'none',
    includeUsage: true,
  });
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: system,
    model: provider('bench'),
    tools: {
      [tool.name]: createTool({
        id: tool.name,
        description: tool.description,
        inputSchema: z.object({ n: z.number().int() }),
        execute: async ({ n }) => step(n),
      }),
    },
  });
  const stream = await agent.stream(goal, { maxSteps: rounds + 1 });
  let text = '';
  for await (const delta of stream.textStream) text += delta;
  return text;
}
