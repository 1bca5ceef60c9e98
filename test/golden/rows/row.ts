/**
 * The table of debugging in DAP words, row by row: what is asked, and what is answered. Each row is told in requests,
 * without saying who sends them: a client on stdio and VS Code are driven through the same rows, and both have to give
 * the same transcript.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { CheckpointLines } from '../../../src/debug/loopSource.ts';
import type { ScriptedAnswer } from '../../doubles/scriptedServer.ts';

export interface Row {
  /** Its golden file, without `.txt`. */
  readonly name: string;
  steps(dap: Dap): Promise<void>;
}

/** One debug session: what the model answers, the agent, the launch. */
export interface Begin {
  readonly replies: readonly ScriptedAnswer[];
  readonly agent?: Readonly<Record<string, unknown>>;
  readonly goal?: string;
  /** Phases and faults that stop it; none where nothing is named. */
  readonly filters?: readonly string[];
  readonly filterOptions?: readonly DebugProtocol.ExceptionFilterOptions[];
  readonly noDebug?: boolean;
}

/** The body of an answer or event, as far as a row looks into it. */
export type Body = Readonly<Record<string, unknown>>;

export interface Dap {
  readonly lines: CheckpointLines;
  /** Starts a session and, unless it is not debugged, holds it at its first plan. Ends the one before. */
  begin(begin: Begin): Promise<void>;
  /** Writes a request and its answer; a refusal is an answer too. */
  ask(command: string, args?: object): Promise<Body>;
  /** Writes the events up to the next one of that name. */
  until(event: string): Promise<Body>;
  /** A verb, the stop it leads to, and the frame on top. Resolves with the reason of the stop. */
  go(verb: string, args?: object): Promise<string>;
  /** Waits until the session has ended and is let go. */
  over(): Promise<void>;
  /** The reference of a scope or of a row in it, found without a word. */
  container(...path: readonly string[]): Promise<number>;
  /** Writes the rows of a scope, or of a row in it. */
  rows(...path: readonly string[]): Promise<void>;
  /** Writes the source of a frame, the way the client gets it. */
  read(frame: number): Promise<void>;
  /** A line between the others. */
  note(text: string): void;
}

/** What the loop's source is called in a row's requests. */
export const loopPath = 'LOOP';

/** How a row's requests reach a debug adapter. */
export interface Link {
  readonly lines: CheckpointLines;
  /** Starts a session and resolves when it is configured; events before the first stop may have arrived by then. */
  begin(begin: Begin, apiBase: string, goal: string): Promise<void>;
  /** Resolves with the answer, whatever it is. `seq`: its place among all messages; a refusal has none. */
  send(command: string, args: object): Promise<Answer>;
  /** Events in the order of their `seq`. */
  onEvent(listen: (event: DebugProtocol.Event) => void): void;
  read(frame: DebugProtocol.StackFrame): Promise<string>;
  /** Ends the session, if it has not ended. */
  end(): Promise<void>;
}

export type Answer =
  | { readonly ok: true; readonly seq: number; readonly body: Body }
  | { readonly ok: false; readonly message: string };
