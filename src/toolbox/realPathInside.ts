import * as fs from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RealPath } from '../core/ports.ts';
import { codeOf, fileProblem } from './fileProblem.ts';
import { outside } from './normalPath.ts';
import { ToolError } from './toolError.ts';

/**
 * The real path of `path` (normal form) under the folder `root`, all links followed. Both sides are real:
 * the root is often a link itself. Compared by segments: `/ws-secrets` is not inside `/ws`. Throws
 * `ToolError` when it lies outside, also when it does not exist but a parent of it leads out.
 */
export async function realPathInside(root: string, path: string, realpath = fs.realpath): Promise<string> {
  const real = await deepestInside(root, path, realpath);
  if (!real.exists) throw fileProblem(path, Object.assign(new Error('missing'), { code: 'ENOENT' }));
  return real.path;
}

/** The same for a path that need not exist: the real path of it or of the deepest parent that is there, and the `rest`. */
export async function deepestInside(
  root: string,
  path: string,
  realpath = fs.realpath,
): Promise<{
  readonly root: string;
  readonly path: string;
  readonly exists: boolean;
  readonly rest: string;
}> {
  const realRoot = await realpath(root).catch((error: unknown) => {
    throw fileProblem(root, error);
  });
  const target = join(realRoot, path);
  const real = await deepestReal(target, path, realpath);
  if (!contains(realRoot, real.path))
    throw new ToolError(`${JSON.stringify(path)} is refused: ${outside} (by a link)`);
  return { root: realRoot, ...real };
}

/** Where a path under `root` really leads, in normal form: all links followed, also for what is not there yet. */
export async function realInside(root: string, path: string): Promise<RealPath> {
  const real = await deepestInside(root, path);
  const inner = join(relative(real.root, real.path), real.rest).split(sep).join('/').replace(/^\.$/, '');
  return { path: inner, uri: pathToFileURL(join(real.path, real.rest)).href };
}

async function deepestReal(
  target: string,
  path: string,
  realpath: typeof fs.realpath,
): Promise<{ path: string; exists: boolean; rest: string }> {
  for (let at = target; ; at = dirname(at)) {
    try {
      return { path: await realpath(at), exists: at === target, rest: relative(at, target) };
    } catch (error) {
      const missing = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
      if (!missing || dirname(at) === at) throw fileProblem(path, error);
    }
  }
}

export function contains(folder: string, path: string): boolean {
  const between = relative(folder, path);
  return between !== '..' && !between.startsWith(`..${sep}`) && !isAbsolute(between);
}
