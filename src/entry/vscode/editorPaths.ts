import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type * as vscode from 'vscode';
import type { GitFolder } from '../../toolbox/git/gitPlace.ts';
import { normalPath } from '../../toolbox/normalPath.ts';
import { contains } from '../../toolbox/realPathInside.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import type { EditorApi } from './editorApi.ts';
import {
  type Folder,
  inPlace,
  locate,
  openFolders,
  pathOfUri,
  placeIn,
  realInner,
  relativePath,
} from './editorFolders.ts';

/** Between the paths of tools and the places that VS Code's services speak of. Those that ask for a place throw `ToolError`. */
export interface EditorPaths {
  /** Where a path of a tool's is, links followed. */
  uriOf(path: string): Promise<vscode.Uri>;
  /** Whether there are several folders, so that paths begin with the name of one. */
  hasSeveral(): boolean;
  /** As tools show it, by its spelling; undefined outside the workspace. */
  pathOf(uri: vscode.Uri): string | undefined;
  /** The same, with links followed: undefined also for what only seems to be inside. Never rejects. */
  insideOf(uri: vscode.Uri): Promise<string | undefined>;
  /** The folder on disk that a path is in, and the rest of the path; without a path every open folder on disk. */
  onDisk(path: string | undefined): readonly DiskPlace[];
}

export interface DiskPlace extends GitFolder {
  readonly inner: string;
}

export function createEditorPaths(api: EditorApi): EditorPaths {
  const normal = (folders: readonly Folder[], path: string) =>
    normalPath(path, (absolute) => relativePath(folders, absolute));
  return {
    uriOf: async (path) => {
      const folders = openFolders(api);
      const at = locate(api, folders, normal(folders, path));
      return inPlace(at, path, async (place, real) => placeIn(api, place.folder, real).uri);
    },
    hasSeveral: () => openFolders(api).length > 1,
    pathOf: (uri) => spelled(api, uri),
    insideOf: (uri) => insideOf(api, uri).catch(() => undefined),
    onDisk: (path) => {
      const folders = openFolders(api);
      const wanted = path === undefined ? '' : normal(folders, path);
      const several = folders.length > 1;
      if (wanted === '') {
        const onDisk = folders.filter(({ uri }) => uri.scheme === 'file');
        if (onDisk.length === 0) throw new ToolError(isVirtual);
        return onDisk.map(({ uri, name }) => ({ root: uri.fsPath, name: several ? name : '', inner: '' }));
      }
      const { folder, inner } = locate(api, folders, wanted);
      if (folder.uri.scheme !== 'file') throw new ToolError(`${path}: ${isVirtual}`);
      return [{ root: folder.uri.fsPath, name: several ? folder.name : '', inner }];
    },
  };
}

const isVirtual = 'git needs a folder on disk, and this one is virtual';

function spelled(api: EditorApi, uri: vscode.Uri): string | undefined {
  return (api.workspace.workspaceFolders ?? []).length === 0 ? undefined : pathOfUri(openFolders(api), uri);
}

async function insideOf(api: EditorApi, uri: vscode.Uri): Promise<string | undefined> {
  const path = spelled(api, uri);
  if (uri.scheme !== 'file') return path;
  const folders = openFolders(api);
  if (path !== undefined) {
    await realInner(locate(api, folders, path));
    return path;
  }
  // A folder that is a link itself may come back under its real name.
  for (const folder of folders.filter((one) => one.uri.scheme === 'file')) {
    const root = await realpath(folder.uri.fsPath);
    if (!contains(root, uri.fsPath)) continue;
    const inner = relative(root, uri.fsPath).split(sep).join('/');
    await realInner(placeIn(api, folder, inner));
    return folders.length > 1 ? `${folder.name}/${inner}` : inner;
  }
  return undefined;
}
