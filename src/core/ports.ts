/**
 * Where the layers meet. Planner, toolbox and session never import one another; the runner hands each of
 * them the ports of the others. No port throws or rejects: what can go wrong is part of the answer.
 */
import type { RequestBody } from './body.ts';
import type { CallOutcome, EventBody, FailureClass, JournalEvent, OverflowTokens, Usage } from './events.ts';
import type { CallKey, Effects, Observation, PartId, WireMessage } from './messages.ts';
import type { CodeServices, GitServices, TaskServices } from './services.ts';

/** Time as a port, so that tests own it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignalLike): Promise<void>;
}

/** The part of AbortSignal that core names (core has neither DOM nor Node types). */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Writes the journal. An event is on disk when `append` returns, unless the journal is in trouble. */
export interface Recorder {
  append(event: EventBody & { readonly inferred?: true }): JournalEvent;
  /** The id of a text; the same text gets the same id and is written once, before its first use. */
  part(text: string): PartId;
}

/** Where journal lines go. The one port that throws: disks do, and the journal catches all of it. */
export interface JournalSink {
  /** Complete lines, each ending in a newline: all of them or, when it throws, none. */
  write(lines: string): void;
  /** Durable on the medium; at the end of a run. */
  sync(): void;
  close(): void;
}

// ——— the model ———

/** A chat-completions end point. Stateless; one object may serve several sessions. */
export interface ModelClient {
  /** As journaled: `https://…/chat/completions`, or `demo:`. */
  readonly url: string;
  /** What it is called in the UI, e.g. `demo model (offline)`. */
  readonly label: string;
  /**
   * Sends this body word for word, once (retries belong to the caller). Never throws or rejects.
   * `onText` gets the streamed text as it arrives.
   */
  send(body: RequestBody, options: SendOptions): Promise<ModelOutcome>;
}

