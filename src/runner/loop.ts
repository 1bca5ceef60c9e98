import type { Gate } from './gate.ts';
import type { Steps } from './steps.ts';

/**
 * The agent loop: ask, decide, act, feed back. This is the file that runs and the file that you step
 * through: each `gate.checkpoint` is a place where the debugger may hold it.
 * Nothing in here throws. What goes wrong (a model that fails, a tool that fails, a cancel) is part of what
 * `ask`, `perform` and `observe` leave in the session, and `next` turns it into the end of the run.
 */
export async function loop(steps: Steps, gate: Gate): Promise<void> {
  while (steps.next() === 'again') {
    // PLAN: pack the history into the context, and ask the model what to do; once more, while its reply is not taken.
    do {
      await steps.pack();
      await gate.checkpoint('plan');
      await steps.ask();
    } while ((await gate.checkpoint('reply')) === 'askAgain');

    // ACT: execute the calls that it chose, in order.
    for (const call of steps.calls()) {
      await gate.checkpoint('act', call.key);
      await steps.perform(call.key);
    }

    // OBSERVE: write the reply and one result per call into the history, for the model to see next time.
    await gate.checkpoint('observe');
    steps.observe();
  }
  steps.end();
  await gate.checkpoint('end');
}
