/**
 * The transport below the SDK: Node's `http` and `https`. Not `fetch`, which ends a request whose headers or next
 * bytes take more than 300 s, whatever the caller's limits are; VS Code replaces what could lift that.
 *
 * In VS Code these modules are the editor's: it applies the user's proxy settings, the system's proxies and
 * certificates to them, but only for what `require` loads under these very names (no import, no `node:`).
 * Elsewhere the environment names the proxy.
 *
 * The headers are ours alone: the SDK also sends what it finds in the environment (organisation, custom
 * headers) and what it knows of the machine, and api_base may name anybody's server.
 */
import type * as Http from 'node:http';
import type * as Https from 'node:https';
import { createRequire } from 'node:module';
import { createByteSource } from './byteSource.ts';
import { decodeBody } from './decodeBody.ts';
import { type Environment, proxyRoute, type Route } from './proxyRoute.ts';
import type { ByteSource } from './readReply.ts';

type FetchInit = NonNullable<Parameters<typeof fetch>[1]>;

const load = createRequire(import.meta.url);
const http = load('http') as typeof Http;
const https = load('https') as typeof Https;

const sent = ['accept', 'authorization', 'content-type', 'user-agent'] as const;

export interface Transport {
  /** How a target is reached; `direct` also where the editor decides. */
  route(target: URL): Route;
  /** Nothing leaves before it is opened. */
  exchange(body: readonly Uint8Array[], route: Route): Exchange;
}

/** One request and its answer. */
export interface Exchange {
  /**
   * Sends it; resolves when the head of the answer is there, whatever its status. Rejects where no answer comes. A
   * redirect is not followed: it would turn the POST into a GET, or carry the key elsewhere.
   */
  open(target: URL, init: FetchInit): Promise<Answer>;
  /** Ends the connection, unless the answer has come whole: then the next request goes over it. */
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: ByteSource;
  /** It is the proxy's own: it opens no tunnel to the target, which has not heard of the request. */
  readonly isProxys: boolean;
}

/** @param proxies who says which proxy is used: the environment's variables, or the editor that runs us */
export function createTransport(
  proxies: 'environment' | 'editor',
  env: Environment = process.env,
): Transport {
  const agents = new Map<string, Http.Agent>();
  const route = (target: URL): Route =>
    proxies === 'environment' ? proxyRoute(target, env) : { kind: 'direct' };
  return {
    route,
    exchange: (body, way) => createExchange(body, (target) => agentOf(target, way)),
  };

  async function agentOf(target: URL, way: Route): Promise<Http.Agent | undefined> {
    if (way.kind !== 'proxy') return undefined;
    const key = `${target.protocol} ${way.url.href}`;
    const known = agents.get(key) ?? (await import('./proxyAgent.ts')).proxyAgent(target, way.url);
    agents.set(key, known);
    return known;
  }
}

function createExchange(
  body: readonly Uint8Array[],
  agentOf: (target: URL) => Promise<Http.Agent | undefined>,
): Exchange {
  let isClosed = false;
  let request: Http.ClientRequest | undefined;
  let message: Http.IncomingMessage | undefined;
  return {
    async open(target, { method = 'POST', headers }) {
      const agent = await agentOf(target);
      if (isClosed) throw new Error('the request was given up');
      const options = { method, headers: headersOf(headers, body), ...(agent ? { agent } : {}) };
      const make = target.protocol === 'https:' ? https.request : http.request;
      return await new Promise((resolve, reject) => {
        let isProxys = false;
        request = make(target, options, (answer) => {
          message = answer;
          resolve(answerOf(answer, isProxys));
        });
        // Of the proxy agent: what a proxy says to CONNECT, when it is no, comes as if the target had said it.
        request.on('proxyConnect', ({ statusCode }: { readonly statusCode: number }) => {
          isProxys = statusCode !== 200;
        });
        request.on('error', reject);
        // Also where it is neither an answer nor an error: one that switches to another protocol.
        request.on('close', () => reject(new Error('the connection was closed without an answer')));
        send(request, body);
      });
    },
    close() {
      isClosed = true;
      if (!message?.complete) request?.destroy();
    },
  };
}

function headersOf(given: FetchInit['headers'], body: readonly Uint8Array[]): Record<string, string> {
  const all = given instanceof Headers ? given : new Headers(given);
  const headers: Record<string, string> = {};
  for (const name of sent) {
    const value = all.get(name);
    if (value !== null) headers[name] = value;
  }
  // Without a length it would leave in chunks, which not all servers take.
  headers['content-length'] = String(body.reduce((sum, { byteLength }) => sum + byteLength, 0));
  return headers;
}

/** In one go: corked, all pieces leave with the headers and are not copied into one before. */
function send(request: Http.ClientRequest, body: readonly Uint8Array[]): void {
  request.cork();
  for (const piece of body) request.write(piece);
  request.end();
}

function answerOf(message: Http.IncomingMessage, isProxys: boolean): Answer {
  const { statusCode: status = 502, headers } = message;
  return {
    status,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
    body: createByteSource(decodeBody(message, headers['content-encoding'])),
    isProxys,
  };
}
