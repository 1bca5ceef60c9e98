import type { SearchMatch, SearchOptions } from '../core/ports.ts';
import { excerpt } from './excerpt.ts';
import type { FileTree } from './fileTree.ts';
import { globMatcher } from './globMatcher.ts';
import { type LineMatcher, lineMatcher } from './lineMatcher.ts';
import { splitLines } from './lines.ts';
import { ToolError } from './toolError.ts';
import { walkBudget } from './walkBudget.ts';
import { walkTree } from './walkTree.ts';

export interface Found {
  readonly matches: SearchMatch[];
  /** There may be more than these: the limit was reached, or something could not be looked at. */
  more: boolean;
}

/** Files that are read side by side: enough to keep the file system busy. */
const batchSize = 16;

/** The lines that match, file by file in the order of paths. Ignored and binary files are left out. */
export async function searchTree(tree: FileTree, options: SearchOptions): Promise<Found> {
  const { query, glob, regex, limit, signal } = options;
  const included = glob === undefined ? () => true : globMatcher(glob);
  if (!regex && /[\r\n]/.test(query)) {
    throw new ToolError('the query has a line break, and matches are within one line');
  }
  const matcher = lineMatcher(query, regex, signal);
  const spent = walkBudget();
  const found: Found = { matches: [], more: false };
  let batch: string[] = [];
  try {
    for await (const { path, kind } of walkTree(tree, '', signal)) {
      if (kind === 'unreadable') found.more = true;
      if (kind === 'file' && included(path)) batch.push(path);
      if (batch.length === batchSize) {
        await searchFiles(tree, batch, matcher, limit, found);
        batch = [];
      }
      if (found.matches.length > limit) break;
      if (spent()) {
        found.more = true;
        break;
      }
    }
    await searchFiles(tree, batch, matcher, limit, found);
  } finally {
    await matcher.close();
  }
  return { matches: found.matches.slice(0, limit), more: found.more || found.matches.length > limit };
}

/** Adds what the files hold; one that could not be looked at must not read as "it is not there". */
async function searchFiles(
  tree: FileTree,
  paths: readonly string[],
  matcher: LineMatcher,
  limit: number,
  found: Found,
): Promise<void> {
  const files = await Promise.all(paths.map((path) => tree.readFile(path).catch(() => undefined)));
  for (const [index, file] of files.entries()) {
    if (!file || file.kind === 'too large') found.more = true;
    if (file?.kind !== 'text') continue;
    const lines = splitLines(file.text);
    // One more than the limit: whether there is more is known, and not guessed.
    const hits = await matcher.match(lines, limit + 1 - found.matches.length);
    found.matches.push(
      ...hits.map(([line, at]) => ({ path: paths[index]!, line: line + 1, text: excerpt(lines[line]!, at) })),
    );
  }
}
