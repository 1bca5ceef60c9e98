import { realpath } from 'node:fs/promises';
import type { AbortSignalLike } from '../../core/ports.ts';
import type { GitDiff, GitRepository, GitServices } from '../../core/services.ts';
import { errorText } from '../errorText.ts';
import { ToolError } from '../toolError.ts';
import { gitDiff } from './gitDiff.ts';
import { openRepository, type Repository, shownFolder } from './gitPlace.ts';
import { gitStatus } from './gitStatus.ts';
import type { GitPlace } from './runGit.ts';

/** Where git is asked about a path, or about all of the workspace. Throws `ToolError` where there is no git to ask. */
export type GitPlaces = (path: string | undefined) => Promise<readonly GitPlace[]>;

/** The `GitServices` port over git itself. This is the seam: nothing below it throws through it. */
export function createGitServices(places: GitPlaces): GitServices {
  return {
    async status(path, signal) {
      try {
        return { ok: true, repositories: await inEach(await places(path), signal, gitStatus) };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
    async diff(query, signal) {
      try {
        const diffs = await inEach(await places(query.path), signal, (place, repository) =>
          gitDiff(place, repository, query, signal),
        );
        return { ok: true, ...joined(diffs) };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
  };
}

async function inEach<Answer extends GitRepository | GitDiff>(
  places: readonly GitPlace[],
  signal: AbortSignalLike,
  ask: (place: GitPlace, repository: Repository, signal: AbortSignalLike) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const place of places) {
    const repository = await openRepository(place, signal);
    if (!repository) continue;
    answers.push(await ask(place, repository, signal));
    // A folder on the way that was replaced by a link meanwhile shows in the second look.
    if ((await realpath(place.cwd)) !== place.cwd)
      throw new ToolError(`${shownFolder(place)}: it was replaced meanwhile`);
  }
  if (answers.length > 0) return answers;
  const where = places.map(shownFolder).join(', ');
  throw new ToolError(`${where}: there is no git repository here`);
}

function joined(diffs: readonly GitDiff[]): GitDiff {
  const note = diffs.find((one) => one.note !== undefined)?.note;
  return {
    files: diffs.flatMap(({ files }) => files),
    diff: diffs.map(({ diff }) => diff).join(''),
    more: diffs.some(({ more }) => more),
    ...(note === undefined ? {} : { note }),
  };
}
