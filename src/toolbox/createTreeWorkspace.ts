import type { Workspace, WorkspaceResult } from '../core/ports.ts';
import { errorText } from './errorText.ts';
import { type FileTree, maxFileBytes } from './fileTree.ts';
import { listTree } from './listTree.ts';
import { searchTree } from './searchTree.ts';
import { ToolError } from './toolError.ts';

export interface TreeSource {
  root(): string | undefined;
  /** Where commands run. */
  folder(): WorkspaceResult<{ path: string }>;
  /** The tree as it is now, taken anew for each operation. Throws `ToolError` when there is none. */
  tree(): FileTree;
}

/** The `Workspace` port over any file tree. This is the seam: nothing below it throws through it. */
export function createTreeWorkspace(source: TreeSource): Workspace {
  return {
    get root() {
      return source.root();
    },
    folder: () => source.folder(),
    list: (path, options) => guarded(() => listTree(source.tree(), path, options)),
    read: (path) => guarded(() => readText(source.tree(), path)),
    search: (options) => guarded(() => searchTree(source.tree(), options)),
  };
}

async function guarded<T extends object>(work: () => Promise<T>): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  }
}

async function readText(
  tree: FileTree,
  path: string,
): Promise<{ path: string; text: string; note?: string }> {
  const normal = tree.normal(path);
  const file = await tree.readFile(normal);
  switch (file.kind) {
    case 'text':
      return { path: normal, text: file.text, ...(file.note === undefined ? {} : { note: file.note }) };
    case 'binary':
      throw new ToolError(`${normal}: it is not UTF-8 text (a binary file)`);
    case 'too large':
      throw new ToolError(
        `${normal}: it is too large to read: ${megabytes(file.bytes)} MB, limit ${megabytes(maxFileBytes)}`,
      );
  }
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
