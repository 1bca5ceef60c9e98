/**
 * What listing, reading and searching need of a file system. Paths are in normal form (`normalPath`), ''
 * is the top. Methods throw `ToolError` with words for the model; `createTreeWorkspace` is where that ends.
 */
export interface FileTree {
  /** The normal form of a path as a tool was given it; throws for one that is not inside. */
  normal(path: string): string;
  readDirectory(path: string): Promise<readonly TreeEntry[]>;
  readFile(path: string): Promise<FileContent>;
  /** Left out of listings and searches by a setting (`files.exclude`), whatever ignore files say. */
  excluded(path: string): boolean;
}

export interface TreeEntry {
  readonly name: string;
  /** What it is itself: a link is a link, wherever it leads. `other`: devices, pipes, sockets. */
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

export type FileContent =
  /** Without byte order mark; line ends as they are. `note` says when it is not what is on disk. */
  | { readonly kind: 'text'; readonly text: string; readonly note?: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'too large'; readonly bytes: number };

/** Larger files are neither read nor searched. */
export const maxFileBytes = 10 * 1024 * 1024;
