/** What a journal folds to: the session, its runs and rounds, its messages and requests, as plain data. */
import type {
  CallOutcome,
  CheckpointKind,
  ContextPacked,
  Edited,
  FateChange,
  Item,
  ModelFailed,
  ModelReplied,
  ModelRequested,
  Outcome,
  OverflowTokens,
  PauseReason,
  SessionOpened,
  Source,
  Splice,
  Verb,
} from './events.ts';
import type { CallKey, Effects, MessageId, Origin, PartId, RequestId, Role } from './messages.ts';

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

/** A packing in effect: the event, and where it stands. What held after one: see `packingHistory.ts`. */
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
  /** The tool's own name, where `name` is another one for the wire. */
  tool?: string;
  /** Argument text as it would be executed now. */
  readonly arguments: string;
  status: CallStatus;
  effects?: Effects;
  /** What the user decided instead of running it; takes effect on resume. */
  verdict?: { readonly op: 'mock' | 'skip' | 'reject'; readonly observation: PartId };
  /** Of its `call.finished`. */
  finished?: number;
  outcome?: CallOutcome;
  message?: MessageId;
  part?: PartId;
  observation?: PartId;
  /** The user changed the result before it entered the history: `observation` is no longer what is behind it. */
  edited?: true;
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
  /** Messages that only this request has, and what they stand behind; without it, first. */
  inserted: readonly { readonly ids: readonly MessageId[]; readonly behind: MessageId | undefined }[];
  /** Results that left this request with the call that they answer. */
  readonly removed: Set<MessageId>;
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
  /** Replies that the user did not take, oldest first: nothing acted on them, and another one was asked for. */
  readonly setAside: ReplyState[];
  calls: CallState[];
  readonly edits: (Edited & { readonly seq: number })[];
  requestEdits: RequestEdits;
  readonly checkpoints: {
    readonly seq: number;
    readonly at: number;
    readonly kind: CheckpointKind;
    readonly key?: CallKey;
  }[];
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
  config: PartId;
  /** The last round it may take, where it went on after a limit; its configuration says it otherwise. */
  lastRound?: number;
  readonly rounds: RoundState[];
  ended?: {
    readonly seq: number;
    readonly at: number;
    readonly outcome: Outcome;
    readonly limit?: string;
    readonly answer?: MessageId;
  };
}

/** A rewrite that a server's refusal led to: what this end point does not take from us for this model. */
export interface RepairState {
  readonly run: number;
  readonly round: number;
  readonly url: string;
  readonly model: string;
  readonly edit: Edited;
}

/** A request that was too large, by our count and by the server's. */
export interface OverflowState {
  readonly url: string;
  readonly model: string;
  /** Tokens of the packed request as we counted them. */
  readonly packed: number;
  readonly reserve: number;
  readonly tokens: OverflowTokens;
}

/** Prompt tokens that a provider reported, and the packing (index in `packings`) that they are of. */
export interface ReportState {
  readonly request: RequestId;
  readonly prompt: number;
  readonly packing: number;
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
  /**
   * Seq behind the last event that changed what was there: an edit, the end of one that was for one request only, a
   * message put in between or folded. While it stays, the history has only grown.
   */
  rewritten: number;
  opened?: SessionOpened;
  readonly parts: Map<PartId, string>;
  readonly messages: Map<MessageId, MessageState>;
  readonly history: MessageId[];
  /** Each time that a message got another text for good, in order. */
  readonly reworded: { readonly seq: number; readonly id: MessageId }[];
  readonly runs: RunState[];
  readonly requests: Map<RequestId, RequestState>;
  readonly packings: PackingState[];
  /** The summary that stands for a message, by message. */
  readonly folded: Map<MessageId, MessageId>;
  /** Tokens by message, and fates that are not `kept`, after the last packing. */
  readonly tokens: Map<MessageId, number>;
  readonly fates: Map<MessageId, FateChange>;
  /** To-dos and variables: JSON text by key. */
  readonly working: Map<string, PartId>;
  /** Files by URI, as the model last saw them or left them. */
  readonly files: Map<string, FileState>;
  /** Messages the user pinned. */
  readonly pins: Set<MessageId>;
  readonly anomalies: AnomalyState[];
  readonly repairs: RepairState[];
  readonly overflows: OverflowState[];
  /** The checkpoint the run is at; gone when the loop moved on past `end`. */
  checkpoint?: { readonly seq: number; readonly kind: CheckpointKind; readonly key?: CallKey };
  paused?: { readonly seq: number; readonly reason: PauseReason; readonly hits: readonly string[] };
  resumed?: Verb;
  lastRequest?: RequestId;
  /** The newest request that left, also one beside the conversation: a refusal and its repair are of this one. */
  lastSent?: ModelRequested;
  /** What was reported of the rounds' requests, oldest first. */
  readonly reports: ReportState[];
  /** Highest numbers given out: messages (reserved ones too), parts, requests. */
  readonly highest: { message: number; part: number; request: number };
  /** Event types this version does not know, with how often they came. */
  readonly unknown: Map<string, number>;
  /** Whether a call has a result of which the model got less than the whole. */
  hasCutResults: boolean;
}

export interface FileState {
  readonly hash: string;
  /** The lines 1 to this were seen in this state of the file. */
  readonly seenTo: number;
  readonly whole: boolean;
}

export function emptyState(): JournalState {
  return {
    seq: 0,
    rewritten: 0,
    parts: new Map(),
    messages: new Map(),
    history: [],
    reworded: [],
    runs: [],
    requests: new Map(),
    packings: [],
    folded: new Map(),
    tokens: new Map(),
    fates: new Map(),
    working: new Map(),
    files: new Map(),
    pins: new Set(),
    anomalies: [],
    repairs: [],
    overflows: [],
    reports: [],
    highest: { message: 0, part: 0, request: 0 },
    unknown: new Map(),
    hasCutResults: false,
  };
}

export function currentRun(state: JournalState): RunState | undefined {
  return state.runs.at(-1);
}

export function currentRound(state: JournalState): RoundState | undefined {
  return state.runs.at(-1)?.rounds.at(-1);
}

/** Whether the last run ended at a limit: it can go on from there with more rounds, without a new goal. */
export function stoppedAtLimit(state: JournalState): boolean {
  return currentRun(state)?.ended?.outcome === 'limit';
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
  // The usual question, asked of every message in every round.
  if (seq === Infinity) return message.versions.at(-1)?.part;
  let at = message.versions.length - 1;
  while (at >= 0 && message.versions[at]!.seq >= seq) at--;
  return message.versions[at]?.part;
}

/** The wire text of a message now, or before event `seq`. */
export function textOf(state: JournalState, id: MessageId, seq = Infinity): string | undefined {
  const message = state.messages.get(id);
  const part = message && partAt(message, seq);
  return part === undefined ? undefined : state.parts.get(part);
}
