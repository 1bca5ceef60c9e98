/** ACT: one call is executed, or what the user decided happens instead. Its result waits for its turn, and for `observe`. */
import type { CallOutcome } from '../core/events.ts';
import { type CallState, callAt } from '../core/journalState.ts';
import type { CallKey, Observation } from '../core/messages.ts';
import type { ToolCallRequest, Toolbox } from '../core/ports.ts';
import type { Session } from '../session/session.ts';
import { approvalOf } from './approvalOf.ts';
import { callResults } from './callResults.ts';
import { fileLog } from './fileLog.ts';
import { finishCall } from './finishCall.ts';
import { heldTo, isSamePath, ledElsewhere, type PathOfCall } from './pathOfCall.ts';
import type { StepPorts } from './stepPorts.ts';
import { trueCall } from './trueCall.ts';

/** How a call ended, before it is recorded. */
export interface Finished {
  readonly outcome: CallOutcome;
  readonly observation: Observation;
  readonly ms: number;
  readonly source: 'live' | 'mocked';
}

const cancelledBefore: Finished = {
  outcome: 'cancelled',
  observation: { success: false, error: 'cancelled before start' },
  ms: 0,
  source: 'live',
};

function refused(reason: string): Finished {
  return {
    outcome: 'rejected',
    observation: { success: false, error: `not approved, nothing was run: ${reason}` },
    ms: 0,
    source: 'live',
  };
}

/**
 * Executes the call of this key, once, and returns what records how it ended. Never throws: whatever goes wrong is the
 * call's observation. `shown`: where its path led when the user was shown the call, at the stop before it.
 */
export async function performCall(
  session: Session,
  ports: StepPorts,
  signal: AbortSignal,
  key: CallKey,
  shown?: Promise<PathOfCall>,
): Promise<() => void> {
  const { journal, state } = session;
  const { config, toolbox, workspace } = ports;
  const call = callAt(state, key);
  if (!call || call.status !== 'waiting') return () => undefined;
  const finish = (finished: Finished) => finishCall(session, toolbox, call, finished);
  const request = trueCall(session, call);
  const decided = decidedWithout(call, request, session, toolbox, signal);
  if (decided) return () => finish(decided);
  const { effects = 'none', ownName } = toolbox.find(call.name) ?? {};
  const files = fileLog(session, key);
  const approval = await approvalOf(ports, request, signal, files);
  if (!approval.ok || (approval.path && shown && !isAsShown(await shown, approval.path))) {
    const unapproved = signal.aborted
      ? cancelledBefore
      : refused(approval.ok ? ledElsewhere : approval.reason);
    return () => finish(unapproved);
  }
  const tool = ownName === undefined ? {} : { tool: ownName };
  const by = approval.by === '' ? {} : { approval: approval.by };
  journal.append({
    type: 'call.started',
    key,
    name: call.name,
    ...tool,
    wireId: call.wireId,
    effects,
    ...by,
  });
  // Written before acted on: where that could not be written, the run has been aborted meanwhile.
  if (signal.aborted) return () => finish(cancelledBefore);
  const context = {
    signal,
    workspace: approval.path ? heldTo(workspace, approval.path) : workspace,
    state: session.working,
    results: callResults(state),
    files,
    timeoutMs: config.tool_timeout * 1000,
  };
  const late = lateNote(() => returnedLate(session, call));
  const performed = await toolbox.perform(request, context, late.happened);
  return () => {
    finish({ ...performed, source: 'live' });
    late.recorded();
  };
}

/** A path that was edited at the stop is the user's own. */
function isAsShown(shown: PathOfCall, path: PathOfCall): boolean {
  return shown.written !== path.written || isSamePath(shown, path);
}

/** That a tool returned late is told behind the record of its call, which may still wait for its turn. */
function lateNote(tell: () => void) {
  let isRecorded = false;
  let isLate = false;
  return {
    happened: () => {
      isLate = true;
      if (isRecorded) tell();
    },
    recorded: () => {
      isRecorded = true;
      if (isLate) tell();
    },
  };
}

/** What happens instead of running the tool: the user's verdict, a cancel, or arguments that can't be run. */
function decidedWithout(
  call: CallState,
  request: ToolCallRequest,
  { journal, state }: Session,
  toolbox: Toolbox,
  signal: AbortSignal,
): Finished | undefined {
  if (call.verdict) {
    const outcome = ({ mock: 'mocked', skip: 'skipped', reject: 'rejected' } as const)[call.verdict.op];
    const text = journal.redactor.reveal(state.parts.get(call.verdict.observation) ?? 'null');
    const observation = JSON.parse(text) as Observation;
    return { outcome, observation, ms: 0, source: 'mocked' };
  }
  if (signal.aborted) return cancelledBefore;
  const problem = toolbox.problem(request);
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
