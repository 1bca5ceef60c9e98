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
  readonly more: boolean;
}

/** The lines that match, file by file in the order of paths. Ignored and binary files are left out. */
export async function searchTree(tree: FileTree, options: SearchOptions): Promise<Found> {
  const { query, glob, regex, limit, signal } = options;
  const included = glob === undefined ? () => true : globMatcher(glob);
  if (!regex && /[\r\n]/.test(query)) {
    throw new ToolError('the query has a line break, and matches are within one line');
  }
  const matcher = lineMatcher(query, regex, signal);
  const matches: SearchMatch[] = [];
  const spent = walkBudget();
  let more = false;
  try {
    for await (const { path, kind } of walkTree(tree, '', signal)) {
      if (kind === 'unreadable') more = true;
      if (kind === 'file' && included(path)) {
        const found = await searchFile(tree, path, matcher, limit + 1 - matches.length);
        if (found) matches.push(...found);
        else more = true;
      }
      if (matches.length > limit || spent()) return { matches: matches.slice(0, limit), more: true };
    }
    return { matches, more };
  } finally {
    await matcher.close();
  }
}

/** Undefined when the file could not be looked at, which must not read as "it is not there". */
async function searchFile(
  tree: FileTree,
  path: string,
  matcher: LineMatcher,
  limit: number,
): Promise<SearchMatch[] | undefined> {
  const file = await tree.readFile(path).catch(() => undefined);
  if (!file || file.kind === 'too large') return undefined;
  if (file.kind === 'binary') return [];
  const lines = splitLines(file.text);
  const hits = await matcher.match(lines, limit);
  return hits.map(([line, at]) => ({ path, line: line + 1, text: excerpt(lines[line]!, at) }));
}
