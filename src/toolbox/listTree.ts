import type { ListOptions } from '../core/ports.ts';
import type { FileTree } from './fileTree.ts';
import { globMatcher } from './globMatcher.ts';
import { type Visit, visibleEntries, walkTree } from './walkTree.ts';
import { walkBudget } from './walkBudget.ts';

export interface Listing {
  readonly entries: string[];
  /** There is more than these: the limit was reached, or something could not be looked at. */
  readonly more: boolean;
}

/** What is directly in a folder; with a glob, the files at any depth under it that match. */
export async function listTree(tree: FileTree, path: string, options: ListOptions): Promise<Listing> {
  const folder = tree.normal(path);
  if (options.glob !== undefined) return listMatching(tree, folder, globMatcher(options.glob), options);
  const entries = (await visibleEntries(tree, folder)).map(shownEntry);
  return { entries: entries.slice(0, options.limit), more: entries.length > options.limit };
}

function shownEntry({ path, kind }: Visit): string {
  if (kind === 'skipped') return `${path}/ (skipped)`;
  return kind === 'folder' ? `${path}/` : path;
}

async function listMatching(
  tree: FileTree,
  folder: string,
  matches: (path: string) => boolean,
  { limit, signal }: ListOptions,
): Promise<Listing> {
  const entries: string[] = [];
  const start = folder === '' ? 0 : folder.length + 1;
  const spent = walkBudget();
  let more = false;
  for await (const { path, kind } of walkTree(tree, folder, signal)) {
    if (kind === 'unreadable') more = true;
    if ((kind === 'file' || kind === 'link') && matches(path.slice(start))) entries.push(path);
    if (entries.length > limit || spent()) return { entries: entries.slice(0, limit), more: true };
  }
  return { entries, more };
}
