import { ToolError } from './toolError.ts';

/**
 * A path as a tool was given it, in its one normal form: relative, `/`, no `.` or `..`; '' is the top.
 * The first of two gates, by spelling alone; links are the second gate's (`realPathInside`). Throws
 * `ToolError` with the reason for everything that is not a path inside the workspace. `relativeTo` turns an
 * absolute path that does lie inside into what should have been written.
 */
export function normalPath(
  path: string,
  relativeTo: (absolute: string) => string | undefined = () => undefined,
): string {
  const reason = refusal(path);
  if (reason) throw new ToolError(`${quote(path)} is refused: ${reason}${hint(relativeTo(path))}`);
  const segments: string[] = [];
  for (const segment of toSlashes(path).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw new ToolError(`${quote(path)} is refused: ${outside}`);
  }
  return segments.join('/');
}

export const outside = 'it leads out of the workspace, and only files inside can be reached';

function refusal(path: string): string | undefined {
  if (path.includes('\0')) return 'it contains a NUL character';
  if (/^[a-z][a-z0-9+.-]+:\/\/|^file:/i.test(path))
    return 'it is a URI; write a path relative to the workspace';
  if (/^[a-z]:/i.test(path)) return 'it names a drive; write a path relative to the workspace';
  if (/^(\\\\|\/\/)/.test(path)) return 'it names a network share; write a path relative to the workspace';
  if (/^[\\/]/.test(path)) return 'it is absolute; write a path relative to the workspace';
  if (/^~[\w.-]*([\\/]|$)/.test(path))
    return '~ (a home folder) is not expanded; write a path relative to the workspace';
  return undefined;
}

function hint(relative: string | undefined): string {
  return relative === undefined ? '' : `: ${quote(relative === '' ? '.' : relative)}`;
}

/** Elsewhere a backslash is a character that names may contain. */
function toSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
