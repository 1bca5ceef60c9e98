/** ACT: one call is executed, or what the user decided happens instead. Its result waits for `observe`. */
import type { CallOutcome } from '../core/events.ts';
import { type CallState, callAt, currentRound } from '../core/journalState.ts';
import { type CallKey, callTexts, type Observation } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import type { ToolCallRequest, Toolbox } from '../core/ports.ts';
import { serialise } from '../core/serialise.ts';
import type { Session } from '../session/session.ts';
import { capText } from '../toolbox/capText.ts';
import type { StepPorts } from './stepPorts.ts';

/** Characters of an observation that the model gets; the whole stays in the journal. */
const observationLimit = 4000;

interface Finished {
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
  const request = trueCall(session, call);
  const decided = decidedWithout(call, request, session, toolbox, signal);
  if (decided) return finish(session, call, decided);
  const effects = toolbox.find(call.name)?.effects ?? 'none';
  journal.append({ type: 'call.started', key, name: call.name, wireId: call.wireId, effects });
  // Written before acted on: where that could not be written, the run has been aborted meanwhile.
  if (signal.aborted) return finish(session, call, cancelledBefore);
  const context = { signal, workspace, state: session.working, timeoutMs: config.tool_timeout * 1000 };
  finish(session, call, { ...(await toolbox.perform(request, context)), source: 'live' });
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

/** The call as the model wrote it: the journal may hold placeholders for secrets in its arguments. */
function trueCall({ journal, state }: Session, call: CallState): ToolCallRequest {
  const { name, position } = call;
  const text = state.parts.get(currentRound(state)?.replies.at(-1)?.part ?? '') ?? '';
  const revealed = journal.redactor.reveal(text);
  if (revealed === text) return call;
  const message = parseMessage(revealed);
  return { name, arguments: (message && callTexts(message)[position - 1]?.arguments) ?? call.arguments };
}

function finish({ journal }: Session, call: CallState, { outcome, observation, ms, source }: Finished): void {
  // Cleaned before it is cut: half a key is no key to be found.
  const whole = journal.redactor.clean(serialise(observation)).text;
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
