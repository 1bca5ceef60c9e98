import { type EditNote, editNotes } from './editNotes.ts';
import type { CallOutcome, FailureClass, Source, Usage } from './events.ts';
import {
  type CallState,
  currentRound,
  currentRun,
  type JournalState,
  type ReplyState,
  type RoundState,
} from './journalState.ts';
import type { CallKey, Effects, MessageId, PartId } from './messages.ts';
import { bodyOfPart } from './messageView.ts';

/** The reply of a round, with its calls and what became of them. */
export interface ReplyView {
  readonly message: MessageId;
  readonly part: PartId;
  /** Its text as the model wrote it, where it was edited since. */
  readonly before?: PartId;
  readonly edits: readonly EditNote[];
  readonly finish: string | null;
  readonly usage: Usage | null;
  /** Milliseconds in all, and to the first text. */
  readonly ms: number;
  readonly ttft?: number;
  readonly source: Source;
  readonly calls: readonly CallView[];
}

/** A reply that was not taken: the model was asked again before anything acted on it. */
export interface SetAsideReply {
  readonly message: MessageId;
  readonly part: PartId;
  readonly finish: string | null;
  readonly ms: number;
}

export interface CallView {
  readonly key: CallKey;
  /** From 1. */
  readonly position: number;
  readonly name: string;
  readonly arguments: string;
  /**
   * `paused`: the run stands before this very call. `asking`: it is about to run, unless somebody says no. `decided`: it
   * will be answered without running.
   */
  readonly status: 'later' | 'paused' | 'asking' | 'decided' | 'running' | 'finished';
  readonly verdict?: 'mock' | 'skip' | 'reject';
  readonly outcome?: CallOutcome;
  readonly ms?: number;
  readonly source?: Source;
  readonly effects?: Effects;
  /** The result: its message id, its text now, and whether it has entered the history. */
  readonly result?: { readonly message: MessageId; readonly part: PartId; readonly entered: boolean };
  readonly edits: readonly EditNote[];
}

export interface FailedAttempt {
  /** Of its `model.requested`. */
  readonly seq: number;
  readonly attempt: number;
  readonly class: FailureClass;
  readonly status?: number;
  readonly message: string;
  /** Milliseconds waited before the next attempt; absent when there was none. */
  readonly retryIn?: number;
  /** What had arrived of the reply. */
  readonly partial?: PartId;
}

/** The reply to a round's last request; undefined while there is none. */
export function replyView(state: JournalState, round: RoundState): ReplyView | undefined {
  const reply = round.replies.at(-1);
  if (!reply || reply.request !== round.requests.at(-1)) return undefined;
  const notes = editNotes(state, reply.seq, round.ended?.seq ?? Infinity);
  const { finish, usage, ms, ttft, source } = reply.event;
  return {
    message: reply.message,
    part: reply.part,
    ...(reply.part === reply.event.reply ? {} : { before: reply.event.reply }),
    edits: notes.get(reply.message) ?? [],
    finish,
    usage,
    ms,
    ...(ttft === undefined ? {} : { ttft }),
    source,
    calls: callViews(state, round, reply, notes),
  };
}

/** The replies of a round that were set aside, oldest first. */
export function setAsideReplies({ setAside }: RoundState): SetAsideReply[] {
  return setAside.map(({ message, part, event: { finish, ms } }) => ({ message, part, finish, ms }));
}

function callViews(
  state: JournalState,
  round: RoundState,
  reply: ReplyState,
  notes: ReadonlyMap<MessageId, readonly EditNote[]>,
): CallView[] {
  // Read from the reply's text as it is now: a long one may have come in since the fold saw its head.
  const texts = bodyOfPart(state, reply.part)?.calls ?? [];
  return round.calls.map((call) => {
    const result =
      call.message !== undefined && call.part !== undefined
        ? { message: call.message, part: call.part, entered: state.messages.has(call.message) }
        : undefined;
    return {
      key: call.key,
      position: call.position,
      name: call.name,
      arguments: texts[call.position - 1]?.arguments ?? call.arguments,
      status: statusOf(state, round, call),
      edits: notes.get(call.message ?? call.key) ?? [],
      ...(call.verdict ? { verdict: call.verdict.op } : {}),
      ...(call.outcome === undefined ? {} : { outcome: call.outcome }),
      ...(call.ms === undefined ? {} : { ms: call.ms }),
      ...(call.source === undefined ? {} : { source: call.source }),
      ...(call.effects === undefined ? {} : { effects: call.effects }),
      ...(result ? { result } : {}),
    };
  });
}

function statusOf(state: JournalState, round: RoundState, call: CallState): CallView['status'] {
  if (call.status !== 'waiting') return call.status;
  if (call.verdict) return 'decided';
  const isHere = state.checkpoint?.key === call.key && currentRound(state) === round;
  if (!isHere || currentRun(state)?.ended) return 'later';
  return state.paused ? 'paused' : 'asking';
}

/** The attempts of a round that got no reply, in order, over all its requests. */
export function failedAttempts(state: JournalState, round: RoundState): FailedAttempt[] {
  return round.requests.flatMap((id) =>
    (state.requests.get(id)?.attempts ?? []).flatMap(({ seq, failed }) => {
      if (!failed) return [];
      const { attempt, status, message, retryIn, partial } = failed;
      return {
        seq,
        attempt,
        class: failed.class,
        message,
        ...(status === undefined ? {} : { status }),
        ...(retryIn === undefined ? {} : { retryIn }),
        ...(partial === undefined ? {} : { partial }),
      };
    }),
  );
}
