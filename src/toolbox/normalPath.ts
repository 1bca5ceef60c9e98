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
  platform: NodeJS.Platform = process.platform,
): string {
  const reason = refusal(path) ?? (platform === 'win32' ? windowsRefusal(path) : undefined);
  if (reason) throw new ToolError(`${quote(path)} is refused: ${reason}${hint(relativeTo(path))}`);
  const segments: string[] = [];
  for (const segment of toSlashes(path, platform).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw new ToolError(`${quote(path)} is refused: ${outside}`);
  }
  return segments.join('/');
}

export const outside = 'it leads out of the workspace, and only files inside can be reached';

function refusal(path: string): string | undefined {
  if (path.includes('\0')) return 'it contains a NUL character';
  if (!path.isWellFormed()) return 'it contains half a surrogate pair, which no file name does';
  if (/^[a-z][a-z0-9+.-]+:\/\/|^file:/i.test(path))
    return 'it is a URI; write a path relative to the workspace';
  if (/^[a-z]:/i.test(path)) return 'it names a drive; write a path relative to the workspace';
  if (/^(\\\\|\/\/)/.test(path)) return 'it names a network share; write a path relative to the workspace';
  if (/^[\\/]/.test(path)) return 'it is absolute; write a path relative to the workspace';
  if (/^~[\w.-]*([\\/]|$)/.test(path))
    return '~ (a home folder) is not expanded; write a path relative to the workspace';
  return undefined;
}

/** Names that mean a device in every folder, streams beside a file, and endings that Windows takes off. */
function windowsRefusal(path: string): string | undefined {
  for (const segment of path.split(/[\\/]/)) {
    if (/^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])\s*(?:\.|:|$)/i.test(segment))
      return 'it names a device of Windows';
    if (segment.includes(':')) return 'it names a stream of a file';
    if (/[^.][. ]+$|^\.{3,}$|^ +$/.test(segment)) return 'it ends in a dot or blank, which Windows takes off';
  }
  return undefined;
}

function hint(relative: string | undefined): string {
  return relative === undefined ? '' : `: ${quote(relative === '' ? '.' : relative)}`;
}

/** Elsewhere a backslash is a character that names may contain. */
function toSlashes(path: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