export interface SendOptions {
  readonly signal: AbortSignalLike;
  readonly onText: (delta: string) => void;
  /** Milliseconds to the first byte, and between bytes after it. */
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** A normalisation that the reader made, or an oddity that it saw: becomes one anomaly each. */
export interface ReadNote {
  readonly code: string;
  readonly detail: string;
}

export type ModelOutcome = ModelReply | ModelFailure;

export interface ModelReply {
  readonly ok: true;
  /** Normalised; role `assistant`; arguments are text as received (`{}` for empty). */
  readonly message: WireMessage;
  readonly finish: string | null;
  readonly usage: Usage | null;
  /** Milliseconds in all, and to the first text or call. */
  readonly ms: number;
  readonly ttft?: number;
  readonly notes: readonly ReadNote[];
  /** The raw text as received, when a note needs it as evidence. */
  readonly wire?: string;
}

export interface ModelFailure {
  readonly ok: false;
  readonly class: FailureClass;
  readonly status?: number;
  /** What the provider said, or what happened, for people. */
  readonly message: string;
  /** Milliseconds that the provider asked us to wait. */
  readonly retryAfter?: number;
  /** May another attempt succeed? */
  readonly retryable: boolean;
  /** Of an overflow: the numbers that the server told. */
  readonly tokens?: OverflowTokens;
  /** Fields of the request that the server does not take: `temperature`, `messages/role`, `messages/call_id`, `tools/strict`. */
  readonly refused?: readonly string[];
  /** Nothing but the status says what it is. */
  readonly unexplained?: true;
  /** The text that had arrived. */
  readonly partial?: string;
  readonly notes: readonly ReadNote[];
  readonly wire?: string;
  readonly ms: number;
}

/** Tokens of a text. Never throws; the same text always gives the same number. */
export type CountTokens = (text: string) => number;

/** Counts at once, and never the same text twice (within its memory). */
export interface TokenCounter extends CountTokens {
  /**
   * Counts texts on another thread, so that the call finds them counted and nobody waits for a long text.
   * Undefined where there is nothing to wait for: all are counted already, or quickly counted. Never rejects.
   */
  ahead(texts: readonly string[]): Promise<void> | undefined;
}

// ——— tools ———

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as the model is told of it. */
export interface ToolSpec {
  readonly name: string;
  /** What its author calls it, where the API takes only another name. */
  readonly ownName?: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly effects: Effects;
  /** It runs a program, whatever that changes. */
  readonly command?: true;
  /** Arguments that make no difference to what it does (a label, a reason); see the repetition detector. */
  readonly cosmetic?: readonly string[];
  /** Sent as `strict`: the schema qualifies, and its author asks for it. */
  readonly strict?: true;
}

export interface Toolbox {
  /** The agent's own tools. */
  readonly tools: readonly ToolSpec[];
  /** Pages through results that were cut; a model is told of it from the first such result on. */
  readonly pager: ToolSpec;
  /**
   * Runs one call to its end; exactly one answer, whatever the tool does. Never throws or rejects. `onLate`
   * hears of a tool that was given up (time limit, cancel) and returns after all; its result is not used.
   */
  perform(call: ToolCallRequest, context: ToolContext, onLate?: () => void): Promise<Performed>;
  /** What would run, for `call.started`; undefined for a tool that is not there. */
  find(name: string): ToolSpec | undefined;
  /** Why these arguments would not be executed, in words for the model; undefined when they are fine. */
  problem(call: ToolCallRequest): Performed | undefined;
}

export interface ToolCallRequest {
  readonly name: string;
  /** JSON text as the model wrote it (or a user edited it). */
  readonly arguments: string;
}

/** What the session knows of the files that its tools read and changed. */
export interface FileLog {
  /** As the model last saw it, or as it left it; undefined when it never did. */
  seen(uri: string): SeenFile | undefined;
  /** Lines that the model gets to see, from 1, of `total`. */
  read(uri: string, text: string, lines: readonly [start: number, end: number], total: number): void;
  /** Before anything is written: what is there is on record then, whatever comes. */
  changing(before: string): void;
  changed(change: FileChange): void;
}

export interface SeenFile {
  /** SHA-256 of its text. */
  readonly hash: string;
  /** All of its lines were seen, or written by the model itself. */
  readonly whole: boolean;
}

/** The results of the session's calls, whole. */
export interface CallResults {
  /** Of every call that has one, oldest first. */
  readonly keys: readonly CallKey[];
  /** Those of which the model got only a part. */
  readonly cut: readonly CallKey[];
  get(key: CallKey): Observation | undefined;
}

export interface ToolContext {
  readonly signal: AbortSignalLike;
  readonly workspace: Workspace;
  readonly state: WorkingState;
  readonly results: CallResults;
  readonly files: FileLog;
  /** Milliseconds a tool may take, unless it names its own limit. */
  readonly timeoutMs: number;
}

export interface Performed {
  readonly outcome: CallOutcome;
  readonly observation: Observation;
  readonly ms: number;
}

/** To-dos and variables of a session; every `set` is journaled. Values are JSON values. */
export interface WorkingState {
  get(key: string): unknown;
  set(key: string, value: unknown): void;
}

/** `by`: who or what said yes, for the journal. `reason`: why not, in words for the model. */
export type Approval =
  { readonly ok: true; readonly by: string } | { readonly ok: false; readonly reason: string };

/** What the rules say of a call, before it runs and before anybody is asked. */
export type Permission =
  /** `by`: the rule that says so, for the journal. */
  | { readonly verdict: 'allow'; readonly by?: string }
  | { readonly verdict: 'ask' }
  /** `reason`: in words for the model. */
  | { readonly verdict: 'deny'; readonly reason: string };

/** Never throws. Arguments that could not be run are never asked about. */
export type Permit = (call: ToolCallRequest, spec: ToolSpec) => Permission;

/**
 * Asks whether a call may run. Given up when the signal aborts; what it throws is a no.
 *
 * @param files what the session saw of the files that the call is about
 */
export type Approve = (
  call: ToolCallRequest,
  signal: AbortSignalLike,
  files: Pick<FileLog, 'seen'>,
) => Promise<Approval>;

// ——— the workspace ———

/** The user's files as tools see them. Paths use `/` and are relative to the workspace. */
export interface Workspace {
  /** For people: the folder's path or name; undefined when no folder is open. */
  readonly root: string | undefined;
  /** Where commands run: a folder on a disk of this machine; where there is none, why, in words for the model. */
  folder(): WorkspaceResult<{ path: string }>;
  /** The same for a folder of the workspace: its real path. */
  folderAt(path: string): Promise<WorkspaceResult<{ path: string }>>;
  /**
   * Where a path really leads, as tools would write it: with its links followed, also for what is not there yet.
   * `uri`: what the journal calls it then.
   */
  realPath(path: string): Promise<WorkspaceResult<RealPath>>;
  /** Files and folders (folders end with `/`), sorted; ignored ones are left out. */
  list(path: string, options: ListOptions): Promise<WorkspaceResult<{ entries: string[]; more: boolean }>>;
  /** `note`: what to know about the text, such as that it is not saved. */
  read(path: string): Promise<WorkspaceResult<FileText>>;
  /**
   * Changes a text file in one step: `change` gets it as it is at that moment, and gives its new text, or why not. Line
   * ends, encoding and byte order mark stay as they are.
   */
  edit(path: string, change: EditText): Promise<WorkspaceResult<FileChange>>;
  /** Makes a text file with the folders that it needs; never over one that is there. */
  create(path: string, text: string): Promise<WorkspaceResult<FileChange>>;
  search(options: SearchOptions): Promise<WorkspaceResult<{ matches: SearchMatch[]; more: boolean }>>;
  /** Language services: those of the editor, or of the folder itself. */
  readonly code?: CodeServices;
  /** What an editor knows beside the files; a plain folder has none. */
  readonly editor?: EditorServices;
  /** Version control. */
  readonly git?: GitServices;
  /** An editor's tasks; those of a plain folder are read from its files. */
  readonly tasks?: TaskServices;
}

export interface EditorServices {
  openEditors(): WorkspaceResult<{ readonly editors: readonly OpenEditor[] }>;
}

export interface FileDiagnostic {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** Who says so: a linter, a compiler. */
  readonly source?: string;
}

export interface OpenEditor {
  /** In the workspace, else the URI. */
  readonly path: string;
  readonly active?: true;
  readonly unsaved?: true;
  /** Lines from 1, of the editor that the user works in. */
  readonly selection?: { readonly start: number; readonly end: number; readonly text: string };
}

export type WorkspaceResult<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly error: string };

export interface RealPath {
  readonly path: string;
  readonly uri: string;
}

export interface FileText {
  /** In normal form. */
  readonly path: string;
  /** What the journal calls it by, whatever path led to it. */
  readonly uri: string;
  readonly text: string;
  readonly note?: string;
}

export type EditText = (file: FileText) => WorkspaceResult<{ readonly text: string }>;

export interface FileChange {
  readonly path: string;
  readonly uri: string;
  /** Undefined for a file that is new. */
  readonly before: string | undefined;
  readonly after: string;
  readonly note?: string;
}

export interface ListOptions {
  readonly glob?: string;
  readonly limit: number;
  readonly signal: AbortSignalLike;
}

export interface SearchOptions {
  readonly query: string;
  readonly glob?: string;
  readonly regex: boolean;
  readonly limit: number;
  readonly signal: AbortSignalLike;
}

export interface SearchMatch {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}
