/**
 * ACT: the calls of a reply, one after the other. Where nothing could tell the difference they run side by side: no
 * debugger steps through them, and none of them has effects. What is recorded keeps the order of the calls either way.
 */
import { currentRound, type JournalState } from '../core/journalState.ts';
import type { CallKey } from '../core/messages.ts';
import type { Toolbox } from '../core/ports.ts';
import type { Session } from '../session/session.ts';
import type { PathOfCall } from './pathOfCall.ts';
import { performCall } from './performCall.ts';
import type { StepPorts } from './stepPorts.ts';

/** Calls that run at a time: a model may ask for a hundred, and each may start a process. */
const atOnce = 8;

/**
 * Makes what performs the calls of a run, by key and in order. It resolves when the call is recorded; of calls that run
 * side by side, when it has begun, and for the last one when all are recorded.
 */
export function createPerformer(
  session: Session,
  ports: StepPorts,
  { signal, sideBySide }: { readonly signal: AbortSignal; readonly sideBySide: boolean },
): (key: CallKey, shown?: Promise<PathOfCall>) => Promise<void> {
  const running = new Set<Promise<unknown>>();
  let recorded = Promise.resolve();
  return async (key, shown) => {
    const isAlone = !sideBySide || !areIndependent(session.state, ports.toolbox);
    if (isAlone) await recorded;
    while (running.size >= atOnce) await Promise.race(running);
    const ended = performCall(session, ports, signal, key, shown);
    const over = () => running.delete(settled);
    const settled: Promise<boolean> = ended.then(over, over);
    running.add(settled);
    recorded = recordAfter(recorded, ended);
    // A fault of ours is met where it is waited for.
    recorded.catch(() => undefined);
    if (isAlone || currentRound(session.state)?.calls.at(-1)?.key === key) await recorded;
  };
}

async function recordAfter(earlier: Promise<void>, ended: Promise<() => void>): Promise<void> {
  await earlier;
  const record = await ended;
  record();
}

/** The pager reads what an earlier call of the same reply may have brought. */
function areIndependent(state: JournalState, toolbox: Toolbox): boolean {
  const calls = currentRound(state)?.calls ?? [];
  return calls.every(
    ({ name }) => name !== toolbox.pager.name && (toolbox.find(name)?.effects ?? 'none') === 'none',
  );
}
