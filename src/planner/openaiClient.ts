/**
 * A chat-completions end point over HTTP, through the `openai` SDK: it carries our text word for word and
 * hands over the response unread. Retries belong to `ask`, reading to `readReply`.
 */
import type { RequestBody } from '../core/body.ts';
import { parseJson } from '../core/parseMessage.ts';
import type { AbortSignalLike, ModelClient, ModelOutcome, SendOptions } from '../core/ports.ts';
import { createBodyEncoder } from './bodyEncoder.ts';
import { classify, type Classified } from './classify.ts';
import { classifyNetwork, classifyTunnel } from './classifyNetwork.ts';
import type { Route } from './proxyRoute.ts';
import { readReply } from './readReply.ts';
import { waitFor } from './readReplyLimits.ts';
import { createSdk, type OpenThroughSdk } from './sdk.ts';
import { type Answer, createTransport, type Exchange } from './transport.ts';

export interface OpenAiEndpoint {
  /** Up to and including the version: `https://api.openai.com/v1`; a query stays on it. */
  readonly apiBase: string;
  /** Without a key no authorization header is sent. */
  readonly apiKey?: string;
  /** What it is called in the UI; the URL when left out. */
  readonly label?: string;
  /** Regular expressions, not case-sensitive, for overflow errors that the table of patterns does not know. */
  readonly overflowPatterns?: readonly string[];
  /** Who says which proxy is used: the environment's variables, or the editor that this runs in. */
  readonly proxies?: 'environment' | 'editor';
}

export function createOpenAiClient({ apiBase, apiKey: given, label, ...more }: OpenAiEndpoint): ModelClient {
  const overflowPatterns = (more.overflowPatterns ?? []).map((pattern) => new RegExp(pattern, 'i'));
  const target = completionsUrl(apiBase);
  const url = target ? shown(target) : apiBase;
  const transport = createTransport(more.proxies ?? 'environment');
  const encode = createBodyEncoder();
  // Keys are pasted, often with a line break that no header may hold.
  const apiKey = given?.trim() || undefined;
  const openThroughSdk = createSdk(apiKey);
  return {
    url,
    label: label ?? url,
    async send(body, options) {
      const started = performance.now();
      const elapsed = () => Math.round(performance.now() - started);
      if (!target || hasCredentials(target)) return failure(invalidBase(url), elapsed());
      const route = transport.route(target);
      if (route.kind === 'invalid') return failure(invalidProxy(route.shown), elapsed());
      const exchange = transport.exchange(encode(body), route);
      try {
        const question = { target, url, apiKey, overflowPatterns, route, body, options, elapsed };
        return withoutKey(await converse(question, exchange, openThroughSdk), apiKey);
      } catch (error) {
        return failure(
          { class: 'protocol', message: `The reply could not be read: ${String(error)}.`, retryable: false },
          elapsed(),
        );
      } finally {
        // Also after `[DONE]`: servers that keep the socket open would hold it for ever.
        exchange.close();
      }
    },
  };
}

interface Question {
  readonly target: URL;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly overflowPatterns: readonly RegExp[];
  readonly route: Route;
  readonly body: RequestBody;
  readonly options: SendOptions;
  readonly elapsed: () => number;
}

