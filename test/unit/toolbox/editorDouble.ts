import * as fs from 'node:fs/promises';
import type { EditorApi } from '../../../src/entry/vscode/editorApi.ts';

/** What stands in for a `vscode.Uri`: only what the code under test may use. */
export interface DoubleUri {
  readonly scheme: string;
  readonly path: string;
  readonly fsPath: string;
  toString(): string;
}

export function uriOf(text: string): DoubleUri {
  const colon = text.indexOf(':');
  const [scheme, path] = [text.slice(0, colon), text.slice(colon + 1)];
  return { scheme, path, fsPath: path, toString: () => `${scheme}:${encodeURI(path)}` };
}

export interface EditorSetup {
  /** Name and URI of each folder; changed by a test, it counts from the next operation on. */
  folders: readonly (readonly [name: string, uri: string])[];
  /** Unsaved texts by URI. */
  readonly unsaved?: Readonly<Record<string, string>>;
  readonly exclude?: Readonly<Record<string, unknown>>;
  /** Files of the scheme `memfs`, by path; a code of FileSystemError instead of a content is thrown. */
  readonly memory?: Readonly<Record<string, string | { readonly code: string }>>;
}

/** `vscode.FileType`. */
const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;

/**
 * VS Code's services over the real disk (`file`) and a map (`memfs`). Strict: it has nothing but what the
 * workspace needs, and any other scheme is an error.
 */
export function editorDouble(setup: EditorSetup): EditorApi & { readonly reads: string[] } {
  const reads: string[] = [];
  const api = {
    reads,
    FileType,
    Uri: {
      joinPath: (uri: DoubleUri, ...segments: string[]) =>
        uriOf(`${uri.scheme}:${[uri.path, ...segments].join('/')}`),
    },
    workspace: {
      get workspaceFolders() {
        return setup.folders.length === 0
          ? undefined
          : setup.folders.map(([name, uri], index) => ({ name, index, uri: uriOf(uri) }));
      },
      get textDocuments() {
        return Object.entries(setup.unsaved ?? {}).map(([uri, text]) => ({
          uri: uriOf(uri),
          isDirty: true,
          getText: () => text,
        }));
      },
      getConfiguration: () => ({ get: (key: string) => (key === 'exclude' ? setup.exclude : undefined) }),
      fs: {
        stat: async (uri: DoubleUri) => (uri.scheme === 'file' ? diskStat(uri.path) : memoryStat(setup, uri)),
        readFile: async (uri: DoubleUri) => {
          reads.push(uri.toString());
          return uri.scheme === 'file'
            ? fs.readFile(uri.path)
            : new TextEncoder().encode(memoryFile(setup, uri));
        },
        readDirectory: async (uri: DoubleUri) =>
          uri.scheme === 'file' ? diskDirectory(uri.path) : memoryDirectory(setup, uri),
      },
    },
  };
  return api as unknown as EditorApi & { readonly reads: string[] };
}

async function diskStat(path: string): Promise<{ type: number; size: number }> {
  const stat = await fs.stat(path);
  return { type: stat.isDirectory() ? FileType.Directory : FileType.File, size: stat.size };
}

async function diskDirectory(path: string): Promise<[string, number][]> {
  const entries = await fs.readdir(path, { withFileTypes: true });
  return entries.map((entry) => [
    entry.name,
    entry.isSymbolicLink()
      ? FileType.SymbolicLink | FileType.File
      : entry.isDirectory()
        ? FileType.Directory
        : FileType.File,
  ]);
}

function memoryPaths(setup: EditorSetup, uri: DoubleUri): string[] {
  if (uri.scheme !== 'memfs') throw new Error(`no provider for ${uri.scheme}`);
  return Object.keys(setup.memory ?? {});
}

function memoryFile(setup: EditorSetup, uri: DoubleUri): string {
  const file = setup.memory?.[uri.path];
  if (file === undefined) throw coded('FileNotFound');
  if (typeof file !== 'string') throw coded(file.code);
  return file;
}

function memoryStat(setup: EditorSetup, uri: DoubleUri): { type: number; size: number } {
  if (memoryPaths(setup, uri).some((path) => path.startsWith(`${uri.path}/`)))
    return { type: FileType.Directory, size: 0 };
  return { type: FileType.File, size: memoryFile(setup, uri).length };
}

function memoryDirectory(setup: EditorSetup, uri: DoubleUri): [string, number][] {
  const below = memoryPaths(setup, uri).filter((path) => path.startsWith(`${uri.path}/`));
  if (below.length === 0)
    throw coded(setup.memory?.[uri.path] === undefined ? 'FileNotFound' : 'FileNotADirectory');
  const entries = new Map<string, number>();
  for (const path of below) {
    const [name = '', ...rest] = path.slice(uri.path.length + 1).split('/');
    entries.set(name, rest.length > 0 ? FileType.Directory : FileType.File);
  }
  return [...entries];
}

function coded(code: string): Error {
  return Object.assign(new Error(`EntryError (${code})`), { code });
}
