import type { FailureClass } from '../core/events.ts';
import type { Classified } from './classify.ts';
import { readErrorText } from './classifyText.ts';

interface NetworkPattern {
  readonly codes: readonly string[];
  /** More codes, where a library has a family of them. */
  readonly family?: RegExp;
  /** Of errors that have no code. */
  readonly words?: RegExp;
  readonly class: FailureClass;
  readonly retryable: boolean;
  /** What happened and what to check; the URL is put between. */
  readonly what: string;
  readonly check: string;
}

const patterns: readonly NetworkPattern[] = [
  {
    codes: ['ECONNREFUSED'],
    class: 'network',
    retryable: true,
    what: 'No server answers at',
    check: 'Start it, or correct api_base in the agent file.',
  },
  {
    codes: ['ENOTFOUND', 'EAI_NONAME'],
    class: 'network',
    retryable: false,
    what: 'The host name is not known:',
    check: 'Check api_base in the agent file, and the network.',
  },
  {
    codes: ['EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'],
    class: 'network',
    retryable: true,
    what: 'The network does not reach',
    check: 'Check the network, the proxy, and api_base in the agent file.',
  },
  {
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    class: 'timeout',
    retryable: true,
    what: 'No connection in time to',
    check: 'Check the network, the proxy, and api_base in the agent file.',
  },
  {
    codes: ['EPROTO'],
    family: /^ERR_SSL_/,
    class: 'network',
    retryable: false,
    what: 'No TLS with',
    check: 'If the server speaks plain HTTP, write http:// in api_base.',
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH', 'INVALID_CA'],
    family: /^(?:CERT_|UNABLE_TO_)|SELF_SIGNED_CERT/,
    class: 'network',
    retryable: false,
    what: 'The certificate is not trusted:',
    check: 'Add its authority to the system, or to NODE_EXTRA_CA_CERTS.',
  },
  {
    codes: [],
    family: /^HPE_/,
    class: 'protocol',
    retryable: false,
    what: 'What answers does not speak HTTP:',
    check: 'Check the port and http:// or https:// in api_base.',
  },
  {
    codes: ['ERR_INVALID_CHAR'],
    words: /ByteString|Invalid character in header|is an invalid header value/,
    class: 'auth',
    retryable: false,
    what: 'The API key holds a character that can not be sent to',
    check: 'Run “Loopscope: Set API Key” and paste it again.',
  },
  {
    codes: [],
    words: /^Socks5 Authentication failed/,
    class: 'network',
    retryable: false,
    what: 'The proxy wants another user name or password, on the way to',
    check: 'They go into its address.',
  },
];

/** A request that got no answer at all. The error may be wrapped (fetch, SDK): the innermost code counts. */
export function classifyNetwork(error: unknown, url: string): Classified {
  const { code, message } = innermost(error);
  const found = patterns.find(
    ({ codes, family, words }) => codes.includes(code) || family?.test(code) === true || words?.test(message),
  );
  const detail = code === '' ? message : code;
  if (found) {
    const { what, check } = found;
    return {
      class: found.class,
      retryable: found.retryable,
      message: `${what} ${url} (${detail}). ${check}`,
    };
  }
  const text = `The connection to ${url} failed (${detail}). Check that the server runs, and api_base in the agent file.`;
  return { class: 'network', retryable: true, message: text };
}

/** A proxy that opens no tunnel to the server: by its status and what it says. */
export function classifyTunnel(status: number, body: string, url: string): Classified {
  const { message } = readErrorText(body);
  const said = message === '' ? '' : `: ${message}`;
  const check =
    status === 407
      ? 'The proxy wants a user name and a password: they go into its address.'
      : 'Check whether the proxy lets this address through, or name it in NO_PROXY.';
  return {
    class: 'network',
    status,
    retryable: status >= 500,
    message: `The proxy opens no way to ${url}, it answered ${status}${said}. ${check}`,
  };
}

function innermost(error: unknown): { readonly code: string; readonly message: string } {
  let at = error;
  let code = '';
  let message = String(error);
  for (let depth = 0; depth < 8 && at instanceof Error; depth++) {
    const own = (at as { code?: unknown }).code;
    if (typeof own === 'string') code = own;
    message = at.message || message;
    at = at instanceof AggregateError ? (at.errors[0] as unknown) : at.cause;
  }
  return { code, message };
}
