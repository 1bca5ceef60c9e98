import { ToolError } from './toolError.ts';

/** A failed file access, of Node or of VS Code (their codes differ), as words for the model. */
export function fileProblem(path: string, error: unknown, access: Access = 'read'): ToolError {
  if (error instanceof ToolError) return error;
  return new ToolError(`${path === '' ? 'the workspace folder' : path}: ${codeWords(path, error, access)}`);
}

export type Access = 'read' | 'write';

function codeWords(path: string, error: unknown, access: Access): string {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'FileNotFound':
      return path.includes('\\') ? `${noSuchFile} (paths are written with /)` : noSuchFile;
    case 'FileNotADirectory':
      return notAFolder;
    case 'EISDIR':
    case 'FileIsADirectory':
      return isAFolder;
    case 'EACCES':
    case 'EPERM':
    case 'NoPermissions':
      return `no permission to ${access} it`;
    case 'EROFS':
      return 'the file system is read-only';
    case 'EEXIST':
    case 'FileExists':
      return isThere;
    case 'ENOSPC':
      return 'there is no space left on the disk';
    case 'ELOOP':
      return 'its links go round in circles';
    case 'ENAMETOOLONG':
      return 'the path is too long';
    case 'ENXIO':
    case 'EOPNOTSUPP':
      return notAFile;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

export const isThere = 'it is there already; edit_file changes it';
export const noSuchFile = 'there is no such file or folder';
export const isAFolder = 'it is a folder; list_files shows what is in it';
export const notAFolder = 'it is a file, not a folder; read_file reads it';
export const notAFile = 'it is not a regular file (a device, pipe or socket)';

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
