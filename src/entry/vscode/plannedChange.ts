/** What a call of `edit_file` or `create_file` would make of its file as it is now. */
import { changingTools } from '../../core/changingTools.ts';
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import type { FileLog, ToolCallRequest, Workspace } from '../../core/ports.ts';
import { planEdit } from '../../toolbox/edit/planEdit.ts';
import { isThere } from '../../toolbox/fileProblem.ts';

export interface FileEdit {
  /** In normal form. */
  readonly path: string;
  /** Where its links lead. */
  readonly real: string;
  /** Undefined for a file that is new. */
  readonly before: string | undefined;
  readonly after: string;
}

export type PlannedChange =
  | ({ readonly ok: true } & FileEdit)
  /** The tool would refuse it: why, in words for the model. */
  | { readonly ok: false; readonly error: string };

/** Undefined for a call that is no such change. Never rejects. */
export async function plannedChange(
  { name, arguments: given }: ToolCallRequest,
  workspace: Workspace,
  files: Pick<FileLog, 'seen'>,
): Promise<PlannedChange | undefined> {
  if (!changingTools.has(name)) return undefined;
  const input = parseJson(given);
  if (!isRecord(input) || typeof input['path'] !== 'string') return undefined;
  const { path, content } = input;
  if (name === 'create_file')
    return typeof content === 'string' ? plannedFile(path, content, workspace) : undefined;
  const file = await workspace.read(path);
  if (!file.ok) return file;
  const planned = planEdit(input, file.text, files.seen(file.uri));
  if (!planned.ok) return { ok: false, error: `${file.path}: ${planned.error}` };
  const real = await workspace.realPath(path);
  return real.ok
    ? { ok: true, path: file.path, real: real.path, before: file.text, after: planned.text }
    : real;
}

async function plannedFile(path: string, content: string, workspace: Workspace): Promise<PlannedChange> {
  const real = await workspace.realPath(path);
  if (!real.ok) return real;
  if ((await workspace.read(path)).ok) return { ok: false, error: `${path}: ${isThere}` };
  return { ok: true, path, real: real.path, before: undefined, after: content };
}
