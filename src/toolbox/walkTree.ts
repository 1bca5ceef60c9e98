import type { AbortSignalLike } from '../core/ports.ts';
import type { FileTree, TreeEntry } from './fileTree.ts';
import { type IgnoreRules, noRules } from './ignoreRules.ts';
import { ToolError } from './toolError.ts';

export interface Visit {
  readonly path: string;
  /** `skipped`: a folder that is never entered unasked; `unreadable`: one that could not be. */
  readonly kind: 'file' | 'folder' | 'link' | 'skipped' | 'unreadable';
}

/** Never worth a walk unless asked for by name; `node_modules` may be tracked, and is skipped all the same. */
const skippedNames: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * What is directly in `folder`, sorted as full paths sort, without what is ignored.
 * An explicit request inside an ignored folder works: the rules above it then no longer count.
 */
export async function visibleEntries(tree: FileTree, folder: string): Promise<readonly Visit[]> {
  const entries = await tree.readDirectory(folder);
  return (await look(tree, folder, entries, await rulesAbove(tree, folder))).visits;
}

/**
 * Everything under `start`, depth first, sorted as full paths sort. Ignore rules are read on the way down
 * and ignored folders are never entered. Links are reported and not followed: what they lead to
 * inside is visited under its own name, and what they lead to outside is nobody's business.
 */
export async function* walkTree(
  tree: FileTree,
  start: string,
  signal: AbortSignalLike,
): AsyncGenerator<Visit> {
  const entries = await tree.readDirectory(start);
  yield* walkFrom(tree, start, entries, await rulesAbove(tree, start), signal);
}

async function* walkFrom(
  tree: FileTree,
  folder: string,
  entries: readonly TreeEntry[],
  above: IgnoreRules,
  signal: AbortSignalLike,
): AsyncGenerator<Visit> {
  const { visits, rules } = await look(tree, folder, entries, above);
  for (const visit of visits) {
    if (signal.aborted) throw new ToolError('cancelled');
    yield visit;
    if (visit.kind !== 'folder') continue;
    const inner = await tree.readDirectory(visit.path).catch(() => undefined);
    if (inner) yield* walkFrom(tree, visit.path, inner, rules, signal);
    else yield { path: visit.path, kind: 'unreadable' };
  }
}

async function look(
  tree: FileTree,
  folder: string,
  entries: readonly TreeEntry[],
  above: IgnoreRules,
): Promise<{ visits: readonly Visit[]; rules: IgnoreRules }> {
  const rules = await withRulesOf(tree, folder, entries, above);
  const visits = entries
    .map((entry) => visit(tree, folder, entry, rules))
    .filter((one) => one !== undefined)
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  return { visits, rules };
}

function visit(
  tree: FileTree,
  folder: string,
  { name, kind }: TreeEntry,
  rules: IgnoreRules,
): Visit | undefined {
  const path = folder === '' ? name : `${folder}/${name}`;
  if (kind === 'other' || tree.excluded(path)) return undefined;
  if (skippedNames.has(name)) return kind === 'folder' ? { path, kind: 'skipped' } : undefined;
  return rules.ignores(path, kind === 'folder') ? undefined : { path, kind };
}

/** A folder sorts by its name with `/`, as the paths below it do. */
function sortKey({ path, kind }: Visit): string {
  return kind === 'file' || kind === 'link' ? path : `${path}/`;
}

async function withRulesOf(
  tree: FileTree,
  folder: string,
  entries: readonly TreeEntry[],
  above: IgnoreRules,
): Promise<IgnoreRules> {
  // Not through a link: git does not follow one here either.
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.kind === 'file')) return above;
  const file = await tree
    .readFile(folder === '' ? '.gitignore' : `${folder}/.gitignore`)
    .catch(() => undefined);
  return file?.kind === 'text' ? above.and(folder, file.text) : above;
}

/** The rules of the folders above `folder`; none when they would hide it. */
async function rulesAbove(tree: FileTree, folder: string): Promise<IgnoreRules> {
  const segments = folder === '' ? [] : folder.split('/');
  let rules = noRules;
  for (let depth = 0; depth < segments.length; depth++) {
    const parent = segments.slice(0, depth).join('/');
    const entries = await tree.readDirectory(parent).catch(() => []);
    rules = await withRulesOf(tree, parent, entries, rules);
    if (rules.ignores(segments.slice(0, depth + 1).join('/'), true)) return noRules;
  }
  return rules;
}
