/**
 * State is a fold of the journal. The live session, the debugger's view of the past, both panels and a
 * resumed session are all this one function over a prefix of the events.
 *
 * The state is mutable and owned by whoever folds; cost per event does not grow with the session.
 */
import type {
  AppendedMessage,
  CallOutcome,
  CheckpointKind,
  ContextPacked,
  Edited,
  Fate,
  FateChange,
  Item,
  JournalEvent,
  ModelFailed,
  ModelReplied,
  ModelRequested,
  Outcome,
  PauseReason,
  SessionOpened,
  Source,
  Splice,
  Verb,
} from './events.ts';
import type { CallKey, Effects, MessageId, Origin, PartId, RequestId, Role } from './messages.ts';
import { finishCall, listCalls } from './pendingCalls.ts';

export interface MessageState {
  readonly id: MessageId;
  readonly role: Role;
  readonly origin: Origin;
  /** Its texts in time: the part it had from each seq on. The last one is its text now. */
  readonly versions: { readonly seq: number; readonly part: PartId }[];
  /** Where it entered the history. */
  readonly run: number;
  readonly round: number;
}

/** A packing in effect: the event, and where it stands. Fates of one packing: see `fatesAt`. */
export interface PackingState {
  readonly seq: number;
  readonly run: number;
  readonly round: number;
  readonly event: ContextPacked;
}

export interface AttemptState {
  readonly seq: number;
  readonly at: number;
  readonly sent: ModelRequested;
  replied?: ModelReplied;
  failed?: ModelFailed;
}

export interface RequestState {
  readonly id: RequestId;
  readonly run: number;
  readonly round: number;
  readonly on: RequestId | null;
  readonly splices: readonly Splice[];
  readonly attempts: AttemptState[];
  /** The list after the splices, kept where it was last asked for (see `requestItems`). */
  items?: readonly Item[];
}

export type CallStatus = 'waiting' | 'running' | 'finished';

/** A call of the current reply. `key` is its identity; `position` counts from 1. */
export interface CallState {
  readonly key: CallKey;
  readonly position: number;
  readonly wireId: string;
  readonly name: string;
  /** Argument text as it would be executed now. */
  readonly arguments: string;
  status: CallStatus;
  effects?: Effects;
  /** What the user decided instead of running it; takes effect on resume. */
  verdict?: { readonly op: 'mock' | 'skip' | 'reject'; readonly observation: PartId };
  outcome?: CallOutcome;
  message?: MessageId;
  part?: PartId;
  observation?: PartId;
  ms?: number;
  source?: Source;
  startedAt?: number;
}

/** The reply that has arrived and has not entered the history. */
export interface ReplyState {
  readonly seq: number;
  readonly request: RequestId;
  readonly message: MessageId;
  part: PartId;
  readonly event: ModelReplied;
}

/** Changes that die with the request they were made for. */
export interface RequestEdits {
  /** Another text for a message, by id. */
  readonly texts: Map<MessageId, PartId>;
  /** Request parameters by name, as JSON text. */
  readonly parameters: Map<string, PartId>;
  /** The user's word on a message of this request. */
  readonly fates: Map<MessageId, 'drop' | 'restore'>;
}

export interface RoundState {
  readonly run: number;
  readonly round: number;
  readonly seq: number;
  readonly at: number;
  /** Index of the last packing of this round in `packings`. */
  packing?: number;
  readonly requests: RequestId[];
  readonly replies: ReplyState[];
  calls: CallState[];
  readonly edits: (Edited & { readonly seq: number })[];
  requestEdits: RequestEdits;
  readonly checkpoints: { readonly seq: number; readonly at: number; readonly kind: CheckpointKind; readonly key?: CallKey }[];
  readonly anomalies: number[];
  /** The messages this round added. */
  readonly appended: MessageId[];
  ended?: { readonly seq: number; readonly at: number; readonly next: string };
}

