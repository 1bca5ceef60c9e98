import { assertNever } from '../core/assertNever.ts';
import { parseJson } from '../core/parseMessage.ts';
import type { Approval, Approve, FileLog, Permission, Permit, ToolCallRequest } from '../core/ports.ts';
import { errorText } from '../toolbox/errorText.ts';
import { isSamePath, ledElsewhere, type PathOfCall, pathOfCall } from './pathOfCall.ts';
import type { StepPorts } from './stepPorts.ts';

/** `path`: what was allowed, and nothing that takes its place. */
export type Allowed = Approval & { readonly path?: PathOfCall | undefined };

/** What the rules and, where they say so, the user say. `by` is empty where nobody had to say anything. */
export async function approvalOf(
  { toolbox, workspace, permit = askOutside, approve }: StepPorts,
  request: ToolCallRequest,
  signal: AbortSignal,
  files: Pick<FileLog, 'seen'>,
): Promise<Allowed> {
  const spec = toolbox.find(request.name);
  const looking = spec && pathOfCall(request, workspace);
  // What needs no look at the disk begins at once: before the next call of the reply is looked at.
  const path = looking && (await looking);
  const permission: Permission = spec
    ? permissionFor(request, (one) => permit(one, spec), path)
    : { verdict: 'allow' };
  switch (permission.verdict) {
    case 'allow':
      return { ok: true, by: permission.by ?? '', path };
    case 'deny':
      return { ok: false, reason: permission.reason };
    case 'ask': {
      if (!approve) return { ok: true, by: '', path };
      const answer = await askFor(approve, request, signal, files);
      if (!answer.ok || isSamePath(path, await pathOfCall(request, workspace))) return { ...answer, path };
      return { ok: false, reason: ledElsewhere };
    }
    default:
      return assertNever(permission);
  }
}

/** The stricter one of what the rules say of a path as it is written, and of the one that its links lead to. */
function permissionFor(
  request: ToolCallRequest,
  permit: (request: ToolCallRequest) => Permission,
  path: PathOfCall | undefined,
): Permission {
  const written = permit(request);
  const real = path?.real?.path;
  if (written.verdict === 'deny' || real === undefined || real === path?.written) return written;
  const given = parseJson(request.arguments) as object;
  const led = permit({ ...request, arguments: JSON.stringify({ ...given, path: real }) });
  return led.verdict === 'deny' || written.verdict === 'allow' ? led : written;
}

const askOutside: Permit = (_, { effects }) => ({ verdict: effects === 'outside' ? 'ask' : 'allow' });

/** The answer, or a no: also when the run is cancelled meanwhile, and when asking fails. */
async function askFor(
  approve: Approve,
  { name, arguments: given }: ToolCallRequest,
  signal: AbortSignal,
  files: Pick<FileLog, 'seen'>,
): Promise<Approval> {
  const answered = new AbortController();
  const cancelled = new Promise<Approval>((resolve) => {
    const give = () => resolve({ ok: false, reason: 'the run was cancelled' });
    signal.addEventListener('abort', give, { once: true, signal: answered.signal });
  });
  try {
    return await Promise.race([approve({ name, arguments: given }, signal, files), cancelled]);
  } catch (error) {
    return { ok: false, reason: `asking for approval failed: ${errorText(error)}` };
  } finally {
    answered.abort();
  }
}
