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
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { type Environment, proxyRoute, type Route } from './proxyRoute.ts';

type FetchInput = Parameters<typeof fetch>[0];
type FetchInit = NonNullable<Parameters<typeof fetch>[1]>;

const load = createRequire(import.meta.url);
const http = load('http') as typeof Http;
const https = load('https') as typeof Https;

const sent = ['accept', 'authorization', 'content-type', 'user-agent'] as const;

export interface Transport {
  /** A redirect is not followed: it would turn the POST into a GET, or carry the key elsewhere. */
  readonly fetch: (input: FetchInput, init?: FetchInit, body?: readonly Uint8Array[]) => Promise<Response>;
  /** How a target is reached; `direct` also where the editor decides. */
  route(target: URL): Route;
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
    async fetch(input, init = {}, body = []) {
      const target = new URL(input instanceof Request ? input.url : input);
      const agent = await agentOf(target);
      return await exchange(target, init, body, agent);
    },
  };

  async function agentOf(target: URL): Promise<Http.Agent | undefined> {
    const way = route(target);
    if (way.kind !== 'proxy') return undefined;
    const key = `${target.protocol} ${way.url.href}`;
    const known = agents.get(key) ?? (await proxyAgent(target, way.url));
    agents.set(key, known);
    return known;
  }
}

async function proxyAgent(target: URL, proxy: URL): Promise<Http.Agent> {
  if (target.protocol === 'https:') return new (await import('https-proxy-agent')).HttpsProxyAgent(proxy);
  return new (await import('http-proxy-agent')).HttpProxyAgent(proxy);
}

async function exchange(
  target: URL,
  init: FetchInit,
  body: readonly Uint8Array[],
  agent: Http.Agent | undefined,
): Promise<Response> {
  const given = new Headers(init.headers);
  const headers: Record<string, string> = Object.fromEntries(
    sent.flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  // Without a length it would leave in chunks, which not all servers take.
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (length > 0) headers['content-length'] = String(length);
  const { method = 'GET', signal } = init;
  const options = { method, headers, ...(agent ? { agent } : {}), ...(signal ? { signal } : {}) };
  return await new Promise((resolve, reject) => {
    const make = target.protocol === 'https:' ? https.request : http.request;
    const request = make(target, options, (message) => {
      try {
        resolve(responseOf(message));
      } catch (error) {
        request.destroy();
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    request.on('error', reject);
    send(request, body);
  });
}

/** In one go: corked, all pieces leave with the headers and are not copied into one before. */
function send(request: Http.ClientRequest, body: readonly Uint8Array[]): void {
  request.cork();
  for (const piece of body) request.write(piece);
  request.end();
}

const bodiless = new Set([204, 205, 304]);

function responseOf(message: Http.IncomingMessage): Response {
  const { statusCode: status = 502, headers } = message;
  const fields = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  if (bodiless.has(status)) {
    message.resume();
    return new Response(null, { status, headers: fields });
  }
  const body = Readable.toWeb(decoded(message)) as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers: fields });
}

/** Nothing compressed was asked for; some servers and proxies send it all the same. */
function decoded(message: Http.IncomingMessage): Readable {
  const decoder = decoderFor(message.headers['content-encoding']?.trim().toLowerCase());
  if (!decoder) return message;
  // Not `pipeline`, which would end the decoder with an error of its own before the reader saw what had come.
  message.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => message.destroy());
  return message.pipe(decoder);
}

function decoderFor(encoding: string | undefined): (Readable & NodeJS.ReadWriteStream) | undefined {
  // What has come is handed over at once, and the end of a cut body is for the reader to judge.
  const flush = zlib.constants.Z_SYNC_FLUSH;
  if (encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate')
    return zlib.createUnzip({ flush, finishFlush: flush });
  const brotli = zlib.constants.BROTLI_OPERATION_FLUSH;
  return encoding === 'br' ? zlib.createBrotliDecompress({ flush: brotli, finishFlush: brotli }) : undefined;
}
