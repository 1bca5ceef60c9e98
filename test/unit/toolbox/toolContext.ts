import type {
  FileChange,
  FileLog,
  SeenFile,
  ToolContext,
  Workspace,
  WorkingState,
} from '../../../src/core/ports.ts';
import { textHash } from '../../../src/toolbox/textHash.ts';

/** A working state in memory that keeps what was set, in order. */
export function memoryState(
  initial: Readonly<Record<string, unknown>> = {},
): WorkingState & { readonly sets: unknown[] } {
  const values = new Map(Object.entries(initial));
  const sets: unknown[] = [];
  return {
    sets,
    get: (key) => values.get(key),
    set: (key, value) => {
      values.set(key, value);
      sets.push([key, value]);
    },
  };
}

/** What the journal would know of files. */
export function memoryFiles(): FileLog & { readonly changes: FileChange[] } {
  const seen = new Map<string, SeenFile>();
  const changes: FileChange[] = [];
  return {
    changes,
    seen: (uri) => seen.get(uri),
    read: (uri, text, [start, end], total) =>
      void seen.set(uri, { hash: textHash(text), whole: start === 1 && end === total }),
    changing: () => undefined,
    changed: (change) => {
      changes.push(change);
      seen.set(change.uri, {
        hash: textHash(change.after),
        whole: change.before === undefined || (seen.get(change.uri)?.whole ?? false),
      });
    },
  };
}

const refuse = (): never => {
  throw new Error('this test uses no workspace');
};

export const noWorkspace: Workspace = {
  root: undefined,
  folder: refuse,
  folderAt: refuse,
  realPath: refuse,
  list: refuse,
  read: refuse,
  edit: refuse,
  create: refuse,
  search: refuse,
};

export function toolContext(parts: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    workspace: noWorkspace,
    state: memoryState(),
    results: { keys: [], cut: [], get: () => undefined },
    files: memoryFiles(),
    timeoutMs: 10_000,
    ...parts,
  };
}
