// @ts-check
/** The plain loop on the `openai` SDK that one writes in an afternoon: what 1.00× means. */
import OpenAI from 'openai';
import { goal, system, tool } from './modelServer.mjs';

/** @param {{ base: string, step: (n: number) => string }} options */
export async function run({ base, step }) {
  const client = new OpenAI({ baseURL: base, apiKey: 'none' });
  /** @type {any[]} */
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: goal },
  ];
  for (;;) {
    const stream = await client.chat.completions.create({
      model: 'bench',
      messages,
      stream: true,
      stream_options: { include_usage: true },
      tools: [{ type: 'function', function: tool }],
    });
    let content = '';
    /** @type {any[]} */
    const calls = [];
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta;
      content += delta?.content ?? '';
      for (const part of delta?.tool_calls ?? []) {
        const call = (calls[part.index] ??= {
          id: '',
          type: 'function',
          function: { name: '', arguments: '' },
        });
        if (part.id) call.id = part.id;
        if (part.function?.name) call.function.name = part.function.name;
        call.function.arguments += part.function?.arguments ?? '';
      }
    }
    if (calls.length === 0) return content;
    messages.push({ role: 'assistant', content: content || null, tool_calls: calls });
    for (const call of calls) {
      const result = step(JSON.parse(call.function.arguments).n);
      messages.push({ role: 'tool', tool_call_id: call.id, content: result });
    }
  }
}
