import { realpath, stat } from 'node:fs/promises';
import type { AbortSignalLike } from '../../core/ports.ts';
import { contains, realPathInside } from '../realPathInside.ts';
import { ToolError } from '../toolError.ts';
import { GitError, type GitPlace, runGit } from './runGit.ts';

/** A folder on disk that is (a part of) the workspace. */
export interface GitFolder {
  readonly root: string;
  /** As tools name it; '' where it is the whole workspace. */
  readonly name: string;
}

/**
 * Where git is asked about a path: the folder itself, or for a file the folder that holds it or, where it is gone, held
 * it. So a repository within the folder is found too. Throws for what leads out of the folder.
 */
export async function gitPlace(program: string, { root, name }: GitFolder, inner: string): Promise<GitPlace> {
  for (let folder = inner; ; folder = parentOf(folder)) {
    const cwd = await folderAt(root, folder);
    if (cwd === undefined && folder !== '') continue;
    const spec = folder === '' ? inner : inner.slice(folder.length + 1);
    return {
      program,
      cwd: cwd ?? (await realPathInside(root, '')),
      folder: [name, folder].filter((part) => part !== '').join('/'),
      spec,
    };
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Undefined for what is no folder, or is not there. */
async function folderAt(root: string, inner: string): Promise<string | undefined> {
  const isThere = await stat(inner === '' ? root : `${root}/${inner}`).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? realPathInside(root, inner) : undefined;
}

export interface Repository {
  /** Where the place is within the work tree: '' or with a `/` at its end, as git's own paths are. */
  readonly prefix: string;
  /** Settings that keep the repository's own filters from running. */
  readonly settings: readonly string[];
  readonly note?: string;
}

/** The repository around a place; undefined where there is none. Throws for one that git refuses. */
export async function openRepository(
  place: GitPlace,
  signal: AbortSignalLike,
): Promise<Repository | undefined> {
  const top = await topOf(place, signal);
  if (top === undefined) return undefined;
  const [root = '', prefix = '', ...rest] = top.split('\n');
  if (rest.length !== 1) throw new ToolError('the path of the repository has a line break in it');
  // `core.worktree` of a repository may name any folder: what is not around the place is not shown.
  if (!contains(await realpath(root), place.cwd))
    throw new ToolError(`${shownFolder(place)}: the work tree of its repository is elsewhere`);
  const filters = await ownFilters(place, signal);
  if (filters.length === 0) return { prefix, settings: [] };
  const note =
    'filters that the repository itself names were not run: files that they convert may look changed';
  return { prefix, settings: filters, note };
}

export function shownFolder({ folder }: Pick<GitPlace, 'folder'>): string {
  return folder === '' ? '.' : folder;
}

async function topOf(place: GitPlace, signal: AbortSignalLike): Promise<string | undefined> {
  try {
    return (await runGit(place, { args: ['rev-parse', '--show-toplevel', '--show-prefix'] }, signal)).text;
  } catch (error) {
    if (error instanceof GitError && /not a git repository|must be run in a work tree/.test(error.said))
      return undefined;
    throw error;
  }
}

/**
 * Filters are programs that git runs on files to compare them. Those of the user's own settings are the user's; what the
 * repository says replaces nothing of them and is not run.
 */
async function ownFilters(place: GitPlace, signal: AbortSignalLike): Promise<readonly string[]> {
  const args = [
    'config',
    '--show-scope',
    '-z',
    '--get-regexp',
    String.raw`^filter\..*\.(clean|smudge|process|required)$`,
  ];
  const { text, cut } = await runGit(place, { args, also: [1] }, signal);
  const words = text.split('\0');
  const own = new Set<string>();
  const users = new Map<string, string>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const entry = words[at + 1]!;
    const end = entry.indexOf('\n');
    const key = end < 0 ? entry : entry.slice(0, end);
    if (words[at] === 'local' || words[at] === 'worktree') own.add(key);
    else if (words[at] !== 'command') users.set(key, end < 0 ? 'true' : entry.slice(end + 1));
  }
  if (cut || [...own].some((key) => key.includes('=')))
    throw new ToolError(
      `${shownFolder(place)}: its repository names filters in a way that can not be turned off`,
    );
  // Nothing takes a setting away again: an empty `process` turns off `clean` too, so only what is named is replaced.
  const names = new Set([...own].map((key) => key.slice(0, key.lastIndexOf('.'))));
  return [
    ...[...own].map((key) => `${key}=${users.get(key) ?? ''}`),
    ...[...names].map((name) => `${name}.required=false`),
  ];
}
