import { assertNever } from '../core/assertNever.ts';
import type { Approval, Approve, Permission, Permit, ToolCallRequest } from '../core/ports.ts';
import { errorText } from '../toolbox/errorText.ts';
import type { StepPorts } from './stepPorts.ts';

/** What the rules and, where they say so, the user say. `by` is empty where nobody had to say anything. */
export async function approvalOf(
  { toolbox, permit = askOutside, approve }: StepPorts,
  request: ToolCallRequest,
  signal: AbortSignal,
): Promise<Approval> {
  const spec = toolbox.find(request.name);
  const permission: Permission = spec ? permit(request, spec) : { verdict: 'allow' };
  switch (permission.verdict) {
    case 'allow':
      return { ok: true, by: permission.by ?? '' };
    case 'deny':
      return { ok: false, reason: permission.reason };
    case 'ask':
      return approve ? askFor(approve, request, signal) : { ok: true, by: '' };
    default:
      return assertNever(permission);
  }
}

const askOutside: Permit = (_, { effects }) => ({ verdict: effects === 'outside' ? 'ask' : 'allow' });

/** The answer, or a no: also when the run is cancelled meanwhile, and when asking fails. */
async function askFor(
  approve: Approve,
  { name, arguments: given }: ToolCallRequest,
  signal: AbortSignal,
): Promise<Approval> {
  const answered = new AbortController();
  const cancelled = new Promise<Approval>((resolve) => {
    const give = () => resolve({ ok: false, reason: 'the run was cancelled' });
    signal.addEventListener('abort', give, { once: true, signal: answered.signal });
  });
  try {
    return await Promise.race([approve({ name, arguments: given }, signal), cancelled]);
  } catch (error) {
    return { ok: false, reason: `asking for approval failed: ${errorText(error)}` };
  } finally {
    answered.abort();
  }
}
