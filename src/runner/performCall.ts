/** ACT: one call is executed, or what the user decided happens instead. Its result waits for `observe`. */
import type { CallOutcome } from '../core/events.ts';
import { type CallState, callAt, type JournalState } from '../core/journalState.ts';
import type { CallKey, Observation } from '../core/messages.ts';
import type { Toolbox } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import type { Session } from '../session/session.ts';
import { capText } from '../core/capText.ts';
import type { StepPorts } from './stepPorts.ts';

/** Characters of an observation that the model gets; the whole stays in the journal. */
const observationLimit = 4000;

interface Finished {
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
  if (decided) return finish(session, call, decided);
  const effects = toolbox.find(call.name)?.effects ?? 'none';
  journal.append({ type: 'call.started', key, name: call.name, wireId: call.wireId, effects });
  const context = { signal, workspace, state: session.working, timeoutMs: config.tool_timeout * 1000 };
  finish(session, call, { ...(await toolbox.perform(call, context)), source: 'live' });
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

function finish({ journal }: Session, call: CallState, { outcome, observation, ms, source }: Finished): void {
  const whole = serialise(observation);
  const content = capText(whole, observationLimit);
  const part = journal.part(serialise({ role: 'tool', tool_call_id: call.wireId, content }));
  journal.append({
    type: 'call.finished',
    key: call.key,
    outcome,
    message: journal.nextMessage(),
    part,
    ...(content === whole ? {} : { observation: journal.part(whole) }),
    ms: Math.round(ms),
    source,
  });
}
