import type { ToolContext, Workspace, WorkingState } from '../../../src/core/ports.ts';

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

const refuse = (): never => {
  throw new Error('this test uses no workspace');
};

export const noWorkspace: Workspace = {
  root: undefined,
  folder: refuse,
  list: refuse,
  read: refuse,
  search: refuse,
};

export function toolContext(parts: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    workspace: noWorkspace,
    state: memoryState(),
    results: { keys: [], cut: [], get: () => undefined },
    timeoutMs: 10_000,
    ...parts,
  };
}
