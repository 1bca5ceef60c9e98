/** Vercel's `ai`: streamText with a step limit. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, stepCountIs, streamText, tool as defineTool } from 'ai';
import { goal, system, tool } from './modelServer.mjs';

export async function run({ base, rounds, step }) {
  const provider = createOpenAICompatible({
    name: 'bench',
    baseURL: base,
    apiKey: 'none',
    includeUsage: true,
  });
  const result = streamText({
    model: provider('bench'),
    system,
    prompt: goal,
    stopWhen: stepCountIs(rounds + 1),
    tools: {
      [tool.name]: defineTool({
        description: tool.description,
        inputSchema: jsonSchema(tool.parameters),
        execute: async ({ n }) => step(n),
      }),
    },
    onError({ error }) {
      throw error;
    },
  });
  let text = '';
  for await (const part of result.fullStream)
    if (part.type === 'text-delta') text += part.text ?? part.delta ?? '';
  return text;
}
