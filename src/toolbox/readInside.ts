import { type BigIntStats, constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { decodeText } from './decodeText.ts';
import { fileProblem, isAFolder, notAFile } from './fileProblem.ts';
import { type FileContent, maxFileBytes } from './fileTree.ts';
import { realPathInside } from './realPathInside.ts';
import { ToolError } from './toolError.ts';

/** The calls between whose moments a link can be swapped; tests swap one there. */
export type FileCalls = Pick<typeof fs, 'realpath' | 'open' | 'stat'>;

/** Neither follow a link that took the file's place, nor wait for a pipe's other end. Absent on Windows. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The content of a file under `root`, checked to be inside before it is opened and again once it is open. */
export async function readInside(root: string, path: string, calls: FileCalls = fs): Promise<FileContent> {
  try {
    const real = await realPathInside(root, path, calls.realpath);
    const file = await calls.open(real, flags);
    try {
      const opened = await file.stat({ bigint: true });
      await refuseSwapped(opened, real, path, calls);
      if (opened.isDirectory()) throw new ToolError(`${path}: ${isAFolder}`);
      if (!opened.isFile()) throw new ToolError(`${path}: ${notAFile}`);
      if (opened.size > maxFileBytes) return { kind: 'too large', bytes: Number(opened.size) };
      const content = decodeText(await file.readFile());
      return content.kind === 'text' ? { ...content, uri: pathToFileURL(real).href } : content;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileProblem(path, error);
  }
}

/**
 * What is open must be what the checked path still names without a link on the way: the same file by
 * identity, whatever happened to the names in between.
 */
export async function refuseSwapped(
  opened: BigIntStats,
  real: string,
  path: string,
  calls: FileCalls,
): Promise<void> {
  const again = await calls.realpath(real);
  const named = await calls.stat(again, { bigint: true });
  if (again !== real || opened.ino !== named.ino || opened.dev !== named.dev) {
    throw new ToolError(`${path}: it was replaced while it was being opened; nothing was done`);
  }
}
