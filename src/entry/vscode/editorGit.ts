/** Git as VS Code has it: whether it may be asked, which program it is, and the repositories that are known. */
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { GitServices } from '../../core/services.ts';
import { createGitServices } from '../../toolbox/git/createGitServices.ts';
import { gitPlace } from '../../toolbox/git/gitPlace.ts';
import type { GitPlace } from '../../toolbox/git/runGit.ts';
import { contains } from '../../toolbox/realPathInside.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import type { DiskPlace, EditorPaths } from './editorPaths.ts';

/** The part of the built-in extension's API (version 1) that is used. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  readonly git: { readonly path: string };
  readonly repositories: readonly { readonly rootUri: vscode.Uri }[];
}

/** Repositories that one status looks into. */
const most = 20;

export const untrusted = 'the workspace is not trusted, and git is asked in a trusted one alone';

/**
 * Asks the git that VS Code's own extension found, in the repositories that it knows. Its own questions are not used: they
 * run programs that a repository names, leave out what the user hides from the view, and have no end.
 */
export function createEditorGit(paths: EditorPaths): GitServices {
  return createGitServices(async (path) => {
    if (!vscode.workspace.isTrusted) throw new ToolError(untrusted);
    const places = paths.onDisk(path);
    const { git, repositories } = await gitApi();
    const within = path === undefined ? await repositoriesWithin(repositories, places) : [];
    const all = [...places, ...within].slice(0, most);
    return Promise.all(all.map((place): Promise<GitPlace> => gitPlace(git.path, place, place.inner)));
  });
}

async function gitApi(): Promise<GitApi> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (!extension)
    throw new ToolError(
      "VS Code's own git extension is disabled: the user can enable it, or run_command runs git",
    );
  try {
    const found = extension.isActive ? extension.exports : await extension.activate();
    if (found.enabled) return found.getAPI(1);
  } catch {
    // It has no API where it found no git.
  }
  throw new ToolError(
    "VS Code's own git extension is turned off (git.enabled), or it found no git on this machine",
  );
}

/** Those in folders of a workspace folder; a submodule or a further work tree (a file `.git`) belongs to another. */
async function repositoriesWithin(
  repositories: GitApi['repositories'],
  places: readonly DiskPlace[],
): Promise<readonly DiskPlace[]> {
  const found = repositories.flatMap(({ rootUri }) => {
    const place = places.find(({ root }) => root !== rootUri.fsPath && contains(root, rootUri.fsPath));
    return place ? [{ ...place, inner: relative(place.root, rootUri.fsPath).split(sep).join('/') }] : [];
  });
  const isOwn = await Promise.all(
    found.map(({ root, inner }) =>
      stat(join(root, inner, '.git')).then(
        (git) => git.isDirectory(),
        () => false,
      ),
    ),
  );
  return found
    .filter((_, index) => isOwn[index])
    .sort((a, b) => (join(a.root, a.inner) < join(b.root, b.inner) ? -1 : 1));
}
