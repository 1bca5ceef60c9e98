/** One run of an agent on a session, and what may be done to it from outside while it goes. */
import type { EventBody, Outcome } from '../core/events.ts';
import { currentRound, currentRun, stoppedAtLimit } from '../core/journalState.ts';
import type { Origin } from '../core/messages.ts';
import { apply, type Applied, type Edit, type Op } from '../core/ops.ts';
import { thrownText } from '../core/thrownText.ts';
import type { Journal } from '../session/journal.ts';
import type { Secrets } from '../session/redactor.ts';
import type { Session } from '../session/session.ts';
import { backgroundOf } from './background.ts';
import { Unwritten } from './endOfRun.ts';
import { createGate, type GateControl, type Stop, type StopRules } from './gate.ts';
import { loop } from './loop.ts';
import { type RunLimits, runLimits } from './runLimits.ts';
import { createSteps } from './steps.ts';
import type { StepPorts } from './stepPorts.ts';
import { trueClient } from './trueClient.ts';
import { withRepairedArguments } from './withRepairedArguments.ts';

/** An agent: settings and ports, no state. One agent may run any number of sessions at once. */
export interface Agent extends StepPorts {
  /** Where the system prompt stands, for the message's origin. */
  readonly systemOrigin: Origin;
  /** What must not enter a journal: the key in use, keys of the environment, the user's patterns. */
  readonly secrets?: Secrets;
  /** Where earlier sessions are remembered, and what that is called in the message's origin. */
  readonly memory?: { readonly file: string; readonly name: string };
}

export type RunOptions = RunStart & RunHooks;

/** A new goal, or `more` rounds for the goal of a run that a limit stopped (see `stoppedAtLimit`). */
export type RunStart = { readonly goal: string } | { readonly more: number };

export interface RunHooks {
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

/** Throws when it is asked for more of a run that no limit has stopped, or for less than one round. */
export function startRun(agent: Agent, session: Session, options: RunOptions): Run {
  requireStart(session, options);
  const { journal, state } = session;
  const abort = new AbortController();
  const { rules, stopOnEntry, onStopped = () => undefined } = options;
  const gate = createGate({
    recorder: journal,
    signal: abort.signal,
    ...(rules ? { rules } : {}),
    ...(stopOnEntry ? { stopOnEntry } : {}),
    onStopped(stop) {
      if (stop.kind === 'act' && stop.key !== undefined) steps.show(stop.key);
      onStopped(stop);
    },
  });
  const cancel = (reason?: Unwritten) => {
    abort.abort(reason);
    gate.resume('terminate');
  };
  // Written before acted on: what can not be written stops the run, and nothing further happens in it.
  const stopListening = journal.onTrouble((why) => cancel(new Unwritten(why)));
  if (agent.secrets) journal.keepOut(agent.secrets);
  const limits = begin(agent, session, options);
  if (journal.trouble !== undefined) cancel(new Unwritten(journal.trouble));
  const { approve, ...others } = agent;
  const ports = {
    ...others,
    model: trueClient(agent.model, journal),
    // Under the debugger the stop before a call is where it is approved.
    ...(approve && !rules ? { approve } : {}),
  };
  const steps = createSteps(session, ports, {
    signal: abort.signal,
    onText: options.onText ?? (() => undefined),
    limits,
    isDebugged: rules !== undefined,
  });
  return {
    gate,
    done: settle(loop(steps, gate), session).finally(stopListening),
    apply(op) {
      const applied = apply(state, op);
      if (!applied.ok) return withRepairedArguments(state, op, applied);
      if (op.kind === 'askAgain') gate.resume('askAgain');
      if (applied.edit) journal.append(editedEvent(journal, applied.edit));
      // What is sent must be what is shown: an edit at plan packs again.
      if (gate.stopped?.kind === 'plan') void steps.repack();
      return applied;
    },
    cancel: () => cancel(),
  };
}

/** Before anything listens or is written: a start that is refused leaves nothing behind. */
function requireStart({ state }: Session, start: RunStart): void {
  if ('goal' in start) return;
  const { more } = start;
  if (!Number.isInteger(more) || more < 1) throw new Error(`a run can't go on for ${more} rounds`);
  if (!stoppedAtLimit(state)) throw new Error('only a run that a limit stopped can go on');
}

/** Begins the run or goes on with the last one; returns what it may take. */
function begin(agent: Agent, session: Session, start: RunStart): RunLimits {
  const { config, systemOrigin } = agent;
  if ('goal' in start) {
    const { background, problem } = backgroundOf(agent, session);
    session.begin(start.goal, config, systemOrigin, background);
    if (problem !== undefined)
      session.journal.append({ type: 'anomaly', code: 'memory-unreadable', detail: problem, about: [] });
    return runLimits(session.state, config, config.max_iters);
  }
  const { more } = start;
  session.goOn(more, config, systemOrigin);
  return runLimits(session.state, config, (currentRound(session.state)?.round ?? 0) + more);
}

/** The runner's one backstop: a fault of ours ends the run by name instead of vanishing. */
async function settle(running: Promise<void>, { journal, state }: Session): Promise<Outcome> {
  try {
    await running;
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : thrownText(error);
    journal.append({ type: 'anomaly', code: 'crashed', detail, about: [] });
    journal.append({
      type: 'run.ended',
      run: currentRun(state)?.run ?? 0,
      outcome: 'crashed',
      limit: thrownText(error),
    });
  }
  return currentRun(state)?.ended?.outcome ?? 'crashed';
}

function editedEvent(journal: Journal, edit: Edit): EventBody {
  const { op, target, before, after, behind, with: others, scope } = edit;
  return {
    type: 'edited',
    op,
    target,
    ...(before === undefined ? {} : { before: journal.part(before) }),
    ...(after === undefined ? {} : { after: journal.part(after) }),
    ...(behind === undefined ? {} : { behind }),
    ...(others === undefined
      ? {}
      : {
          with: others.map((one) =>
            typeof one === 'string' ? one : ([one[0], journal.part(one[1])] as const),
          ),
        }),
    scope,
    by: 'user',
  };
}
