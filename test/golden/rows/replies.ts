/** What the model answers in rows. */
import { json, repliesCalls, repliesText, sse, streamed } from '../../doubles/scriptedServer.ts';

export { repliesText as says };

export const calls = (...names: readonly (readonly [name: string, input: unknown])[]) =>
  repliesCalls(names.map(([name, input], index) => ({ name, arguments: input, id: `call_${index + 1}` })));

export const calculates = (expression: string) => calls(['calculator', { expression }]);

export const both = calls(
  ['calculator', { expression: '45+20' }],
  ['add_todo', { content: 'reply to mail', minutes: 20 }],
);

export const sum = calculates('45+20');

export const done = repliesText('65 minutes.');

/** The server refuses the request. */
export const refuses = (message: string) => json(400, { error: { message, type: 'invalid_request_error' } });

/** A reply that says how many tokens the server has read. */
export const saysAfter = (prompt: number, content: string) =>
  streamed([
    { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: prompt, completion_tokens: 3, total_tokens: prompt + 3 } },
  ]);

/** A reply that has begun to arrive and goes on when it is let go. */
export function held() {
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const [first = '', last = ''] = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '65' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return { reply: sse(first, released, last, 'data: [DONE]\n\n'), letGo: () => letGo() };
}
