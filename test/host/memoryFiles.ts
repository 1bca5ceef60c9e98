import * as vscode from 'vscode';

export interface MemoryFiles extends vscode.FileSystemProvider {
  text(path: string): string | undefined;
  /** Paths that say they are read-only. */
  readonly readOnly: Set<string>;
  /** Paths that say nothing, and throw when they are written. */
  readonly failing: Set<string>;
}

/** A file system in memory, of files by path. */
export function createMemoryFiles(initial: Readonly<Record<string, string>>): MemoryFiles {
  const files = new Map(Object.entries(initial).map(([path, text]) => [path, Buffer.from(text)]));
  const folders = new Set<string>();
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const readOnly = new Set<string>();
  const failing = new Set<string>();
  let time = 1;
  const below = (path: string) => [...files.keys(), ...folders].filter((one) => one.startsWith(`${path}/`));
  return {
    readOnly,
    failing,
    text: (path) => files.get(path)?.toString('utf8'),
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    stat({ path }) {
      const file = files.get(path);
      const permissions = readOnly.has(path) ? { permissions: vscode.FilePermission.Readonly } : {};
      if (file)
        return { type: vscode.FileType.File, ctime: 0, mtime: time, size: file.length, ...permissions };
      if (folders.has(path) || below(path).length > 0)
        return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      throw vscode.FileSystemError.FileNotFound(path);
    },
    readDirectory({ path }) {
      const names = below(path).map((one) => one.slice(path.length + 1).split('/'));
      const entries = names.map(([name = '', ...rest]): [string, vscode.FileType] => [
        name,
        rest.length > 0 || folders.has(`${path}/${name}`) ? vscode.FileType.Directory : vscode.FileType.File,
      ]);
      return [...new Map(entries)];
    },
    readFile({ path }) {
      const file = files.get(path);
      if (!file) throw vscode.FileSystemError.FileNotFound(path);
      return file;
    },
    writeFile(uri, content) {
      if (failing.has(uri.path)) throw vscode.FileSystemError.NoPermissions(uri);
      time++;
      files.set(uri.path, Buffer.from(content));
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    createDirectory: ({ path }) => void folders.add(path),
    delete({ path }) {
      for (const one of [path, ...below(path)]) {
        files.delete(one);
        folders.delete(one);
      }
    },
    rename: () => {
      throw vscode.FileSystemError.NoPermissions();
    },
  };
}
