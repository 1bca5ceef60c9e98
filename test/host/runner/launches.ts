/**
 * The ways in which VS Code is started for host tests. A test file says by its name which one it needs:
 * `x.test.ts` (a copy of examples/demo, trusted), `x.empty.test.ts` (no folder), `x.restricted.test.ts`
 * (the folder is not trusted), `x.roots.test.ts` (a workspace of several folders, see `writeRoots`). One start runs all
 * files of its kind.
 */
export const LAUNCHES = [
  { kind: 'empty', folder: false, trusted: true },
  { kind: 'restricted', folder: true, trusted: false },
  { kind: 'roots', folder: true, trusted: true },
  { kind: 'folder', folder: true, trusted: true },
] as const;

export type Launch = (typeof LAUNCHES)[number];

export function launchOf(file: string): Launch['kind'] {
  if (file.endsWith('.empty.test.ts')) return 'empty';
  if (file.endsWith('.roots.test.ts')) return 'roots';
  return file.endsWith('.restricted.test.ts') ? 'restricted' : 'folder';
}
