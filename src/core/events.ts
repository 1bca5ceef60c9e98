/**
 * The journal's vocabulary: everything that happens in a session is one of these, one JSON object a line.
 * Every view (both panels, the debugger, the log, a resumed session) is a fold of them: see `fold.ts`.
 */
import type { CallKey, Effects, MessageId, Origin, PartId, RequestId, Role } from './messages.ts';

export type JournalEvent = Stamp & EventBody;

export interface Stamp {
  /** Contiguous from 0: event n is line n + 1. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Deduced and not seen (attached agents, repaired files). */
  readonly inferred?: true;
}

export type EventBody =
  // the session and its texts
  | SessionOpened
  | Forked
  | Part
  // runs and rounds
  | RunStarted
  | RunEnded
  | RoundStarted
  | RoundEnded
  // what is remembered
  | HistoryAppended
  | Edited
  | StateChanged
  // context
  | ContextPacked
  // where the loop may pause
  | CheckpointReached
  | Paused
  | Resumed
  // the model
  | ModelRequested
  | ModelReplied
  | ModelFailed
  // tools
  | CallStarted
  | CallFinished
  | FileRead
  | FileChanged
  // what was noticed
  | Anomaly
  | Logged;

export type EventType = EventBody['type'];

export interface SessionOpened {
  readonly type: 'session.opened';
  readonly v: 1;
  readonly session: string;
  readonly kind: 'launch' | 'replay' | 'attach';
  readonly agent: string;
}

export interface Forked {
  readonly type: 'forked';
  readonly from: { readonly session: string; readonly seq: number; readonly sha: string };
  readonly why: string;
}

export interface Part {
  readonly type: 'part';
  readonly id: PartId;
  readonly text: string;
  /** Spans that stand for something taken out: start, length (UTF-16 units), name of the secret. */
  readonly redacted?: readonly (readonly [number, number, string])[];
}

export interface RunStarted {
  readonly type: 'run.started';
  /** The number of the run before, with its goal: that run goes on after a limit. */
  readonly run: number;
  /** Rounds that it may still take then. */
  readonly more?: number;
  readonly goal: MessageId;
  /** The agent's settings as JSON text. */
  readonly config: PartId;
  readonly replayOf?: string;
}

export type Outcome = 'done' | 'limit' | 'blocked' | 'refused' | 'failed' | 'cancelled' | 'crashed';

export interface RunEnded {
  readonly type: 'run.ended';
  readonly run: number;
  readonly outcome: Outcome;
  /** In words: which limit, which failure. */
  readonly limit?: string;
  readonly answer?: MessageId;
}

export interface RoundStarted {
  readonly type: 'round.started';
  readonly round: number;
}

export interface RoundEnded {
  readonly type: 'round.ended';
  readonly round: number;
  /** `again`, `done`, or the outcome that stopped the run. */
  readonly next: string;
}

export interface HistoryAppended {
  readonly type: 'history.appended';
  /** All that must be legal together: an assistant block with its results is one line. */
  readonly messages: readonly AppendedMessage[];
}

export interface AppendedMessage {
  readonly id: MessageId;
  readonly role: Role;
  readonly part: PartId;
  readonly origin: Origin;
  /** Where it stands, when not at the end: directly before this message (a summary, before what it stands for). */
  readonly before?: MessageId;
}

export type Scope = 'history' | 'pending' | 'request' | 'state';
export type EditKind =
  'set' | 'insert' | 'remove' | 'pin' | 'unpin' | 'drop' | 'restore' | 'mock' | 'skip' | 'reject';
export type EditedBy = 'user' | 'config' | 'repair' | 'rule' | 'fault';

export interface Edited {
  readonly type: 'edited';
  readonly op: EditKind;
  /** `m4`, `m3/tool_calls/0/function/arguments`, `request/temperature`, `state/todos`, or a call key. */
  readonly target: string;
  /** Whole texts (a message's JSON, a state value's JSON) before and after. */
  readonly before?: PartId;
  readonly after?: PartId;
  /** Of an insert into the history or the request: the message it stands behind; without it, it stands first. */
  readonly behind?: MessageId;
  /** What must come or go with it to stay legal, in one line: `[id, part]` of an insert, ids of a remove. */
  readonly with?: readonly Item[];
  readonly scope: Scope;
  readonly by: EditedBy;
}

