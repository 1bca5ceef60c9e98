import { assertNever } from '../core/assertNever.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type {
  Approval,
  Approve,
  FileLog,
  Permission,
  Permit,
  ToolCallRequest,
  Workspace,
} from '../core/ports.ts';
import { errorText } from '../toolbox/errorText.ts';
import type { StepPorts } from './stepPorts.ts';

/** What the rules and, where they say so, the user say. `by` is empty where nobody had to say anything. */
export async function approvalOf(
  { toolbox, workspace, permit = askOutside, approve }: StepPorts,
  request: ToolCallRequest,
  signal: AbortSignal,
  files: Pick<FileLog, 'seen'>,
): Promise<Approval> {
  const spec = toolbox.find(request.name);
  const said = spec
    ? permissionFor(request, (one) => permit(one, spec), workspace)
    : ({ verdict: 'allow' } as const);
  // What needs no look at the disk begins at once: before the next call of the reply is looked at.
  const permission = said instanceof Promise ? await said : said;
  switch (permission.verdict) {
    case 'allow':
      return { ok: true, by: permission.by ?? '' };
    case 'deny':
      return { ok: false, reason: permission.reason };
    case 'ask':
      return approve ? askFor(approve, request, signal, files) : { ok: true, by: '' };
    default:
      return assertNever(permission);
  }
}

/** The stricter one of what the rules say of a path as it is written, and of the one that its links lead to. */
function permissionFor(
  request: ToolCallRequest,
  permit: (request: ToolCallRequest) => Permission,
  workspace: Workspace,
): Permission | Promise<Permission> {
  const written = permit(request);
  const given = written.verdict === 'deny' ? undefined : parseJson(request.arguments);
  if (!isRecord(given)) return written;
  const { path } = given;
  if (typeof path !== 'string') return written;
  return workspace.realPath(path).then((real) => {
    // What leads nowhere, or out, is for the tool to refuse.
    if (!real.ok || real.path === path) return written;
    const led = permit({ ...request, arguments: JSON.stringify({ ...given, path: real.path }) });
    return led.verdict === 'deny' || written.verdict === 'allow' ? led : written;
  });
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
