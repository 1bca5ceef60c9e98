import { relative } from 'node:path';
import type * as vscode from 'vscode';
import type { Workspace } from '../../core/ports.ts';
import { createTreeWorkspace } from '../../toolbox/createTreeWorkspace.ts';
import { fileProblem } from '../../toolbox/fileProblem.ts';
import type { ChangedFile, FileTree, TreeEntry } from '../../toolbox/fileTree.ts';
import { normalPath } from '../../toolbox/normalPath.ts';
import { contains, deepestInside, realInside } from '../../toolbox/realPathInside.ts';
import { realFolder } from '../../toolbox/realFolder.ts';
import { refuseWriting } from '../../toolbox/refuseWriting.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import type { EditorApi } from './editorApi.ts';
import {
  inPlace,
  locate,
  openFolders,
  type Place,
  placeIn,
  realInner,
  relativePath,
} from './editorFolders.ts';
import { createEditorPaths, type EditorPaths } from './editorPaths.ts';
import { changeText, createText, type EditorFile, readContent } from './editorText.ts';

/** What the editor offers beside the files. */
export type WorkspaceServices = Pick<Workspace, 'code' | 'editor' | 'git' | 'tasks'>;

/**
 * The workspace as the editor has it: every folder of it (with several, paths are `name/path`), on any file
 * system, and the unsaved text of open files before what is on disk. Everything goes through URIs and
 * `workspace.fs`; only for `file:` folders Node is asked where links lead. Folders and settings are read
 * anew for each operation. Commands run in the folder of the agent file, else in the first one that is on disk.
 */
export function createEditorWorkspace(
  api: EditorApi,
  agent?: vscode.Uri,
  services: (paths: EditorPaths) => WorkspaceServices = () => ({}),
): Workspace {
  return createTreeWorkspace({
    ...services(createEditorPaths(api)),
    root: () => rootLabel(api.workspace.workspaceFolders ?? []),
    folder: () => commandFolder(api.workspace.workspaceFolders ?? [], agent),
    tree: () => editorTree(api),
  });
}

function rootLabel(folders: readonly vscode.WorkspaceFolder[]): string | undefined {
  const [first, ...more] = folders;
  if (!first) return undefined;
  if (more.length > 0) return folders.map((folder) => folder.name).join(', ');
  return first.uri.scheme === 'file' ? first.uri.fsPath : first.uri.toString();
}

const isVirtual = 'commands run in a folder on disk, and this workspace is virtual';

function commandFolder(
  folders: readonly vscode.WorkspaceFolder[],
  agent: vscode.Uri | undefined,
): ReturnType<Workspace['folder']> {
  const onDisk = folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  const around = onDisk
    .filter((path) => agent?.scheme === 'file' && contains(path, agent.fsPath))
    .sort((a, b) => b.length - a.length);
  const path = around[0] ?? onDisk[0];
  if (path !== undefined) return { ok: true, path };
  const error =
    folders.length === 0 ? 'commands run in the workspace folder, and no folder is open' : isVirtual;
  return { ok: false, error };
}

function editorTree(api: EditorApi): FileTree {
  const folders = openFolders(api);
  const place = (path: string): Place => locate(api, folders, path);
  return {
    normal: (path) => {
      const normal = normalPath(path, (absolute) => relativePath(folders, absolute));
      if (normal !== '') place(normal);
      return normal;
    },
    readDirectory: async (path) => {
      if (path === '' && folders.length > 1) return folders.map(({ name }) => ({ name, kind: 'folder' }));
      return inPlace(place(path), path, (at) => readDirectory(api, at));
    },
    readFile: (path) =>
      inPlace(place(path), path, (at, real) => readContent(api, fileAt(api, at, real, path))).catch(
        (error: unknown) => refuseUntitled(api, path, error),
      ),
    changeFile: async (path, change) => {
      refuseWriting(path);
      return inPlace(
        place(path),
        path,
        (at, real) => {
          refuseWriting(real);
          return changeText(api, fileAt(api, at, real, path), change);
        },
        'write',
      ).catch((error: unknown) => refuseUntitled(api, path, error));
    },
    createFile: (path, text) => createIn(api, place(path), path, text),
    realPath: async (path) => {
      if (path === '') return { path, uri: '' };
      const { folder, inner } = place(path);
      const real = folder.uri.scheme === 'file' ? (await realInside(folder.uri.fsPath, inner)).path : inner;
      const uri = placeIn(api, folder, real).uri.toString();
      return { path: folders.length === 1 ? real : `${folder.name}/${real}`, uri };
    },
    folderOnDisk: async (path) => {
      const { folder, inner } = place(path);
      if (folder.uri.scheme !== 'file') throw new ToolError(`${path}: ${isVirtual}`);
      return realFolder(folder.uri.fsPath, inner);
    },
    excluded: (path) => {
      const { folder, inner } = place(path);
      return inner !== '' && folder.excluded(inner);
    },
  };
}

/** An editor without a file is the user's own: its text is on no disk, and nothing could be undone in it. */
function refuseUntitled({ workspace }: EditorApi, path: string, error: unknown): never {
  const isOpen = workspace.textDocuments.some(
    ({ isUntitled, uri }) => isUntitled && (uri.path === path || `${uri.scheme}:${uri.path}` === path),
  );
  if (!isOpen) throw error;
  throw new ToolError(`${path}: it is an editor without a file: ask the user to save it first`);
}

/** Makes a file between two looks: at the deepest folder that is there, and at what was made. */
async function createIn(api: EditorApi, place: Place, path: string, text: string): Promise<ChangedFile> {
  const { folder, inner, uri } = place;
  refuseWriting(path);
  if (inner === '') throw new ToolError('path is empty: name the file that is to be made');
  try {
    if (folder.uri.scheme !== 'file') return await createText(api, { path, given: uri, real: uri }, text);
    const above = await deepestInside(folder.uri.fsPath, inner);
    refuseWriting(relative(above.root, above.path));
    const made = await createText(api, { path, given: uri, real: uri }, text);
    const real = await realInner(place).catch(async (error: unknown) => {
      await api.workspace.fs.delete(uri);
      throw error;
    });
    return { ...made, uri: placeIn(api, folder, real).uri.toString() };
  } catch (error) {
    throw fileProblem(path, error, 'write');
  }
}

function fileAt(api: EditorApi, place: Place, real: string, path: string): EditorFile {
  return { path, given: place.uri, real: placeIn(api, place.folder, real).uri };
}

async function readDirectory(api: EditorApi, { uri }: Place): Promise<readonly TreeEntry[]> {
  const entries = await api.workspace.fs.readDirectory(uri);
  return entries.map(([name, type]) => ({ name, kind: kindOf(api, type) }));
}

function kindOf({ FileType }: EditorApi, type: vscode.FileType): TreeEntry['kind'] {
  if (type & FileType.SymbolicLink) return 'link';
  if (type & FileType.Directory) return 'folder';
  return type & FileType.File ? 'file' : 'other';
}