export interface StateChanged {
  readonly type: 'state.changed';
  readonly key: string;
  readonly after: PartId;
  readonly call?: CallKey;
}

export type Fate = 'kept' | 'trimmed' | 'dropped' | 'folded';

/** One decision of a packing, against the packing before. */
export interface FateChange {
  readonly id: MessageId;
  readonly fate: Fate;
  /** Which rule decided: a policy's name, `cap`, `pinned`, `user`, … */
  readonly rule: string;
  /** The arithmetic in tokens: what the unit needs, and the room there was. */
  readonly need?: number;
  readonly room?: number;
  /** The first message of the unit it left with. */
  readonly tiedTo?: MessageId;
  /** The summary it was folded into. */
  readonly into?: MessageId;
  /** The text that is sent instead, when trimmed. */
  readonly part?: PartId;
}

export interface Meter {
  /** Tokens of the whole request by the meter. */
  readonly estimate: number;
  /** The same by our own count, where that is another number; what of the estimate stands for images and other media. */
  readonly own?: number;
  readonly media?: number;
  /** The model that is asked, and tokens of the meter for one of our own count, as learnt from its reports: 1 unless given. */
  readonly model?: string;
  readonly factor?: number;
  /** The last usage that a provider reported, beside what we had estimated for that same request. */
  readonly anchor?: { readonly request: RequestId; readonly reported: number; readonly estimated: number };
  /** (estimated − reported) / reported at the anchor, as a fraction. */
  readonly error?: number;
}

export interface ContextPacked {
  readonly type: 'context.packed';
  readonly policy: string;
  /**
   * Tokens: the policy's limit (absent where it is not known: in a log of another agent), what is kept free for the
   * reply, and what every request carries.
   */
  readonly limit?: number;
  readonly reserve: number;
  /** `measured`: what the provider counted in the last request beyond our count of it; may be negative. */
  readonly fixed: { readonly tools: number; readonly format: number; readonly measured?: number };
  readonly meter: Meter;
  /** Tokens of the packed request: fixed + every message that is sent. */
  readonly total: number;
  /** Counts that are new or changed. */
  readonly counted: readonly (readonly [MessageId, number])[];
  readonly changed: readonly FateChange[];
}

export type CheckpointKind = 'plan' | 'reply' | 'act' | 'observe' | 'end';

export interface CheckpointReached {
  readonly type: 'checkpoint';
  readonly kind: CheckpointKind;
  readonly key?: CallKey;
}

export type PauseReason = 'entry' | 'breakpoint' | 'step' | 'pause' | 'exception' | 'end';

export interface Paused {
  readonly type: 'paused';
  readonly reason: PauseReason;
  /** What stopped it: `filter:act`, `function:calculator`, `fault:toolFailure`, … */
  readonly hits: readonly string[];
}

/** `askAgain`: back to the plan of the same round; the reply that had arrived is set aside. */
export type Verb = 'continue' | 'next' | 'stepIn' | 'stepOut' | 'runToRound' | 'askAgain' | 'terminate';

export interface Resumed {
  readonly type: 'resumed';
  readonly verb: Verb;
}

/** A message id stands for its text at that moment; `[id, part]` for another text of it (trimmed, edited, rewired). */
export type Item = MessageId | readonly [MessageId, PartId];
/** At a position of the old list: delete so many, insert these. Ascending, applied last to first. */
export type Splice = readonly [at: number, remove: number, insert: readonly Item[]];

export interface ModelRequested {
  readonly type: 'model.requested';
  readonly request: RequestId;
  readonly attempt: number;
  readonly purpose: 'round' | 'summary' | 'memory';
  readonly url: string;
  /** The request whose list the splices apply to. */
  readonly on: RequestId | null;
  readonly head: PartId;
  readonly tail: readonly PartId[];
  readonly splices: readonly Splice[];
  /** SHA-256 of the body, hex, and its size in bytes of UTF-8. */
  readonly hash: string;
  readonly bytes: number;
}

