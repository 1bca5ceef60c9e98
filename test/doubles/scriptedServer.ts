/**
 * A real HTTP server on a loopback port that plays a script of bytes. Strict: a request that no script is for, and
 * a script that no request took, both fail the test when the server is closed.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer. The body's steps are played in order; each text or buffer is one write of its own. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: readonly ServerStep[];
}

export type ServerStep =
  | string
  | Uint8Array
  /** Waits: scripts are timed by what happens, never by a clock. */
  | Promise<unknown>
  | Closing;

/** How a response ends before its script does. */
export interface Closing {
  readonly close: 'end' | 'fin' | 'reset' | 'hold';
}

/** A proper end of the response: what also follows the last step. */
export const end: Closing = { close: 'end' };
/** FIN in the middle of the response. */
export const fin: Closing = { close: 'fin' };
export const reset: Closing = { close: 'reset' };
/** Keeps the response open until the server closes. */
export const hold: Closing = { close: 'hold' };

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<http.IncomingHttpHeaders>;
  readonly body: string;
}

export interface ScriptedServer {
  /** `http://127.0.0.1:PORT/v1` */
  readonly apiBase: string;
  readonly requests: readonly ReceivedRequest[];
  /** How many of them the rules refused. */
  readonly refusals: number;
  /** Resolves when the client has ended the connection of a held response. */
  readonly released: Promise<void>;
  /** Closes every connection; throws when the script and the requests did not match. */
  close(): Promise<void>;
}

export interface ServerRules {
  /** What the server refuses, before its script: such an answer takes no step of the script. */
  readonly refuse?: (body: string) => ScriptedAnswer | undefined;
}

export async function createScriptedServer(
  script: readonly ScriptedAnswer[],
  { refuse = () => undefined }: ServerRules = {},
): Promise<ScriptedServer> {
  let refusals = 0;
  const requests: ReceivedRequest[] = [];
  const problems: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));

  const server = http.createServer((request, response) => {
    response.on('close', release);
    void readBody(request).then(async (body) => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body });
      const refusal = refuse(body);
      if (refusal) refusals++;
      const answer = refusal ?? script[requests.length - refusals - 1];
      if (answer) return await play(answer, response);
      problems.push(`unexpected request ${requests.length}: ${method} ${url}`);
      response.writeHead(500).end('unexpected request');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    apiBase: `http://127.0.0.1:${port}/v1`,
    requests,
    get refusals() {
      return refusals;
    },
    released,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const unused = script.length - (requests.length - refusals);
      if (unused > 0) problems.push(`${unused} scripted answers were not asked for`);
      if (problems.length > 0) throw new Error(`scripted server: ${problems.join('; ')}`);
    },
  };
}

/** An answer as an event stream: one write for each chunk, `[DONE]` at the end. */
export function streamed(chunks: readonly unknown[], ...rest: readonly ServerStep[]): ScriptedAnswer {
  const events = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return sse(...events, ...(rest.length > 0 ? rest : ['data: [DONE]\n\n']));
}

/** A reply of calls (and text) as a stream. */
export function repliesCalls(
  calls: readonly { readonly name: string; readonly arguments?: unknown; readonly id: string }[],
  extra: Readonly<Record<string, unknown>> = {},
  usage?: object,
): ScriptedAnswer {
  const tool_calls = calls.map(({ name, arguments: input = {}, id }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }));
  return streamed([
    { choices: [{ index: 0, delta: { role: 'assistant', ...extra, tool_calls } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ...(usage ? [{ choices: [], usage }] : []),
  ]);
}

/** A reply of text as a stream. */
export function repliesText(content: string, usage?: object): ScriptedAnswer {
  return streamed([
    { choices: [{ index: 0, delta: { role: 'assistant', content } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ...(usage ? [{ choices: [], usage }] : []),
  ]);
}

export function sse(...body: readonly ServerStep[]): ScriptedAnswer {
  return { headers: { 'content-type': 'text/event-stream' }, body };
}

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ScriptedAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: [JSON.stringify(value)],
  };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

async function play(
  { status = 200, headers = {}, body }: ScriptedAnswer,
  response: http.ServerResponse,
): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  for (const step of body) {
    if (step instanceof Promise) await step;
    else if (typeof step === 'object' && 'close' in step) return finish(step, response);
    else await new Promise<void>((resolve) => response.write(step, () => resolve()));
  }
  finish(end, response);
}

function finish({ close }: Closing, response: http.ServerResponse): void {
  if (close === 'end') response.end();
  else if (close === 'fin') response.socket?.end();
  else if (close === 'reset') response.socket?.resetAndDestroy();
}