async function converse(
  { target, url, apiKey, overflowPatterns, route, body, options, elapsed }: Question,
  exchange: Exchange,
  openThroughSdk: OpenThroughSdk,
): Promise<ModelOutcome> {
  const { signal, onText, firstByteMs, idleMs } = options;
  if (signal.aborted) return failure(cancelled, elapsed());
  const opened = await waitFor(openThroughSdk(target, exchange), firstByteMs, signal);
  if (opened.kind === 'aborted') return failure(cancelled, elapsed());
  if (opened.kind === 'silent') return failure(silent(url, firstByteMs), elapsed());
  if (opened.kind === 'failed')
    return failure(throughProxy(route, classifyNetwork(opened.error, url)), elapsed());
  const answer = opened.value;
  const judge = (text: string, status?: number): Classified =>
    classify({
      ...(status === undefined ? {} : { status, headers: answer.header }),
      body: text,
      url,
      keySent: apiKey !== undefined,
      now: Date.now(),
      sent: body.text,
      overflowPatterns,
    });
  if (answer.status < 200 || answer.status > 299) {
    const text = await errorText(answer, { firstByteMs, idleMs, signal });
    if (signal.aborted) return failure(cancelled, elapsed());
    const judged = answer.isProxys ? classifyTunnel(answer.status, text, url) : judge(text, answer.status);
    return failure(judged.class === 'network' ? throughProxy(route, judged) : judged, elapsed(), text);
  }
  // The limit is to the first byte of the reply: headers may come long before a model has read its prompt.
  return await readReply(answer.body, { signal, onText, firstByteMs, idleMs, elapsed, classify: judge });
}

const errorBytes = 256 * 1024;

/** The body of an error, as far as it comes in time: a refusal with half a body is still a refusal. */
async function errorText(
  { body }: Answer,
  limits: { readonly firstByteMs: number; readonly idleMs: number; readonly signal: AbortSignalLike },
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let limit = limits.firstByteMs; text.length < errorBytes; limit = limits.idleMs) {
    const waited = await waitFor(body.read(), limit, limits.signal);
    if (waited.kind !== 'value' || waited.value.done) break;
    text += decoder.decode(waited.value.value, { stream: true });
    // Some servers keep the socket open behind it.
    if (/[}\]]\s*$/.test(text.slice(-100)) && parseJson(text) !== undefined) break;
  }
  return text;
}

/** `…/chat/completions` of a base, unless it names that already; undefined for what is no http address. */
function completionsUrl(apiBase: string): URL | undefined {
  const url = URL.canParse(apiBase) ? new URL(apiBase) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined;
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url;
}

/** fetch takes no address with a user name and password in it. */
function hasCredentials(target: URL): boolean {
  return target.username !== '' || target.password !== '';
}

/** As journaled: credentials in an address are nobody's business. */
function shown(target: URL): string {
  const url = new URL(target);
  url.username = '';
  url.password = '';
  return url.href;
}

const cancelled: Classified = {
  class: 'cancelled',
  message: 'Cancelled before the reply began.',
  retryable: false,
};

function silent(url: string, ms: number): Classified {
  const message = `No answer from ${url} within ${ms / 1000} s.`;
  return { class: 'timeout', message, retryable: true };
}

function invalidBase(apiBase: string): Classified {
  const message = `api_base ${JSON.stringify(apiBase)} is not an http address without a user name. Correct it in the agent file, for example https://api.openai.com/v1; the key goes to “Loopscope: Set API Key”.`;
  return { class: 'bad-request', message, retryable: false };
}

function invalidProxy(shown: string): Classified {
  const message = `The proxy that ${shown} names can not be used: it must be an http, https or socks5 address, with %25 for a % of a password.`;
  return { class: 'network', message, retryable: false };
}

/** Where a proxy stands between, it may be what does not answer. */
function throughProxy(route: Route, classified: Classified): Classified {
  if (route.kind !== 'proxy') return classified;
  return { ...classified, message: `${classified.message} It was asked through the proxy ${route.shown}.` };
}

function failure(classified: Classified, ms: number, wire = ''): ModelOutcome {
  return { ok: false, ...classified, notes: [], ms, ...(wire === '' ? {} : { wire }) };
}

/** Servers echo what they refuse: the key must reach neither the journal nor a screen. */
function withoutKey(outcome: ModelOutcome, apiKey = ''): ModelOutcome {
  if (outcome.ok || apiKey.length < 8) return outcome;
  const clean = (text: string) => text.replaceAll(apiKey, '[API key]');
  const wire = outcome.wire === undefined ? {} : { wire: clean(outcome.wire) };
  return { ...outcome, message: clean(outcome.message), ...wire };
}
