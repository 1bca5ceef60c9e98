/** Runs a goal with a stop at every checkpoint, and shows each to a visitor before it goes on. */
import type { Outcome } from '../../src/core/events.ts';
import { type Agent, type Run, startRun } from '../../src/runner/run.ts';
import type { Stop } from '../../src/runner/gate.ts';
import type { Session } from '../../src/session/session.ts';

export type Visit = (stop: Stop, run: Run) => unknown;

export async function stepThrough(
  agent: Agent,
  session: Session,
  goal: string,
  visit: Visit,
): Promise<Outcome> {
  let failure: Error | undefined;
  const visits: Promise<void>[] = [];
  const run: Run = startRun(agent, session, {
    goal,
    rules: { hits: async () => ({ faults: [], breakpoints: ['every checkpoint'], phases: [] }) },
    // Answered afterwards, as a debugger's user would: the run is not there yet at the first stop.
    onStopped: (stop) => visits.push(Promise.resolve().then(() => answer(stop))),
  });
  const answer = async (stop: Stop) => {
    try {
      if (failure === undefined) await visit(stop, run);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    // A visitor may have let it go already.
    if (run.gate.stopped === stop) run.gate.resume('stepIn');
  };
  const outcome = await run.done;
  await Promise.all(visits);
  if (failure) throw failure;
  return outcome;
}
