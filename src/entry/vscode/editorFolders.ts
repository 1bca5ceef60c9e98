/** The folders that are open in the editor, and where in them a tool's path is. */
import { relative, sep } from 'node:path';
import type * as vscode from 'vscode';
import { type Access, fileProblem } from '../../toolbox/fileProblem.ts';
import { pathMatcher } from '../../toolbox/globMatcher.ts';
import { realPathInside } from '../../toolbox/realPathInside.ts';
import { rootNames } from '../../toolbox/rootNames.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import type { EditorApi } from './editorApi.ts';

export interface Folder {
  /** As tools show and accept it, when there are several. */
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly excluded: (path: string) => boolean;
}

export interface Place {
  readonly folder: Folder;
  /** Within the folder, normal form; '' is the folder. */
  readonly inner: string;
  readonly uri: vscode.Uri;
}

/** Of this moment. Throws `ToolError` where none is open. */
export function openFolders(api: EditorApi): readonly Folder[] {
  const open = api.workspace.workspaceFolders ?? [];
  if (open.length === 0)
    throw new ToolError(
      'no folder is open, so there are no files: ask the user to open one (File > Open Folder)',
    );
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

export function locate(api: EditorApi, folders: readonly Folder[], path: string): Place {
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

export function placeIn(api: EditorApi, folder: Folder, inner: string): Place {
  return {
    folder,
    inner,
    uri: inner === '' ? folder.uri : api.Uri.joinPath(folder.uri, ...inner.split('/')),
  };
}

/** What an absolute path that lies in an open folder should have been written as. */
export function relativePath(
  folders: readonly Folder[],
  absolute: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const path = platform === 'win32' ? `/${absolute.replaceAll('\\', '/')}`.replace(/^\/{2,}/, '/') : absolute;
  return within(folders, path, folders.length > 1, platform);
}

/** The place of a URI as tools write it; undefined outside of the folders. */
export function pathOfUri(
  folders: readonly Folder[],
  { scheme, authority, path }: Pick<vscode.Uri, 'scheme' | 'authority' | 'path'>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const near = folders.filter(({ uri }) => uri.scheme === scheme && uri.authority === authority);
  return within(near, path, folders.length > 1, scheme === 'file' ? platform : undefined);
}

/** Paths as in URIs, with `/`. Windows takes a letter in either case for the same. */
function within(
  folders: readonly Folder[],
  path: string,
  areSeveral: boolean,
  platform: NodeJS.Platform | undefined,
): string | undefined {
  const same = (text: string) => (platform === 'win32' ? text.toLowerCase() : text);
  for (const { name, uri } of folders) {
    const root = uri.path.endsWith('/') ? uri.path : `${uri.path}/`;
    if (!same(`${path}/`).startsWith(same(root))) continue;
    const inner = path.slice(root.length);
    return areSeveral ? [name, inner].filter((part) => part !== '').join('/') : inner;
  }
  return undefined;
}

/** Runs an access between two looks at where the path really leads: before it, and again after it. */
export async function inPlace<T>(
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
export async function realInner({ folder, inner }: Place): Promise<string> {
  if (folder.uri.scheme !== 'file') return inner;
  const root = await realPathInside(folder.uri.fsPath, '');
  return relative(root, await realPathInside(folder.uri.fsPath, inner))
    .split(sep)
    .join('/');
}
