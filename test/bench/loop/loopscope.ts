/** Loopscope's engine as a library, its journal in memory. */
import { z } from 'zod';
import { Agent, createOpenAiClient, defineTool } from '../../../src/entry/lib.ts';
import { goal, system, tool } from './modelServer.mjs';

export interface RunOptions {
  readonly base: string;
  readonly rounds: number;
  readonly step: (n: number) => string;
}

export async function run({ base, rounds, step }: RunOptions): Promise<string> {
  const agent = new Agent({
    model: createOpenAiClient({ apiBase: base, label: 'bench' }),
    tools: [stepTool(step)],
    system_prompt: system,
    max_iters: rounds + 1,
    context: { max_tokens: 10_000_000, reserve: 1000 },
  });
  const { message, why } = await agent.chat(goal);
  return message ?? String(why);
}

export function stepTool(step: (n: number) => string) {
  return defineTool({
    name: tool.name,
    description: tool.description,
    effects: 'none',
    input: z.object({ n: z.int().describe('which step') }),
    run: ({ n }) => Promise.resolve(step(n)),
  });
}
