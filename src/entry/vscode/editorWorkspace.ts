import { relative, sep } from 'node:path';
import type * as vscode from 'vscode';
import type { EditorServices, Workspace } from '../../core/ports.ts';
import { createTreeWorkspace } from '../../toolbox/createTreeWorkspace.ts';
import { type Access, fileProblem } from '../../toolbox/fileProblem.ts';
import type { ChangedFile, FileTree, TreeEntry } from '../../toolbox/fileTree.ts';
import { pathMatcher } from '../../toolbox/globMatcher.ts';
import { normalPath } from '../../toolbox/normalPath.ts';
import { contains, deepestInside, realInside, realPathInside } from '../../toolbox/realPathInside.ts';
import { realFolder } from '../../toolbox/realFolder.ts';
import { refuseWriting } from '../../toolbox/refuseWriting.ts';
import { rootNames } from '../../toolbox/rootNames.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import type { EditorApi } from './editorApi.ts';
import type { EditorPaths } from './editorServices.ts';
import { changeText, createText, type EditorFile, readContent } from './editorText.ts';

interface Folder {
  /** As tools show and accept it, when there are several. */
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly excluded: (path: string) => boolean;
}

interface Place {
  readonly folder: Folder;
  /** Within the folder, normal form; '' is the folder. */
  readonly inner: string;
  readonly uri: vscode.Uri;
}

/**
 * The workspace as the editor has it: every folder of it (with several, paths are `name/path`), on any file
 * system, and the unsaved text of open files before what is on disk. Everything goes through URIs and
 * `workspace.fs`; only for `file:` folders Node is asked where links lead. Folders and settings are read
 * anew for each operation. Commands run in the folder of the agent file, else in the first one that is on disk.
 */
export function createEditorWorkspace(
  api: EditorApi,
  agent?: vscode.Uri,
  services?: (paths: EditorPaths) => EditorServices,
): Workspace {
  const editor = services?.(editorPaths(api));
  return createTreeWorkspace({
    ...(editor ? { editor } : {}),
    root: () => rootLabel(api.workspace.workspaceFolders ?? []),
    folder: () => commandFolder(api.workspace.workspaceFolders ?? [], agent),
    tree: () => editorTree(api),
  });
}

function editorPaths(api: EditorApi): EditorPaths {
  return {
    uriOf: async (path) => {
      const folders = openFolders(api);
      const at = locate(
        api,
        folders,
        normalPath(path, (absolute) => relativePath(folders, absolute)),
      );
      return inPlace(at, path, async (place, real) => placeIn(api, place.folder, real).uri);
    },
    pathOf: (uri) =>
      relativePath(openFolders(api), uri.scheme === 'file' ? uri.fsPath : uri.path, uri.scheme),
  };
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
  if (folders.length === 0) {
    throw new ToolError(
      'no folder is open, so there are no files: ask the user to open one (File > Open Folder)',
    );
  }
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
      if (path === '') return path;
      const { folder, inner } = place(path);
      const real = folder.uri.scheme === 'file' ? await realInside(folder.uri.fsPath, inner) : inner;
      return folders.length === 1 ? real : `${folder.name}/${real}`;
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

function openFolders(api: EditorApi): readonly Folder[] {
  const open = api.workspace.workspaceFolders ?? [];
  const names = rootNames(open.map(({ name, uri }) => ({ name, path: uri.path })));
  return open.map(({ uri }, index) => ({ name: names[index]!, uri, excluded: excludedBy(api, uri) }));
}

/** `files.exclude`. Conditional entries (`when`) are about generated twins in a tree view: not for us. */
function excludedBy(api: EditorApi, uri: vscode.Uri): (path: string) => boolean {
  const setting = api.workspace.getConfiguration('files', uri).get<Record<string, unknown>>('exclude') ?? {};
  const matchers = Object.keys(setting)
    .filter((glob) => setting[glob] === true)
    .map((glob) => excludeMatcher(glob));
  return (path) => matchers.some((matches) => matches(path));
}

function excludeMatcher(glob: string): (path: string) => boolean {
  try {
    return pathMatcher(glob);
  } catch {
    // More stars than we take on from a model; the setting then hides nothing from it.
    return () => false;
  }
}

function locate(api: EditorApi, folders: readonly Folder[], path: string): Place {
  if (folders.length === 1) return placeIn(api, folders[0]!, path);
  const [name = '', ...rest] = path.split('/');
  const folder = folders.find((one) => one.name === name);
  if (folder) return placeIn(api, folder, rest.join('/'));
  const twins = folders.filter((one) => one.name.startsWith(`${name}@`));
  const candidates =
    twins.length > 0 ? twins.map((one) => [one.name, ...rest]) : folders.map((one) => [one.name, path]);
  const words = candidates.slice(0, 10).map((segments) => JSON.stringify(segments.join('/')));
  throw new ToolError(
    `${JSON.stringify(path)} is refused: several folders are open; say which: ${words.join(', ')}`,
  );
}

function placeIn(api: EditorApi, folder: Folder, inner: string): Place {
  return {
    folder,
    inner,
    uri: inner === '' ? folder.uri : api.Uri.joinPath(folder.uri, ...inner.split('/')),
  };
}

/** What an absolute path (of a file system, where it is said) that lies in an open folder should have been written as. */
function relativePath(folders: readonly Folder[], absolute: string, scheme?: string): string | undefined {
  for (const { name, uri } of folders) {
    if (scheme !== undefined && uri.scheme !== scheme) continue;
    const root = uri.scheme === 'file' ? uri.fsPath : uri.path;
    if (absolute !== root && !absolute.startsWith(`${root}/`)) continue;
    const inner = absolute.slice(root.length + 1);
    return folders.length === 1 ? inner : `${name}/${inner}`;
  }
  return undefined;
}

/** Runs an access between two looks at where the path really leads: before it, and again after it. */
async function inPlace<T>(
  place: Place,
  path: string,
  access: (place: Place, real: string) => Promise<T>,
  kind: Access = 'read',
): Promise<T> {
  try {
    const before = await realInner(place);
    const result = await access(place, before);
    if ((await realInner(place)) !== before) throw new ToolError(`${path}: it was replaced meanwhile`);
    return result;
  } catch (error) {
    throw fileProblem(path, error, kind);
  }
}

/**
 * The place within the folder with all links followed. Other schemes have no links that could be asked
 * about: their provider is the judge of its own paths.
 */
async function realInner({ folder, inner }: Place): Promise<string> {
  if (folder.uri.scheme !== 'file') return inner;
  const root = await realPathInside(folder.uri.fsPath, '');
  return relative(root, await realPathInside(folder.uri.fsPath, inner))
    .split(sep)
    .join('/');
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
