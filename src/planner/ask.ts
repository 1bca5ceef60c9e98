/**
 * Asks the model, with retries: the one retry layer there is. Every attempt is in the journal, before it leaves
 * and after it ended; every note of the reader becomes one anomaly. Never throws or rejects.
 */
import type { EventBody } from '../core/events.ts';
import type { MessageId } from '../core/messages.ts';
import type {
  AbortSignalLike,
  Clock,
  ModelClient,
  ModelFailure,
  ModelReply,
  ReadNote,
  Recorder,
} from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import type { DigestBody } from './bodyDigest.ts';
import type { PreparedRequest } from './prepared.ts';
import { planRetry, type RetryLimits } from './retryPlan.ts';

export interface AskPorts {
  readonly client: ModelClient;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly signal: AbortSignalLike;
  readonly onText: (delta: string) => void;
  readonly digest: DigestBody;
  /** Reserves the id of the reply. */
  readonly nextMessage: () => MessageId;
  /** What a failure comes to in the light of what only the caller knows. */
  readonly reconsider?: (failure: ModelFailure) => ModelFailure;
  readonly limits: RetryLimits & {
    /** Milliseconds to the first byte of a reply, and between bytes after it. */
    readonly firstByteMs: number;
    readonly idleMs: number;
  };
}

export type Asked =
  | { readonly ok: true; readonly message: MessageId; readonly reply: ModelReply }
  | { readonly ok: false; readonly failure: ModelFailure };

export async function ask(prepared: PreparedRequest, ports: AskPorts): Promise<Asked> {
  const { client, clock, signal, onText, limits } = ports;
  if (signal.aborted) return { ok: false, failure: cancelledBetween };
  const attempts = createAttemptLog(prepared, ports);
  for (let attempt = 1; ; attempt++) {
    attempts.requested(attempt);
    const { firstByteMs, idleMs } = limits;
    // Aborted by the very event that says it leaves: that could not be written.
    const sent = signal.aborted
      ? cancelledBetween
      : await client.send(prepared.body, { signal, onText, firstByteMs, idleMs });
    const outcome = sent.ok ? sent : (ports.reconsider?.(sent) ?? sent);
    if (outcome.ok) return { ok: true, message: attempts.replied(attempt, outcome), reply: outcome };
    const plan = planRetry(outcome, attempt, limits, clock.now());
    if (!plan.retry) {
      const failure =
        plan.because === '' ? outcome : { ...outcome, message: `${outcome.message} ${plan.because}` };
      attempts.failed(attempt, failure);
      return { ok: false, failure };
    }
    attempts.failed(attempt, outcome, plan.waitMs);
    await clock.sleep(plan.waitMs, signal);
    if (signal.aborted) return { ok: false, failure: cancelledBetween };
  }
}

/** Also what an abort during the wait for the next attempt comes to: the failed attempt is journaled already. */
const cancelledBetween: ModelFailure = {
  ok: false,
  class: 'cancelled',
  message: 'Cancelled before the request was sent.',
  retryable: false,
  notes: [],
  ms: 0,
};

interface AttemptLog {
  requested(attempt: number): void;
  /** Returns the id reserved for the reply. */
  replied(attempt: number, reply: ModelReply): MessageId;
  /** `retryIn`: milliseconds until the next attempt. */
  failed(attempt: number, failure: ModelFailure, retryIn?: number): void;
}

function createAttemptLog(prepared: PreparedRequest, ports: AskPorts): AttemptLog {
  const { client, recorder, digest, nextMessage } = ports;
  const { request, purpose, on, splices, body, notes = [] } = prepared;
  const sent = {
    head: recorder.part(body.head),
    tail: body.tail.map((text) => recorder.part(text)),
    ...digest(body),
  };
  return {
    requested(attempt) {
      // A retry sends the list of its own request again.
      const list = attempt === 1 ? { on, splices } : { on: request, splices: [] };
      const event = { type: 'model.requested', request, attempt, purpose, url: client.url } as const;
      append({ ...event, ...list, ...sent }, attempt === 1 ? notes : []);
    },
    replied(attempt, reply) {
      const message = nextMessage();
      append(
        { type: 'model.replied', request, attempt, message, ...repliedFields(reply, recorder) },
        reply.notes,
      );
      return message;
    },
    failed(attempt, failure, retryIn) {
      const wait = retryIn === undefined ? {} : { retryIn };
      append(
        { type: 'model.failed', request, attempt, ...failedFields(failure, recorder), ...wait },
        failure.notes,
      );
    },
  };

  function append(event: EventBody, notes: readonly ReadNote[]): void {
    const { seq } = recorder.append(event);
    for (const { code, detail } of notes) recorder.append({ type: 'anomaly', code, detail, about: [seq] });
  }
}

function repliedFields({ message, finish, usage, ms, ttft, wire }: ModelReply, recorder: Recorder) {
  return {
    reply: recorder.part(serialise(message)),
    ...(wire === undefined ? {} : { wire: recorder.part(wire) }),
    usage,
    finish,
    ms,
    ...(ttft === undefined ? {} : { ttft }),
    source: 'live' as const,
  };
}

function failedFields(
  { class: kind, status, message, partial, wire, tokens }: ModelFailure,
  recorder: Recorder,
) {
  return {
    class: kind,
    ...(status === undefined ? {} : { status }),
    message,
    ...(partial === undefined ? {} : { partial: recorder.part(partial) }),
    ...(wire === undefined ? {} : { wire: recorder.part(wire) }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}
