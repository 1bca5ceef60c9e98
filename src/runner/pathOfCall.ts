/** Where the path of a call leads, and that it still leads there when the call acts. */
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { FileText, RealPath, ToolCallRequest, Workspace, WorkspaceResult } from '../core/ports.ts';

export interface PathOfCall {
  /** As the call has it. */
  readonly written: string;
  /** Undefined where it leads nowhere, or out: that is for the tool to refuse. */
  readonly real: RealPath | undefined;
}

/** Why a call does not act on a path that was replaced since somebody said yes to it, in words for the model. */
export const ledElsewhere =
  'its path leads elsewhere than when it was allowed (a link or a folder was replaced meanwhile); nothing was done';

/** Undefined, and at once, for a call without a path. */
export function pathOfCall(
  { arguments: given }: ToolCallRequest,
  workspace: Workspace,
): Promise<PathOfCall> | undefined {
  const input = parseJson(given);
  const written = isRecord(input) ? input['path'] : undefined;
  if (typeof written !== 'string') return undefined;
  return workspace.realPath(written).then(
    (found) => ({ written, real: found.ok ? { path: found.path, uri: found.uri } : undefined }),
    // A workspace of somebody else's.
    () => ({ written, real: undefined }),
  );
}

export function isSamePath(one: PathOfCall | undefined, other: PathOfCall | undefined): boolean {
  return one?.written === other?.written && one?.real?.uri === other?.real?.uri;
}

/**
 * The workspace for a call that was allowed for this path: it is looked at again right before anything happens, and what
 * was opened then must be what was allowed.
 */
export function heldTo(workspace: Workspace, { written, real }: PathOfCall): Workspace {
  const isMoved = async () => {
    const now = await workspace.realPath(written);
    return now.ok ? now.uri !== real?.uri : real !== undefined;
  };
  const still = async <T extends object>(
    path: string,
    act: () => Promise<WorkspaceResult<T>>,
  ): Promise<WorkspaceResult<T>> =>
    path === written && (await isMoved()) ? { ok: false, error: ledElsewhere } : act();
  const isOther = (path: string, uri: string) => path === written && real !== undefined && uri !== real.uri;
  const checked = <T extends Pick<FileText, 'uri'>>(
    path: string,
    done: WorkspaceResult<T>,
  ): WorkspaceResult<T> => (done.ok && isOther(path, done.uri) ? { ok: false, error: ledElsewhere } : done);
  // Each by its name, since a workspace of somebody else's may be an object of a class.
  const { root, code, editor, git, tasks } = workspace;
  return {
    root,
    ...(code && { code }),
    ...(editor && { editor }),
    ...(git && { git }),
    ...(tasks && { tasks }),
    folder: () => workspace.folder(),
    realPath: (path) => workspace.realPath(path),
    search: (options) => workspace.search(options),
    folderAt: (path) => still(path, () => workspace.folderAt(path)),
    list: (path, options) => still(path, () => workspace.list(path, options)),
    read: (path) => still(path, async () => checked(path, await workspace.read(path))),
    create: (path, text) => still(path, () => workspace.create(path, text)),
    // The file is open by then: nothing can come between.
    edit: (path, change) =>
      still(path, () =>
        workspace.edit(path, (file) =>
          isOther(path, file.uri) ? { ok: false, error: ledElsewhere } : change(file),
        ),
      ),
  };
}
