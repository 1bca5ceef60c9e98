import type { EditorServices, FileText, Workspace, WorkspaceResult } from '../core/ports.ts';
import type { CodeServices, GitServices, TaskServices } from '../core/services.ts';
import { errorText } from './errorText.ts';
import type { FileTree } from './fileTree.ts';
import { listTree } from './listTree.ts';
import { refuseText } from './refuseText.ts';
import { searchTree } from './searchTree.ts';
import { textOf } from './textOf.ts';
import { ToolError } from './toolError.ts';

export interface TreeSource {
  root(): string | undefined;
  /** Where commands run. */
  folder(): WorkspaceResult<{ path: string }>;
  /** The tree as it is now, taken anew for each operation. Throws `ToolError` when there is none. */
  tree(): FileTree;
  readonly code?: CodeServices;
  readonly editor?: EditorServices;
  readonly git?: GitServices;
  readonly tasks?: TaskServices;
}

/** The `Workspace` port over any file tree. This is the seam: nothing below it throws through it. */
export function createTreeWorkspace(source: TreeSource): Workspace {
  let last: Promise<unknown> = Promise.resolve();
  /** Changes wait for one another: each finds the file as the one before has left it. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    get root() {
      return source.root();
    },
    folder: () => source.folder(),
    folderAt: (path) =>
      guarded(async () => {
        const tree = source.tree();
        const normal = tree.normal(path);
        const whole =
          normal === '' ? source.folder() : { ok: true as const, path: await tree.folderOnDisk(normal) };
        if (!whole.ok) throw new ToolError(whole.error);
        return { path: whole.path };
      }),
    realPath: (path) =>
      guarded(async () => {
        const tree = source.tree();
        return tree.realPath(tree.normal(path));
      }),
    list: (path, options) => guarded(() => listTree(source.tree(), path, options)),
    read: (path) => guarded(() => readText(source.tree(), path)),
    edit: (path, change) =>
      guarded(() =>
        inTurn(async () => {
          const tree = source.tree();
          const normal = tree.normal(path);
          const changed = await tree.changeFile(normal, (file) => {
            const next = change({ path: normal, ...file });
            if (!next.ok) throw new ToolError(`${normal}: ${next.error}`);
            refuseText(normal, next.text, file.text);
            return next.text;
          });
          return { path: normal, ...changed };
        }),
      ),
    create: (path, text) =>
      guarded(() =>
        inTurn(async () => {
          const tree = source.tree();
          const normal = tree.normal(path);
          refuseText(normal, text);
          return { path: normal, ...(await tree.createFile(normal, text)) };
        }),
      ),
    search: (options) => guarded(() => searchTree(source.tree(), options)),
    ...(source.code ? { code: source.code } : {}),
    ...(source.editor ? { editor: source.editor } : {}),
    ...(source.git ? { git: source.git } : {}),
    ...(source.tasks ? { tasks: source.tasks } : {}),
  };
}

async function guarded<T extends object>(work: () => Promise<T>): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  }
}

async function readText(tree: FileTree, path: string): Promise<FileText> {
  const normal = tree.normal(path);
  const { uri, text, note } = textOf(normal, await tree.readFile(normal));
  return { path: normal, uri, text, ...(note === undefined ? {} : { note }) };
}