export interface RunState {
  readonly run: number;
  readonly seq: number;
  readonly at: number;
  readonly goal: MessageId;
  readonly config: PartId;
  readonly rounds: RoundState[];
  ended?: {
    readonly seq: number;
    readonly at: number;
    readonly outcome: Outcome;
    readonly limit?: string;
    readonly answer?: MessageId;
  };
}

export interface AnomalyState {
  readonly seq: number;
  readonly run: number;
  readonly round: number;
  readonly code: string;
  readonly detail: string;
}

export interface JournalState {
  /** Events folded so far: the seq of the next one. */
  seq: number;
  opened?: SessionOpened;
  readonly parts: Map<PartId, string>;
  readonly messages: Map<MessageId, MessageState>;
  readonly history: MessageId[];
  readonly runs: RunState[];
  readonly requests: Map<RequestId, RequestState>;
  readonly packings: PackingState[];
  /** Tokens by message, and fates that are not `kept`, after the last packing. */
  readonly tokens: Map<MessageId, number>;
  readonly fates: Map<MessageId, FateChange>;
  /** To-dos and variables: JSON text by key. */
  readonly working: Map<string, PartId>;
  /** Messages the user pinned. */
  readonly pins: Set<MessageId>;
  readonly anomalies: AnomalyState[];
  /** The checkpoint the run is at; gone when the loop moved on past `end`. */
  checkpoint?: { readonly seq: number; readonly kind: CheckpointKind; readonly key?: CallKey };
  paused?: { readonly seq: number; readonly reason: PauseReason; readonly hits: readonly string[] };
  resumed?: Verb;
  lastRequest?: RequestId;
  /** Highest numbers given out: messages (reserved ones too), parts, requests. */
  readonly highest: { message: number; part: number; request: number };
  /** Event types this version does not know, with how often they came. */
  readonly unknown: Map<string, number>;
}

export function emptyState(): JournalState {
  return {
    seq: 0,
    parts: new Map(),
    messages: new Map(),
    history: [],
    runs: [],
    requests: new Map(),
    packings: [],
    tokens: new Map(),
    fates: new Map(),
    working: new Map(),
    pins: new Set(),
    anomalies: [],
    highest: { message: 0, part: 0, request: 0 },
    unknown: new Map(),
  };
}

/** Folds a whole journal, or its first events up to (not including) seq `before`. */
export function foldAll(events: Iterable<JournalEvent>, before = Infinity): JournalState {
  const state = emptyState();
  for (const event of events) {
    if (event.seq >= before) break;
    fold(state, event);
  }
  return state;
}

/** Applies one event. Never throws: what does not fit (a hand-edited file) changes nothing; `check` reports it. */
export function fold(state: JournalState, event: JournalEvent): void {
  state.seq = event.seq + 1;
  switch (event.type) {
    case 'session.opened':
      state.opened = event;
      return;
    case 'part':
      state.parts.set(event.id, event.text);
      state.highest.part = Math.max(state.highest.part, numberOf(event.id));
      return;
    case 'run.started':
      state.runs.push({
        run: event.run,
        seq: event.seq,
        at: event.at,
        goal: event.goal,
        config: event.config,
        rounds: [],
      });
      reserve(state, event.goal);
      delete state.checkpoint;
      return;
    case 'run.ended': {
      const run = currentRun(state);
      if (run) run.ended = event;
      return;
    }
    case 'round.started':
      currentRun(state)?.rounds.push(newRound(event.round, event.seq, event.at, currentRun(state)?.run ?? 0));
      return;
    case 'round.ended': {
      const round = currentRound(state);
      if (round) round.ended = event;
      return;
    }
    case 'history.appended':
      for (const message of event.messages) append(state, message, event.seq);
      return;
    case 'edited':
      edit(state, event);
      return;
    case 'state.changed':
      state.working.set(event.key, event.after);
      return;
    case 'context.packed':
      pack(state, event, event.seq);
      return;
    case 'checkpoint':
      state.checkpoint = event;
      currentRound(state)?.checkpoints.push(event);
      return;
    case 'paused':
      state.paused = event;
      return;
    case 'resumed':
      delete state.paused;
      state.resumed = event.verb;
      return;
    case 'model.requested':
      requested(state, event, event.seq, event.at);
      return;
    case 'model.replied':
      replied(state, event, event.seq);
      return;
    case 'model.failed': {
      const attempt = attemptOf(state, event.request, event.attempt);
      if (attempt) attempt.failed = event;
      return;
    }
    case 'call.started': {
      const call = callAt(state, event.key);
      if (call) Object.assign(call, { status: 'running', effects: event.effects, startedAt: event.at });
      return;
    }
    case 'call.finished': {
      reserve(state, event.message);
      const call = callAt(state, event.key);
      if (call) finishCall(call, event);
      return;
    }
    case 'anomaly': {
      const round = currentRound(state);
      state.anomalies.push({
        seq: event.seq,
        run: round?.run ?? 0,
        round: round?.round ?? 0,
        code: event.code,
        detail: event.detail,
      });
      round?.anomalies.push(event.seq);
      return;
    }
    case 'forked':
    case 'file.changed':
    case 'logged':
      return;
    default: {
      // Written by a later version: kept in the file, counted, shown as unknown.
      const type = String((event as { type: unknown }).type);
      state.unknown.set(type, (state.unknown.get(type) ?? 0) + 1);
    }
  }
}

