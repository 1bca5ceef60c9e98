/** One run of an agent on a session, and what may be done to it from outside while it goes. */
import type { EventBody, Outcome } from '../core/events.ts';
import { currentRun } from '../core/journalState.ts';
import type { Origin } from '../core/messages.ts';
import { apply, type Applied, type Edit, type Op } from '../core/ops.ts';
import type { Journal } from '../session/journal.ts';
import type { Session } from '../session/session.ts';
import { createGate, type GateControl, type Stop, type StopRules } from './gate.ts';
import { loop } from './loop.ts';
import { createSteps } from './steps.ts';
import type { StepPorts } from './stepPorts.ts';

/** An agent: settings and ports, no state. One agent may run any number of sessions at once. */
export interface Agent extends StepPorts {
  /** Where the system prompt stands, for the message's origin. */
  readonly systemOrigin: Origin;
}

export interface RunOptions {
  readonly goal: string;
  /** With rules the run is being debugged: it stops where they say, and at `end`. */
  readonly rules?: StopRules;
  readonly stopOnEntry?: boolean;
  readonly onStopped?: (stop: Stop) => void;
  readonly onText?: (delta: string) => void;
}

export interface Run {
  readonly gate: GateControl;
  /** Settles when the run has ended and was released from `end`. Never rejects. */
  readonly done: Promise<Outcome>;
  /** One edit, journaled when it is taken. */
  apply(op: Op): Applied;
  /** Ends the run with a legal history: what is open gets a result that says so. */
  cancel(): void;
}

export function startRun(agent: Agent, session: Session, options: RunOptions): Run {
  const { journal, state } = session;
  const abort = new AbortController();
  const { rules, stopOnEntry, onStopped } = options;
  const gate = createGate({
    recorder: journal,
    signal: abort.signal,
    ...(rules ? { rules } : {}),
    ...(stopOnEntry ? { stopOnEntry } : {}),
    ...(onStopped ? { onStopped } : {}),
  });
  session.begin(options.goal, agent.config, agent.systemOrigin);
  const steps = createSteps(session, agent, abort.signal, options.onText ?? (() => undefined));
  return {
    gate,
    done: settle(loop(steps, gate), session),
    apply(op) {
      const applied = apply(state, op);
      if (!applied.ok) return applied;
      journal.append(editedEvent(journal, applied.edit));
      // What is sent must be what is shown: an edit at plan packs again.
      if (gate.stopped?.kind === 'plan') void steps.repack();
      return applied;
    },
    cancel() {
      abort.abort();
      gate.resume('terminate');
    },
  };
}

/** The runner's one backstop: a fault of ours ends the run by name instead of vanishing. */
async function settle(running: Promise<void>, { journal, state }: Session): Promise<Outcome> {
  try {
    await running;
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    journal.append({ type: 'anomaly', code: 'crashed', detail, about: [] });
    journal.append({
      type: 'run.ended',
      run: currentRun(state)?.run ?? 0,
      outcome: 'crashed',
      limit: error instanceof Error ? error.message : String(error),
    });
  }
  return currentRun(state)?.ended?.outcome ?? 'crashed';
}

function editedEvent(journal: Journal, { op, target, before, after, scope }: Edit): EventBody {
  return {
    type: 'edited',
    op,
    target,
    ...(before === undefined ? {} : { before: journal.part(before) }),
    ...(after === undefined ? {} : { after: journal.part(after) }),
    scope,
    by: 'user',
  };
}
