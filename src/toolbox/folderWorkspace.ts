import type { Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { Workspace } from '../core/ports.ts';
import type { CodeServices, GitServices } from '../core/services.ts';
import { noCode } from './code/noCode.ts';
import { createInside } from './createInside.ts';
import { createTreeWorkspace } from './createTreeWorkspace.ts';
import { editInside } from './editInside.ts';
import { fileProblem, notAFolder } from './fileProblem.ts';
import type { FileTree, TreeEntry } from './fileTree.ts';
import { createGitServices } from './git/createGitServices.ts';
import { gitPlace } from './git/gitPlace.ts';
import { findProgram } from './git/gitProgram.ts';
import type { GitPlace } from './git/runGit.ts';
import { normalPath } from './normalPath.ts';
import { readInside } from './readInside.ts';
import { contains, realInside, realPathInside } from './realPathInside.ts';
import { realFolder } from './realFolder.ts';
import { ToolError } from './toolError.ts';

export interface FolderServices {
  /** Who is asked about versions; the git program of this machine when left out. */
  readonly git?: GitServices;
  /** Who is asked about code; nobody when left out, and the tools say so. */
  readonly code?: CodeServices;
}

/** The files of one folder on this machine, for plain Node. Nothing outside the folder can be reached. */
export function createFolderWorkspace(
  root: string,
  { git, code = noCode('none was given') }: FolderServices = {},
): Workspace {
  const folder = resolve(root);
  const tree: FileTree = {
    normal: (path) => normalPath(path, (absolute) => relativeTo(folder, absolute)),
    readDirectory: (path) => readDirectory(folder, path),
    readFile: (path) => readInside(folder, path),
    changeFile: (path, change) => editInside(folder, path, change),
    createFile: (path, text) => createInside(folder, path, text),
    realPath: (path) => realInside(folder, path),
    folderOnDisk: (path) => realFolder(folder, path),
    excluded: () => false,
  };
  return createTreeWorkspace({
    root: () => folder,
    folder: () => ({ ok: true, path: folder }),
    tree: () => tree,
    code,
    git: git ?? createGitServices((path = '') => placesIn(folder, tree.normal(path))),
  });
}

async function placesIn(root: string, inner: string): Promise<readonly GitPlace[]> {
  const program = findProgram('git', process.env);
  if (program === undefined) throw new ToolError('there is no git on this machine (it is not in PATH)');
  return [await gitPlace(program, { root, name: '' }, inner)];
}

function relativeTo(folder: string, absolute: string): string | undefined {
  if (!contains(folder, absolute)) return undefined;
  return relative(folder, absolute).split(sep).join('/');
}

async function readDirectory(root: string, path: string): Promise<readonly TreeEntry[]> {
  const real = await realPathInside(root, path);
  try {
    const entries = await fs.readdir(real, { withFileTypes: true });
    // A folder on the way that was swapped for a link meanwhile shows in the second look.
    if ((await realPathInside(root, path)) !== real)
      throw new ToolError(`${path}: it was replaced while it was read`);
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
      throw new ToolError(`${path}: ${notAFolder}`);
    throw fileProblem(path, error);
  }
}

function kindOf(entry: Dirent): TreeEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}
