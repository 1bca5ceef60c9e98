import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeOf, fileProblem } from './fileProblem.ts';
import type { ChangedFile } from './fileTree.ts';
import { outside } from './normalPath.ts';
import { contains, deepestInside } from './realPathInside.ts';
import { refuseWriting } from './refuseWriting.ts';
import { ToolError } from './toolError.ts';

const { O_CREAT, O_EXCL, O_WRONLY, O_RDONLY } = constants;
/** Absent on Windows. */
const noFollow = constants.O_NOFOLLOW ?? 0;
const directory = constants.O_DIRECTORY ?? 0;

/**
 * Makes a text file under `root`, with the folders that it needs. Never over something, and never through a link that
 * leads out, also one that takes a folder's place meanwhile: on Linux each folder is held open and what it holds is
 * reached through it; elsewhere what was made is looked for afterwards, and taken away where it is not inside.
 */
export async function createInside(
  root: string,
  path: string,
  text: string,
  open: typeof fs.open = fs.open,
): Promise<ChangedFile> {
  refuseWriting(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === '') throw new ToolError('path is empty: name the file that is to be made');
  try {
    const { root: realRoot } = await deepestInside(root, path);
    const folder = await folderIn(realRoot, path.split('/').slice(0, -1), path);
    try {
      return await createIn(folder, realRoot, name, text, open);
    } finally {
      await folder.close();
    }
  } catch (error) {
    throw fileProblem(path, error, 'write');
  }
}

interface Folder {
  /** How what is in it is reached. */
  readonly access: string;
  readonly real: string;
  readonly close: () => Promise<void>;
}

async function createIn(
  folder: Folder,
  root: string,
  name: string,
  text: string,
  open: typeof fs.open,
): Promise<ChangedFile> {
  const file = await open(join(folder.access, name), O_WRONLY | O_CREAT | O_EXCL | noFollow, 0o666);
  try {
    const made = await fs.realpath(join(folder.access, name));
    if (dirname(made) !== folder.real || !contains(root, made)) {
      await fs.rm(made, { force: true });
      throw new ToolError(
        `${name} is refused: ${outside} (a folder was replaced meanwhile); nothing was made`,
      );
    }
    await file.writeFile(text);
    return { uri: pathToFileURL(made).href, before: undefined, after: text };
  } finally {
    await file.close();
  }
}

/** The folder of these names under `root`; those that are not there are made. */
async function folderIn(root: string, names: readonly string[], path: string): Promise<Folder> {
  let folder = await openFolder(root);
  for (const name of names) {
    folder = await inFolder(folder, name).finally(folder.close);
    try {
      if (!contains(root, folder.real))
        throw new ToolError(`${JSON.stringify(path)} is refused: ${outside} (by a link)`);
      refuseWriting(relative(root, folder.real));
    } catch (error) {
      await folder.close();
      throw error;
    }
  }
  return folder;
}

async function inFolder(folder: Folder, name: string): Promise<Folder> {
  const at = join(folder.access, name);
  try {
    return await openFolder(at);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await fs.mkdir(at).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return openFolder(at);
}

async function openFolder(path: string): Promise<Folder> {
  if (process.platform !== 'linux')
    return { access: await fs.realpath(path), real: await fs.realpath(path), close: async () => undefined };
  const handle = await fs.open(path, O_RDONLY | directory);
  const access = `/proc/self/fd/${handle.fd}`;
  try {
    return { access, real: await fs.readlink(access), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
