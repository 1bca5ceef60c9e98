/**
 * The gate: where the loop may pause. At each checkpoint it asks the stop rules and the stepping verb
 * whether to hold; holding is an unresolved promise, so the very same pending call goes on afterwards.
 */
import type { CheckpointKind, PauseReason, Verb } from '../core/events.ts';
import type { CallKey } from '../core/messages.ts';
import type { Recorder } from '../core/ports.ts';

/** What the loop sees of it. */
export interface Gate {
  /**
   * Resolves when the loop may go on: at once, or after a pause, and then with the verb that let it go. Never rejects.
   */
  checkpoint(kind: CheckpointKind, key?: CallKey): Promise<Verb | undefined>;
}

export interface Checkpoint {
  readonly kind: CheckpointKind;
  readonly key?: CallKey;
}

/** What stops here, by sort: faults always stop, phase filters only a run that continues freely. */
export interface Hits {
  readonly faults: readonly string[];
  readonly breakpoints: readonly string[];
  readonly phases: readonly string[];
}

export interface StopRules {
  /** Called at each checkpoint, paused or not, in order. Must not reject; a broken condition is no hit. */
  hits(at: Checkpoint): Promise<Hits>;
}

/** Whether a checkpoint is the one that is run to. */
export type Until = (at: Checkpoint) => boolean;

/** How it was let go, and from which checkpoint. */
export interface Step {
  readonly verb: Verb;
  readonly from?: CheckpointKind;
  readonly until?: Until;
}

export interface Stop extends Checkpoint {
  readonly reason: PauseReason;
  readonly hits: readonly string[];
}

export interface GateOptions {
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  /** Without rules nothing ever stops: the run is not being debugged. */
  readonly rules?: StopRules;
  readonly stopOnEntry?: boolean;
  readonly onStopped?: (stop: Stop) => void;
}

/** What a debugger sees of it. */
export interface GateControl extends Gate {
  /** Where the loop is held; undefined while it runs. */
  readonly stopped: Stop | undefined;
  /** Lets it go on; false when it was not held. `until`: where `runToRound` ends. */
  resume(verb: Verb, until?: Until): boolean;
  /** Holds at the next checkpoint of any kind. */
  pause(): void;
}

export function createGate({ recorder, signal, rules, stopOnEntry, onStopped }: GateOptions): GateControl {
  let stopped: Stop | undefined;
  let release: ((verb: Verb) => void) | undefined;
  let step: Step = { verb: 'continue' };
  let pauseWanted = false;
  let entry = stopOnEntry === true;

  const decide = async (at: Checkpoint): Promise<Stop | undefined> => {
    if (!rules) return undefined;
    const hits = await rules.hits(at);
    if (signal.aborted) return undefined;
    return stopAt(at, hits, step, { entry, pause: pauseWanted });
  };

  const hold = (stop: Stop): Promise<Verb | undefined> => {
    recorder.append({ type: 'paused', reason: stop.reason, hits: stop.hits });
    // Not written: the run ends here instead of waiting (see `startRun`).
    if (signal.aborted) return Promise.resolve(undefined);
    [stopped, entry, pauseWanted] = [stop, false, false];
    return new Promise((resolve) => {
      release = resolve;
      onStopped?.(stop);
    });
  };

  return {
    get stopped() {
      return stopped;
    },
    async checkpoint(kind, key) {
      recorder.append({ type: 'checkpoint', kind, ...(key === undefined ? {} : { key }) });
      if (signal.aborted) return undefined;
      const stop = await decide({ kind, ...(key === undefined ? {} : { key }) });
      return stop && (await hold(stop));
    },
    resume(verb, until) {
      if (!stopped || !release) return false;
      const go = release;
      step = { verb, from: stopped.kind, ...(until ? { until } : {}) };
      stopped = release = undefined;
      recorder.append({ type: 'resumed', verb });
      go(verb);
      return true;
    },
    pause() {
      // Where it is held already, there is nothing left to wish for.
      pauseWanted = !stopped;
    },
  };
}

/**
 * Whether a step ends at a checkpoint, and why; the same for the loop that runs and for one that is looked back at.
 * Faults and breakpoints end every step; phase filters only one that continues freely.
 */
export function stopAt(
  at: Checkpoint,
  { faults, breakpoints, phases }: Hits,
  step: Step,
  wanted: { readonly entry?: boolean; readonly pause?: boolean } = {},
): Stop | undefined {
  const held = (reason: PauseReason, hits: readonly string[]) => ({ ...at, reason, hits });
  if (faults.length > 0) return held('exception', [...faults, ...breakpoints]);
  if (breakpoints.length > 0) return held('breakpoint', [...breakpoints, ...phases]);
  if (wanted.entry) return held('entry', phases);
  // A step passes over phase filters on its way: they would make every verb the same.
  if (phases.length > 0 && step.verb === 'continue') return held('breakpoint', phases);
  if (wanted.pause) return held('pause', []);
  if (at.kind === 'end') return held('end', []);
  return stepEnds(step, at) ? held('step', []) : undefined;
}

const phaseOf: Readonly<Record<CheckpointKind, string>> = {
  plan: 'plan',
  reply: 'plan',
  act: 'act',
  observe: 'observe',
  end: 'end',
};

/** Whether a step that began at one checkpoint ends at another: next phase, next checkpoint, next plan. */
function stepEnds({ verb, from, until }: Step, at: Checkpoint): boolean {
  switch (verb) {
    case 'stepIn':
      return true;
    case 'next':
      return from === undefined || phaseOf[from] !== phaseOf[at.kind];
    case 'stepOut':
      return at.kind === 'plan' || at.kind === 'end';
    case 'askAgain':
      return at.kind === 'plan';
    case 'runToRound':
      return until?.(at) ?? false;
    case 'continue':
    case 'terminate':
      return false;
  }
}
