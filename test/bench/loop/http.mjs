// @ts-check
/** The limit: node:http, the body grown as text, the stream read by hand. What no framework can beat. */
import http from 'node:http';
import { goal, system, tool } from './modelServer.mjs';

/** @param {{ base: string, step: (n: number) => string }} options */
export async function run({ base, step }) {
  const agent = new http.Agent({ keepAlive: true });
  const tools = JSON.stringify([{ type: 'function', function: tool }]);
  let messages = JSON.stringify([
    { role: 'system', content: system },
    { role: 'user', content: goal },
  ]).slice(0, -1);
  for (;;) {
    const body = `{"model":"bench","messages":${messages}],"stream":true,"stream_options":{"include_usage":true},"tools":${tools}}`;
    const { content, id, name, text } = read(await post(`${base}/chat/completions`, body, agent));
    if (!name) return content;
    const call = { id, type: 'function', function: { name, arguments: text } };
    const result = step(JSON.parse(text).n);
    messages += `,${JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] })}`;
    messages += `,${JSON.stringify({ role: 'tool', tool_call_id: id, content: result })}`;
  }
}

/** @param {string} stream */
function read(stream) {
  let [content, id, name, text] = ['', '', '', ''];
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const delta = JSON.parse(line.slice(6)).choices[0]?.delta;
    content += delta?.content ?? '';
    const call = delta?.tool_calls?.[0];
    id ||= call?.id ?? '';
    name ||= call?.function?.name ?? '';
    text += call?.function?.arguments ?? '';
  }
  return { content, id, name, text };
}

/** @param {string} url @param {string} body @param {http.Agent} agent @returns {Promise<string>} */
function post(url, body, agent) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    request.end(body);
  });
}