export function currentRun(state: JournalState): RunState | undefined {
  return state.runs.at(-1);
}

export function currentRound(state: JournalState): RoundState | undefined {
  return state.runs.at(-1)?.rounds.at(-1);
}

export function roundAt(state: JournalState, run: number, round: number): RoundState | undefined {
  return state.runs.find((one) => one.run === run)?.rounds.find((one) => one.round === round);
}

/** A call of the current round. */
export function callAt(state: JournalState, key: CallKey): CallState | undefined {
  return currentRound(state)?.calls.find((call) => call.key === key);
}

/** The part a message had before event `seq` (its part now, when not given); undefined before it existed. */
export function partAt(message: MessageState, seq = Infinity): PartId | undefined {
  return message.versions.findLast((version) => version.seq < seq)?.part;
}

/** The wire text of a message now, or before event `seq`. */
export function textOf(state: JournalState, id: MessageId, seq = Infinity): string | undefined {
  const message = state.messages.get(id);
  const part = message && partAt(message, seq);
  return part === undefined ? undefined : state.parts.get(part);
}

/** What each message's fate was after packing number `index`; a message that is not listed was kept. */
export function fatesAt(state: JournalState, index: number): Map<MessageId, FateChange> {
  const fates = new Map<MessageId, FateChange>();
  for (const packing of state.packings.slice(0, index + 1)) applyFates(fates, packing.event);
  return fates;
}

/** Tokens of each counted message after packing number `index`. */
export function tokensAt(state: JournalState, index: number): Map<MessageId, number> {
  return new Map(state.packings.slice(0, index + 1).flatMap((packing) => packing.event.counted));
}

function applyFates(fates: Map<MessageId, FateChange>, event: ContextPacked): void {
  for (const change of event.changed) {
    if (change.fate === ('kept' satisfies Fate)) fates.delete(change.id);
    else fates.set(change.id, change);
  }
}

function newRound(round: number, seq: number, at: number, run: number): RoundState {
  return {
    run,
    round,
    seq,
    at,
    requests: [],
    replies: [],
    calls: [],
    edits: [],
    requestEdits: noRequestEdits(),
    checkpoints: [],
    anomalies: [],
    appended: [],
  };
}

function noRequestEdits(): RequestEdits {
  return { texts: new Map(), parameters: new Map(), fates: new Map() };
}

function append(state: JournalState, message: AppendedMessage, seq: number): void {
  const round = currentRound(state);
  reserve(state, message.id);
  state.messages.set(message.id, {
    id: message.id,
    role: message.role,
    origin: message.origin,
    versions: [{ seq, part: message.part }],
    run: currentRun(state)?.run ?? 0,
    round: round?.round ?? 0,
  });
  state.history.push(message.id);
  if (!round?.ended) round?.appended.push(message.id);
}