/** Tokens as the provider reported them; a field it did not report is absent, not zero. */
export interface Usage {
  readonly prompt?: number;
  readonly completion?: number;
  readonly [extra: string]: unknown;
}

export type Source = 'live' | 'recorded' | 'mocked';

export interface ModelReplied {
  readonly type: 'model.replied';
  readonly request: RequestId;
  readonly attempt: number;
  /** Reserved for the reply: it enters the history at observe. */
  readonly message: MessageId;
  readonly reply: PartId;
  /** The raw stream, kept when an anomaly was seen. */
  readonly wire?: PartId;
  readonly usage: Usage | null;
  readonly finish: string | null;
  readonly ms: number;
  readonly ttft?: number;
  readonly source: Source;
}

export type FailureClass =
  | 'network'
  | 'timeout'
  | 'rate-limit'
  | 'server'
  | 'auth'
  | 'bad-request'
  | 'overflow'
  | 'refused'
  | 'cut'
  | 'protocol'
  | 'cancelled'
  | 'blocked';

export interface ModelFailed {
  readonly type: 'model.failed';
  readonly request: RequestId;
  readonly attempt: number;
  readonly class: FailureClass;
  readonly status?: number;
  readonly message: string;
  /** Milliseconds until the next attempt; absent when there is none. */
  readonly retryIn?: number;
  readonly partial?: PartId;
  readonly wire?: PartId;
  /** Of an overflow: the numbers that the server told. */
  readonly tokens?: OverflowTokens;
}

/** Tokens by the server's count: of the request with its reply, and of what its model takes. */
export interface OverflowTokens {
  readonly asked?: number;
  readonly limit?: number;
  /** Of `asked`: what is meant for the reply. */
  readonly reply?: number;
}

export interface CallStarted {
  readonly type: 'call.started';
  readonly key: CallKey;
  readonly name: string;
  /** The tool's own name, where the API takes only another one. */
  readonly tool?: string;
  readonly wireId: string;
  readonly effects: Effects;
  readonly approval?: string;
}

export type CallOutcome =
  'ok' | 'error' | 'invalid' | 'unknown' | 'timeout' | 'rejected' | 'skipped' | 'mocked' | 'cancelled';

export interface CallFinished {
  readonly type: 'call.finished';
  readonly key: CallKey;
  readonly outcome: CallOutcome;
  /** Reserved for the result: it enters the history at observe. */
  readonly message: MessageId;
  /** The wire message of the result. */
  readonly part: PartId;
  /** The whole observation, when the message carries less. */
  readonly observation?: PartId;
  readonly ms: number;
  readonly source: Source;
}

/** A call showed the model these lines of a file. */
export interface FileRead {
  readonly type: 'file.read';
  readonly key: CallKey;
  readonly uri: string;
  /** SHA-256 (hex) of the whole text's UTF-8, without byte order mark. */
  readonly hash: string;
  readonly lines: readonly [start: number, end: number];
  readonly total: number;
}

export interface FileChanged {
  readonly type: 'file.changed';
  readonly key: CallKey;
  readonly uri: string;
  /** The text before; without it the file is new. */
  readonly before?: PartId;
  /** As `hash` of `file.read`. */
  readonly afterHash: string;
}

export interface Anomaly {
  readonly type: 'anomaly';
  readonly code: string;
  readonly detail: string;
  readonly about: readonly number[];
}

export interface Logged {
  readonly type: 'logged';
  readonly breakpoint: string;
  readonly text: string;
}

/** What two journals are compared by: what happened, without when and how fast. */
export function comparable(event: JournalEvent): Record<string, unknown> {
  const {
    at: _at,
    ms: _ms,
    ttft: _ttft,
    source: _source,
    session: _session,
    ...rest
  } = event as unknown as Record<string, unknown>;
  return rest;
}
