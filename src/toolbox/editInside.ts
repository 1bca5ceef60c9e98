import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodeText, encodeText, markedText } from './decodeText.ts';
import { fileProblem, notAFile } from './fileProblem.ts';
import { type ChangedFile, maxFileBytes, type TextChange } from './fileTree.ts';
import { type FileCalls, refuseSwapped } from './readInside.ts';
import { deepestInside, realPathInside } from './realPathInside.ts';
import { refuseWriting } from './refuseWriting.ts';
import { textOf } from './textOf.ts';
import { ToolError } from './toolError.ts';

/** As for reading: no link that took the file's place, no waiting at a pipe. */
const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Changes a text file under `root`. It is read and written through one handle, checked to be the file that the path names
 * before it is read and again before it is written: what somebody puts in its place meanwhile is left alone. It is
 * written in place, so that permissions, links and watchers stay with it.
 */
export async function editInside(
  root: string,
  path: string,
  change: TextChange,
  calls: FileCalls = fs,
): Promise<ChangedFile> {
  refuseWriting(path);
  try {
    const real = await realPathInside(root, path, calls.realpath);
    refuseWriting(relative((await deepestInside(root, '', calls.realpath)).root, real));
    const file = await calls.open(real, flags);
    try {
      return await editOpened(file, real, path, change, calls);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileProblem(path, error, 'write');
  }
}

async function editOpened(
  file: fs.FileHandle,
  real: string,
  path: string,
  change: TextChange,
  calls: FileCalls,
): Promise<ChangedFile> {
  const opened = await file.stat({ bigint: true });
  await refuseSwapped(opened, real, path, calls);
  if (!opened.isFile()) throw new ToolError(`${path}: ${notAFile}`);
  if (opened.size > maxFileBytes) textOf(path, { kind: 'too large', bytes: Number(opened.size) });
  const bytes = await file.readFile();
  const { text, format } = textOf(path, decodeText(bytes));
  const uri = pathToFileURL(real).href;
  const next = change({ uri, text });
  await refuseSwapped(opened, real, path, calls);
  const now = await file.stat({ bigint: true });
  if (now.mtimeNs !== opened.mtimeNs || now.size !== opened.size)
    throw new ToolError(`${path}: somebody else writes it just now; nothing was changed, try again`);
  await writeOver(file, encodeText(next, format));
  return { uri, before: markedText(text, format), after: markedText(next, format) };
}

async function writeOver(file: fs.FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
}
