/** The very bytes of a request, held against what the journal says of them. */
import { bodyOf, requestItems } from './body.ts';
import type { JournalState } from './journalState.ts';
import { legal } from './legal.ts';
import type { RequestId, WireMessage } from './messages.ts';
import { isRecord, parseJson } from './parseMessage.ts';

export interface WireView {
  readonly request: RequestId;
  readonly attempt: number;
  readonly url: string;
  /** As the journal has them: bytes of UTF-8, SHA-256 in hex. */
  readonly bytes: number;
  readonly hash: string;
  /** The body rebuilt from the journal's texts; absent where one of them is missing. */
  readonly text?: string;
  readonly checks: readonly WireCheck[];
}

export interface WireCheck {
  /** `hash`, `bytes`: rebuilt and recorded are the same; `messages`: as many as the request lists; `legal`. */
  readonly what: 'hash' | 'bytes' | 'messages' | 'legal';
  readonly ok: boolean;
  /** What was found instead. */
  readonly found?: string;
}

export interface Digest {
  sha256(text: string): string;
  byteLength(text: string): number;
}

/** Undefined for an attempt that the journal does not have. */
export function wireView(
  state: JournalState,
  request: RequestId,
  attempt: number,
  digest: Digest,
): WireView | undefined {
  const made = state.requests.get(request)?.attempts.find(({ sent }) => sent.attempt === attempt);
  if (!made) return undefined;
  const { url, bytes, hash } = made.sent;
  const text = bodyOf(state, made.sent, made.seq);
  const base = { request, attempt, url, bytes, hash };
  if (text === undefined) return { ...base, checks: [] };
  const found = { hash: digest.sha256(text), bytes: digest.byteLength(text) };
  const body = parseJson(text);
  const messages =
    isRecord(body) && Array.isArray(body['messages']) ? (body['messages'] as WireMessage[]) : [];
  const listed = requestItems(state, request).length;
  const [violation] = legal(messages);
  return {
    ...base,
    text,
    checks: [
      check('hash', found.hash === hash, found.hash),
      check('bytes', found.bytes === bytes, String(found.bytes)),
      check('messages', messages.length === listed, `${messages.length} / ${listed}`),
      check('legal', violation === undefined, violation?.detail ?? ''),
    ],
  };
}

function check(what: WireCheck['what'], ok: boolean, found: string): WireCheck {
  return ok ? { what, ok } : { what, ok, found };
}
