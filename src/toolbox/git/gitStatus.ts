import type { AbortSignalLike } from '../../core/ports.ts';
import type { GitChange, GitKind, GitRepository } from '../../core/services.ts';
import { type Repository, shownFolder } from './gitPlace.ts';
import { type GitPlace, runGit } from './runGit.ts';

/** More changes than anybody reads. */
const limit = 1000;

/** What differs from the last commit at a place. Submodules are compared by their commit, and not looked into. */
export async function gitStatus(
  place: GitPlace,
  { prefix, settings, note }: Repository,
  signal: AbortSignalLike,
): Promise<GitRepository> {
  const args = [
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--untracked-files=normal',
    '--find-renames',
    '--ignore-submodules=dirty',
    '--',
    place.spec === '' ? '.' : place.spec,
  ];
  const { text, cut } = await runGit(place, { args, settings }, signal);
  const entries = text.split('\0');
  // Behind the last NUL is nothing, or the beginning of what was cut.
  entries.pop();
  const { heads, changes } = readEntries(entries, (path) => placed(place, prefix, path));
  return {
    path: shownFolder(place),
    ...branchOf(heads),
    changes: changes.slice(0, limit),
    more: cut || changes.length > limit,
    ...(note === undefined ? {} : { note }),
  };
}

/** A path of git's (from the top of the work tree) as tools write it; undefined outside of the place. */
function placed({ folder }: GitPlace, prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const inner = path.slice(prefix.length);
  return folder === '' ? inner : `${folder}/${inner}`;
}

interface Entries {
  readonly heads: ReadonlyMap<string, string>;
  readonly changes: readonly GitChange[];
}

function readEntries(entries: readonly string[], shown: (path: string) => string | undefined): Entries {
  const heads = new Map<string, string>();
  const changes: GitChange[] = [];
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    if (entry.startsWith('# ')) {
      const [name = '', ...words] = entry.slice(2).split(' ');
      heads.set(name, words.join(' '));
      continue;
    }
    const from = entry.startsWith('2 ') ? entries[++at] : undefined;
    const change = changeOf(entry, from, shown);
    if (change) changes.push(change);
  }
  return { heads, changes };
}

/** Fields before the path, by the kind of an entry. */
const fields: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1 };

function changeOf(
  entry: string,
  origin: string | undefined,
  shown: (path: string) => string | undefined,
): GitChange | undefined {
  const kind = entry[0] ?? '';
  const before = fields[kind];
  if (before === undefined) return undefined;
  const words = entry.split(' ');
  const path = shown(words.slice(before).join(' '));
  if (path === undefined) return undefined;
  if (kind === '?') return { path, unstaged: 'untracked' };
  const [, code = '', submodule = ''] = words;
  const isSubmodule = submodule.startsWith('S') ? { submodule: true as const } : {};
  if (kind === 'u') return { path, conflict: conflicts[code] ?? code, ...isSubmodule };
  const [staged, unstaged] = [kinds[code[0] ?? ''], kinds[code[1] ?? '']];
  const from = origin === undefined ? undefined : shown(origin);
  return {
    path,
    ...(staged ? { staged } : {}),
    ...(unstaged ? { unstaged } : {}),
    ...(from === undefined ? {} : { from }),
    ...isSubmodule,
  };
}

const kinds: Readonly<Record<string, GitKind>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
};

const conflicts: Readonly<Record<string, string>> = {
  DD: 'both deleted',
  AU: 'added by us',
  UD: 'deleted by them',
  UA: 'added by them',
  DU: 'deleted by us',
  AA: 'both added',
  UU: 'both modified',
};

type Branch = Pick<GitRepository, 'branch' | 'commit' | 'upstream' | 'ahead' | 'behind'>;

function branchOf(heads: ReadonlyMap<string, string>): Branch {
  const head = heads.get('branch.head');
  const commit = heads.get('branch.oid');
  const upstream = heads.get('branch.upstream');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(heads.get('branch.ab') ?? '') ?? [];
  return {
    branch: head === undefined || head === '(detached)' ? null : head,
    commit: commit === undefined || commit === '(initial)' ? null : commit,
    ...(upstream === undefined ? {} : { upstream }),
    ...(ahead === undefined ? {} : { ahead: Number(ahead), behind: Number(behind) }),
  };
}
