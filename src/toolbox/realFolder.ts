import { stat } from 'node:fs/promises';
import { notAFolder } from './fileProblem.ts';
import { realPathInside } from './realPathInside.ts';
import { ToolError } from './toolError.ts';

/** The real path of a folder under `root`; throws `ToolError` for one that is outside or is none. */
export async function realFolder(root: string, path: string): Promise<string> {
  const real = await realPathInside(root, path);
  if (!(await stat(real)).isDirectory()) throw new ToolError(`${path}: ${notAFolder}`);
  return real;
}
