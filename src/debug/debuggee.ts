/** What is being debugged: an agent on a session, one run after the other, until it is released. */
import type { Outcome, Verb } from '../core/events.ts';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Stop, StopRules, Until } from '../runner/gate.ts';
import { type Agent, type Run, type RunStart, startRun } from '../runner/run.ts';
import type { Session } from '../session/session.ts';

/** What the entry makes of launch arguments. */
export interface Launched {
  readonly agent: Agent;
  readonly session: Session;
  /** What the first run is to do; empty only where `more` stands instead. */
  readonly goal: string;
  /** Instead of a goal: rounds for the session's last run, which a limit stopped. */
  readonly more?: number;
  readonly agentSource: DebugProtocol.Source;
  /** Said once at the start: warnings about the agent file, a repaired journal. */
  readonly notices: readonly string[];
  /** Told of each run as it starts (for views that act on it) and of streamed text. */
  readonly onRun?: (run: Run) => void;
  readonly onText?: (delta: string) => void;
  /** Told when the debugger looks back at the first `before` events of the journal, and (undefined) no longer. */
  readonly onLookBack?: (before: number | undefined) => void;
  /** Releases the session: closes its journal, when it has been remembered. Never throws or rejects. */
  readonly close: () => void | Promise<void>;
}

export interface DebuggeeEvents {
  readonly rules: StopRules | undefined;
  readonly stopOnEntry: boolean;
  readonly onStopped: (stop: Stop) => void;
  readonly onText: (delta: string) => void;
  /** The last run is over and nothing follows it. */
  readonly onFinished: (outcome: Outcome) => void;
}

export interface Debuggee {
  readonly launched: Launched;
  readonly run: Run | undefined;
  /** The last run is over and nothing follows it. */
  readonly isOver: boolean;
  /** Begins the first run, unless it is being closed; once. */
  start(): void;
  resume(verb: Verb, until?: Until): boolean;
  /** It is being closed, or is closed: nothing is to be said of it any more. */
  readonly isClosing: boolean;
  /** Holds at the next checkpoint. False without debugging: nothing will ever hold it. */
  pause(): boolean;
  /** A further goal for the same session; taken only at `end`. False when it is not there. */
  chat(goal: string): boolean;
  /** More rounds for a run that a limit stopped; taken only at `end`. False when it is not there. */
  goOn(more: number): boolean;
  /** Ends the run with a legal history and releases the session. Called again, it is the same end. */
  close(): Promise<void>;
}

export function createDebuggee(launched: Launched, events: DebuggeeEvents): Debuggee {
  let run: Run | undefined;
  let next: RunStart | undefined;
  let closing: Promise<void> | undefined;
  let isOver = false;
  let pauseFirst = false;

  const begin = (start: RunStart, stopOnEntry: boolean) => {
    run = startRun(launched.agent, launched.session, {
      ...start,
      ...(events.rules ? { rules: events.rules } : {}),
      stopOnEntry,
      onStopped: events.onStopped,
      onText(delta) {
        launched.onText?.(delta);
        events.onText(delta);
      },
    });
    if (pauseFirst) run.gate.pause();
    pauseFirst = false;
    launched.onRun?.(run);
    // `done` never rejects; what follows it is the run's end or the next run.
    void run.done.then(after);
  };

  const after = (outcome: Outcome) => {
    const start = next;
    next = undefined;
    if (closing) return;
    if (start !== undefined) return begin(start, false);
    isOver = true;
    events.onFinished(outcome);
  };

  const atEnd = (start: RunStart): boolean => {
    if (run?.gate.stopped?.kind !== 'end') return false;
    next = start;
    return run.gate.resume('continue');
  };

  const end = async () => {
    run?.cancel();
    await run?.done;
    await launched.close();
  };

  return {
    launched,
    get run() {
      return run;
    },
    get isOver() {
      return isOver;
    },
    start() {
      const { goal, more } = launched;
      if (!run && !closing) begin(more === undefined ? { goal } : { more }, events.stopOnEntry);
    },
    get isClosing() {
      return closing !== undefined;
    },
    resume: (verb, until) => run?.gate.resume(verb, until) ?? false,
    pause() {
      if (!events.rules) return false;
      // Between two runs the old one has nothing left to hold.
      if (run && !next) run.gate.pause();
      else pauseFirst = true;
      return true;
    },
    chat: (goal) => atEnd({ goal }),
    goOn: (more) => atEnd({ more }),
    close: () => (closing ??= end()),
  };
}
