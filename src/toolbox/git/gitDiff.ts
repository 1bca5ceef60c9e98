import type { AbortSignalLike } from '../../core/ports.ts';
import type { GitDiff, GitDiffFile, GitDiffQuery } from '../../core/services.ts';
import type { Repository } from './gitPlace.ts';
import { GitError, type GitPlace, runGit } from './runGit.ts';

/** Characters of a diff, and files that it counts lines of. */
const longest = 100_000;
const mostFiles = 500;

/** What changed at a place, as git's own text. Never by a program that the repository names, submodules by their commit. */
export async function gitDiff(
  place: GitPlace,
  { settings, note }: Repository,
  { changes }: GitDiffQuery,
  signal: AbortSignalLike,
): Promise<GitDiff> {
  const top = place.folder === '' ? '' : `${place.folder}/`;
  const options = [
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--find-renames',
    '--submodule=short',
    '--ignore-submodules=dirty',
    '--relative',
    '--unified=3',
    '--inter-hunk-context=0',
    `--src-prefix=a/${top}`,
    `--dst-prefix=b/${top}`,
  ];
  const against = await comparedWith(place, changes, signal);
  const what = [...against, '--', place.spec === '' ? '.' : place.spec];
  const ask = (form: readonly string[]) =>
    runGit(place, { args: ['diff', ...options, ...form, ...what], settings }, signal);
  const counted = await ask(['--numstat', '-z']);
  const patch = await ask(['--patch']);
  const files = filesOf(counted.text, top);
  const diff = fitting(patch.text);
  const more = counted.cut || files.length > mostFiles || patch.cut || diff.length < patch.text.length;
  return { files: files.slice(0, mostFiles), diff, more, ...(note === undefined ? {} : { note }) };
}

/** Where nothing was committed yet, all is compared with nothing. */
async function comparedWith(
  place: GitPlace,
  changes: GitDiffQuery['changes'],
  signal: AbortSignalLike,
): Promise<readonly string[]> {
  if (changes === 'unstaged') return [];
  if (changes === 'staged') return ['--cached'];
  try {
    await runGit(place, { args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] }, signal);
    return ['HEAD'];
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const empty = await runGit(place, { args: ['hash-object', '-t', 'tree', '--stdin'] }, signal);
    return [empty.text.trim()];
  }
}

/** `added TAB removed TAB path NUL`, or for a renamed file `added TAB removed TAB NUL from NUL path NUL`. */
function filesOf(text: string, top: string): GitDiffFile[] {
  const words = text.split('\0');
  // Behind the last NUL is nothing, or the beginning of what was cut.
  words.pop();
  const files = new Map<string, GitDiffFile>();
  for (let at = 0; at < words.length; at++) {
    const [added = '', removed = '', ...rest] = words[at]!.split('\t');
    const named = rest.join('\t');
    const from = named === '' ? words[++at] : undefined;
    const path = named === '' ? words[++at] : named;
    if (path === undefined) break;
    files.set(path, {
      path: `${top}${path}`,
      ...(from === undefined ? {} : { from: `${top}${from}` }),
      ...(added === '-' ? { binary: true } : { added: Number(added), removed: Number(removed) }),
    });
  }
  return [...files.values()];
}

/** Whole files as far as they fit; of one that alone is longer, its whole lines. No line within a file's part begins so. */
function fitting(text: string): string {
  if (text.length <= longest) return text;
  const file = text.lastIndexOf('\ndiff --', longest);
  const end = file > 0 ? file : text.lastIndexOf('\n', longest - 1);
  return end > 0 ? text.slice(0, end + 1) : text.slice(0, longest).toWellFormed();
}
