import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Refusal } from '../core/refusal.ts';
import type { StopRule } from '../core/stopRules.ts';
import type { Launched } from './debuggee.ts';

export interface LaunchArguments extends DebugProtocol.LaunchRequestArguments {
  readonly stopOnEntry?: boolean;
  readonly session?: string;
}

/** What the debug adapter needs from whoever runs it. */
export interface AdapterPorts {
  /** Makes an agent and a session of launch arguments, or says what is wrong with them, for the user. */
  launch(args: LaunchArguments): Promise<Launched | { readonly problem: string }>;
  /** The loop's source: the text, and where a client finds it. */
  readonly loop: { readonly text: string; readonly source: DebugProtocol.Source };
  /**
   * Where a client finds a round's document, when it has its own way; otherwise it asks for it by reference. `before`:
   * the document as it was when the journal had so many events; without it, as it is now.
   */
  readonly roundSource?: (
    session: string,
    run: number,
    round: number,
    before?: number,
  ) => DebugProtocol.Source;
  /** Stop rules that hold from the beginning; the client may set others (`loopscope/setStopRules`). */
  readonly stopRules?: () => readonly StopRule[];
  /** An edit of a session was refused, and another one would be taken: offers it. Without it the answer says so. */
  readonly onOffer?: (session: string, refusal: Refusal) => void;
  /** The client took its leave and has its answer; everything is released. */
  readonly onDisconnected?: () => void;
  /** A fault of ours; the request was answered all the same. */
  readonly onFault: (error: unknown) => void;
}
