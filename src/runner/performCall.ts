/** ACT: one call is executed, or what the user decided happens instead. Its result waits for `observe`. */
import type { CallOutcome } from '../core/events.ts';
import { type CallState, callAt, type JournalState } from '../core/journalState.ts';
import type { CallKey, Observation } from '../core/messages.ts';
import type { Toolbox } from '../core/ports.ts';
import type { Session } from '../session/session.ts';
import { callResults } from './callResults.ts';
import { finishCall } from './finishCall.ts';
import type { StepPorts } from './stepPorts.ts';

/** How a call ended, before it is recorded. */
export interface Finished {
  readonly outcome: CallOutcome;
  readonly observation: Observation;
  readonly ms: number;
  readonly source: 'live' | 'mocked';
}

/** Executes the call of this key, once. Never throws: whatever goes wrong is the call's observation. */
export async function performCall(
  session: Session,
  { config, toolbox, workspace }: StepPorts,
  signal: AbortSignal,
  key: CallKey,
): Promise<void> {
  const { journal, state } = session;
  const call = callAt(state, key);
  if (!call || call.status !== 'waiting') return;
  const decided = decidedWithout(call, state, toolbox, signal);
  if (decided) return finishCall(session, toolbox, call, decided);
  const effects = toolbox.find(call.name)?.effects ?? 'none';
  journal.append({ type: 'call.started', key, name: call.name, wireId: call.wireId, effects });
  const context = {
    signal,
    workspace,
    state: session.working,
    results: callResults(state),
    timeoutMs: config.tool_timeout * 1000,
  };
  const performed = await toolbox.perform(call, context, () => returnedLate(session, call));
  finishCall(session, toolbox, call, { ...performed, source: 'live' });
}

/** What happens instead of running the tool: the user's verdict, a cancel, or arguments that can't be run. */
function decidedWithout(
  call: CallState,
  state: JournalState,
  toolbox: Toolbox,
  signal: AbortSignal,
): Finished | undefined {
  if (call.verdict) {
    const outcome = ({ mock: 'mocked', skip: 'skipped', reject: 'rejected' } as const)[call.verdict.op];
    const observation = JSON.parse(state.parts.get(call.verdict.observation) ?? 'null') as Observation;
    return { outcome, observation, ms: 0, source: 'mocked' };
  }
  if (signal.aborted) {
    const observation = { success: false, error: 'cancelled before start' } as const;
    return { outcome: 'cancelled', observation, ms: 0, source: 'live' };
  }
  const problem = toolbox.problem(call);
  return problem && { ...problem, source: 'live' };
}

/** A tool that went on after it was given up: what it returns is no longer the call's result. */
function returnedLate({ journal }: Session, { name, key, outcome, finished }: CallState): void {
  const given = outcome === 'timeout' ? 'its time was up' : 'it was cancelled';
  journal.append({
    type: 'anomaly',
    code: 'late-result',
    detail: `${name} (call ${key}) ignored that ${given} and returned later: its result is not used, its effects are unknown`,
    about: finished === undefined ? [] : [finished],
  });
}
