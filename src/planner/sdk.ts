/** The `openai` SDK between the question and the transport: it makes the request that leaves, and says nothing of its own. */
import type OpenAI from 'openai';
import type { Answer, Exchange } from './transport.ts';

/**
 * Sends the body of an exchange to a target; resolves when the head of the answer is there, whatever its status (the
 * SDK would throw and keep half of it). Rejects where no answer comes.
 */
export type OpenThroughSdk = (target: URL, exchange: Exchange) => Promise<Answer>;

/** What goes with a request through the SDK to the one who sends it. */
interface Carried {
  readonly carried: (init: RequestInit) => Promise<Answer>;
}

/** One SDK client for all requests with a key, made for the first of them. */
export function createSdk(apiKey: string | undefined): OpenThroughSdk {
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'user-agent': 'loopscope',
    authorization: apiKey === undefined ? null : `Bearer ${apiKey}`,
  };
  let client: Promise<OpenAI> | undefined;
  return async (target, exchange) => {
    client ??= createClient(apiKey);
    const sdk = await client;
    let answer: Answer | undefined;
    const carried: Carried['carried'] = async (init) => (answer = await exchange.open(target, init));
    try {
      // It hands on what it does not know of these options.
      const fetchOptions: object = { carried };
      await sdk.post(target.href, { headers, fetchOptions }).asResponse();
    } catch (error) {
      if (!answer) throw error;
    }
    if (!answer) throw new Error('nothing was sent');
    return answer;
  };
}

async function createClient(apiKey: string | undefined): Promise<OpenAI> {
  const { default: OpenAI } = await import('openai');
  class Sdk extends OpenAI {
    /** Which key leaves, and whether one does, is said with the request. */
    protected override authHeaders() {
      return Promise.resolve(undefined);
    }
    /** An address is used as it was given: the SDK would join what a query says twice. */
    override buildURL(path: string) {
      return path;
    }
  }
  /** What the SDK sees of an answer: the body is read by our reader alone. */
  const unread = new Response(null);
  return new Sdk({
    // The SDK insists on a key; which header leaves is decided here, and in the transport.
    apiKey: apiKey ?? 'none',
    // Each request names its own address.
    baseURL: 'http://127.0.0.1',
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    async fetch(_url, init = {}) {
      const { carried } = init as RequestInit & Carried;
      const { status } = await carried(init);
      return status === 200 ? unread : new Response(null, { status });
    },
  });
}
