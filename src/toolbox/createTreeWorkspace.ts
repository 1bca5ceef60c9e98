import type { ListOptions, SearchMatch, SearchOptions, Workspace, WorkspaceResult } from '../core/ports.ts';
import { errorText } from './errorText.ts';
import { excerpt } from './excerpt.ts';
import type { FileTree } from './fileTree.ts';
import { globMatcher } from './globMatcher.ts';
import { lineMatcher } from './lineMatcher.ts';
import { splitLines } from './lines.ts';
import { ToolError } from './toolError.ts';
import { type Visit, visibleEntries, walkTree } from './walkTree.ts';

/**
 * Files that one walk looks at, and milliseconds that it takes; what is beyond is said by `more`. Half of
 * the usual time limit of a tool: an incomplete answer that says so is worth more than none.
 */
const maxVisits = 100_000;
const maxMs = 5_000;

/** True from the call on that is one too many or too late. */
function walkBudget(): () => boolean {
  const deadline = performance.now() + maxMs;
  let visits = 0;
  return () => ++visits > maxVisits || performance.now() > deadline;
}

export interface TreeSource {
  root(): string | undefined;
  /** The tree as it is now, taken anew for each operation. Throws `ToolError` when there is none. */
  tree(): FileTree;
}

/** The `Workspace` port over any file tree. This is the seam: nothing below it throws through it. */
export function createTreeWorkspace(source: TreeSource): Workspace {
  return {
    get root() {
      return source.root();
    },
    list: (path, options) => guarded(() => list(source.tree(), path, options)),
    read: (path) => guarded(() => read(source.tree(), path)),
    search: (options) => guarded(() => search(source.tree(), options)),
  };
}

async function guarded<T extends object>(work: () => Promise<T>): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  }
}

async function read(tree: FileTree, path: string): Promise<{ path: string; text: string; note?: string }> {
  const normal = tree.normal(path);
  const file = await tree.readFile(normal);
  switch (file.kind) {
    case 'text':
      return { path: normal, text: file.text, ...(file.note === undefined ? {} : { note: file.note }) };
    case 'binary':
      throw new ToolError(`${normal}: it is not UTF-8 text (a binary file)`);
    case 'too large':
      throw new ToolError(
        `${normal}: it is too large to read (${(file.bytes / 2 ** 20).toFixed(1)} MB, limit 10 MB)`,
      );
  }
}

async function list(
  tree: FileTree,
  path: string,
  { glob, limit, signal }: ListOptions,
): Promise<{ entries: string[]; more: boolean }> {
  const folder = tree.normal(path);
  if (glob !== undefined) return listMatching(tree, folder, globMatcher(glob), limit, signal);
  const entries = (await visibleEntries(tree, folder)).map(shownEntry);
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

function shownEntry({ path, kind }: Visit): string {
  if (kind === 'skipped') return `${path}/ (skipped)`;
  return kind === 'folder' ? `${path}/` : path;
}

async function listMatching(
  tree: FileTree,
  folder: string,
  matches: (path: string) => boolean,
  limit: number,
  signal: ListOptions['signal'],
): Promise<{ entries: string[]; more: boolean }> {
  const entries: string[] = [];
  const start = folder === '' ? 0 : folder.length + 1;
  const spent = walkBudget();
  let unreadable = false;
  for await (const { path, kind } of walkTree(tree, folder, signal)) {
    if (kind === 'unreadable') unreadable = true;
    if ((kind === 'file' || kind === 'link') && matches(path.slice(start))) entries.push(path);
    if (entries.length > limit || spent()) return { entries: entries.slice(0, limit), more: true };
  }
  return { entries, more: unreadable };
}

async function search(
  tree: FileTree,
  { query, glob, regex, limit, signal }: SearchOptions,
): Promise<{ matches: SearchMatch[]; more: boolean }> {
  const included = glob === undefined ? () => true : globMatcher(glob);
  if (!regex && /[\r\n]/.test(query))
    throw new ToolError('the query has a line break, and matches are within one line');
  const matcher = lineMatcher(query, regex, signal);
  const matches: SearchMatch[] = [];
  const spent = walkBudget();
  let missed = false;
  try {
    for await (const { path, kind } of walkTree(tree, '', signal)) {
      if (kind === 'unreadable') missed = true;
      if (matches.length > limit || spent()) return { matches: matches.slice(0, limit), more: true };
      if (kind !== 'file' || !included(path)) continue;
      const file = await tree.readFile(path).catch(() => undefined);
      // Binary files have no lines to miss; what could not be looked at must not read as "not there".
      if (!file || file.kind === 'too large') missed = true;
      if (file?.kind !== 'text') continue;
      const lines = splitLines(file.text);
      for (const [line, at] of await matcher.match(lines, limit + 1 - matches.length)) {
        matches.push({ path, line: line + 1, text: excerpt(lines[line]!, at) });
      }
    }
    return { matches: matches.slice(0, limit), more: missed || matches.length > limit };
  } finally {
    await matcher.close();
  }
}