function pack(state: JournalState, event: ContextPacked, seq: number): void {
  const round = currentRound(state);
  for (const [id, tokens] of event.counted) state.tokens.set(id, tokens);
  applyFates(state.fates, event);
  state.packings.push({ seq, run: round?.run ?? 0, round: round?.round ?? 0, event });
  if (round) round.packing = state.packings.length - 1;
}

function requested(state: JournalState, event: ModelRequested, seq: number, at: number): void {
  const attempt: AttemptState = { seq, at, sent: event };
  const known = state.requests.get(event.request);
  if (known) {
    known.attempts.push(attempt);
    return;
  }
  const round = currentRound(state);
  state.highest.request = Math.max(state.highest.request, numberOf(event.request));
  state.requests.set(event.request, {
    id: event.request,
    run: round?.run ?? 0,
    round: round?.round ?? 0,
    on: event.on,
    splices: event.splices,
    attempts: [attempt],
  });
  if (event.purpose !== 'round') return;
  state.lastRequest = event.request;
  round?.requests.push(event.request);
}

function replied(state: JournalState, event: ModelReplied, seq: number): void {
  reserve(state, event.message);
  const attempt = attemptOf(state, event.request, event.attempt);
  if (attempt) attempt.replied = event;
  const round = currentRound(state);
  if (!round || attempt?.sent.purpose !== 'round') return;
  round.replies.push({ seq, request: event.request, message: event.message, part: event.reply, event });
  round.calls = listCalls(round, state.parts.get(event.reply) ?? '');
}

function edit(state: JournalState, event: Edited & { readonly seq: number }): void {
  const round = currentRound(state);
  round?.edits.push(event);
  const [root = '', path] = splitTarget(event.target);
  switch (event.op) {
    case 'pin':
      state.pins.add(root);
      return;
    case 'unpin':
      state.pins.delete(root);
      return;
    case 'drop':
    case 'restore':
      round?.requestEdits.fates.set(root, event.op);
      return;
    case 'mock':
    case 'skip':
    case 'reject': {
      const call = callAt(state, event.target);
      if (call && event.after !== undefined) call.verdict = { op: event.op, observation: event.after };
      return;
    }
    case 'set':
      if (event.after !== undefined) set(state, event, root, path, event.after);
      return;
    case 'insert':
    case 'remove':
      return;
  }
}

function set(state: JournalState, event: Edited & { readonly seq: number }, root: string, path: string, after: PartId): void {
  const round = currentRound(state);
  switch (event.scope) {
    case 'history':
      state.messages.get(root)?.versions.push({ seq: event.seq, part: after });
      return;
    case 'state':
      state.working.set(path, after);
      return;
    case 'request':
      if (root === 'request') round?.requestEdits.parameters.set(path, after);
      else round?.requestEdits.texts.set(root, after);
      return;
    case 'pending':
      if (round) setPending(state, round, root, after);
  }
}

function setPending(state: JournalState, round: RoundState, root: MessageId, after: PartId): void {
  const reply = round.replies.at(-1);
  if (reply?.message === root) {
    reply.part = after;
    round.calls = listCalls(round, state.parts.get(after) ?? '');
    return;
  }
  const call = round.calls.find((one) => one.message === root);
  if (call) call.part = after;
}

/** `m3/tool_calls/0` → `['m3', 'tool_calls/0']`. */
export function splitTarget(target: string): [root: string, path: string] {
  const slash = target.indexOf('/');
  return slash < 0 ? [target, ''] : [target.slice(0, slash), target.slice(slash + 1)];
}

function attemptOf(state: JournalState, request: RequestId, attempt: number): AttemptState | undefined {
  return state.requests.get(request)?.attempts.find((one) => one.sent.attempt === attempt);
}

function reserve(state: JournalState, id: MessageId): void {
  state.highest.message = Math.max(state.highest.message, numberOf(id));
}

function numberOf(id: string): number {
  const number = Number(id.slice(1));
  return Number.isInteger(number) ? number : 0;
}
