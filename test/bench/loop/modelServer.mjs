// @ts-check
/**
 * The model of the loop benchmark: answers at once, streaming, one call a round for as many rounds as the path
 * names (`/RUN/ROUNDS/v1/chat/completions`), then a text. It checks what it is sent: the right results, once
 * each, in order, so that a framework that calls too often, too rarely or wrongly has no figure.
 */
import http from 'node:http';

/** The result of call n: 600 characters, different for each call. @param {number} n */
export const resultOf = (n) => `${n}: ` + `line ${n * 7919} of the report. `.repeat(40).slice(0, 600);
export const goal = 'Make all the steps, then say that you are done.';
export const system = 'You call the tool step with n = 0, 1, 2 and so on until told otherwise.';
export const tool = {
  name: 'step',
  description: 'Makes step n and returns a line of the report.',
  parameters: {
    type: 'object',
    properties: { n: { type: 'integer', description: 'which step' } },
    required: ['n'],
    additionalProperties: false,
  },
};

/** Starts the server. `verdict(run)` says how many requests came and what was wrong with them. */
export async function startModelServer() {
  /** @type {Map<string, { requests: number, problems: string[] }>} */
  const runs = new Map();
  const server = http.createServer((request, response) => {
    const [, run = '', rounds = '0'] = (request.url ?? '').split('/');
    /** @type {Buffer[]} */
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      const seen = runs.get(run) ?? { requests: 0, problems: [] };
      runs.set(run, seen);
      const expected = seen.requests++;
      const body = JSON.parse(Buffer.concat(pieces).toString('utf8'));
      const problem = wrong(body.messages, expected);
      if (problem) seen.problems.push(problem);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(expected < Number(rounds) ? callEvents(expected) : textEvents(expected));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    /** @param {string} run @param {number} rounds */
    base: (run, rounds) => `http://127.0.0.1:${port}/${run}/${rounds}/v1`,
    /** @param {string} run */
    verdict: (run) => runs.get(run) ?? { requests: 0, problems: ['no request came'] },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {any[]} messages @param {number} expected results so far */
function wrong(messages, expected) {
  const results = messages.filter(({ role }) => role === 'tool');
  if (results.length !== expected) return `${results.length} results, expected ${expected}`;
  if (expected === 0) return undefined;
  const { content } = results[expected - 1];
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return text.includes(resultOf(expected - 1)) ? undefined : `wrong result: ${text.slice(0, 80)}`;
}

/** @param {number} n */
function callEvents(n) {
  const call = (/** @type {object} */ part) => ({ tool_calls: [{ index: 0, ...part }] });
  const name = { id: `call_${n}`, type: 'function', function: { name: tool.name, arguments: '' } };
  return events(
    [
      { role: 'assistant', content: null },
      call(name),
      call({ function: { arguments: '{"n"' } }),
      call({ function: { arguments: `:${n}}` } }),
    ],
    'tool_calls',
    n,
  );
}

/** @param {number} n */
function textEvents(n) {
  return events(
    [{ role: 'assistant', content: '' }, { content: 'All done ' }, { content: String(n) }],
    'stop',
    n,
  );
}

/** @param {object[]} deltas @param {string} finish @param {number} n */
function events(deltas, finish, n) {
  const common = {
    id: `chatcmpl-${n}`,
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'bench',
  };
  const chunk = (/** @type {object} */ choice) => ({ ...common, choices: [{ index: 0, ...choice }] });
  const usage = { prompt_tokens: 100 + n * 200, completion_tokens: 12, total_tokens: 112 + n * 200 };
  const all = [
    ...deltas.map((delta) => chunk({ delta, finish_reason: null })),
    chunk({ delta: {}, finish_reason: finish }),
    { ...common, choices: [], usage },
  ];
  return all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + 'data: [DONE]\n\n';
}
