import type { RealPath } from '../core/ports.ts';

/**
 * What listing, reading, searching and changing need of a file system. Paths are in normal form (`normalPath`), ''
 * is the top. Methods throw `ToolError` with words for the model; `createTreeWorkspace` is where that ends.
 */
export interface FileTree {
  /** The normal form of a path as a tool was given it; throws for one that is not inside. */
  normal(path: string): string;
  readDirectory(path: string): Promise<readonly TreeEntry[]>;
  readFile(path: string): Promise<FileContent>;
  /** Changes a text file in one step: what `change` makes of its text is written, unless it throws. */
  changeFile(path: string, change: TextChange): Promise<ChangedFile>;
  /** Makes a file with the folders that it needs; throws where something is already. */
  createFile(path: string, text: string): Promise<ChangedFile>;
  /** Where a path really leads, in normal form: with its links followed, also for what is not there yet. */
  realPath(path: string): Promise<RealPath>;
  /** The real path of a folder on a disk of this machine. */
  folderOnDisk(path: string): Promise<string>;
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
  | (DecodedText & { readonly uri: string; readonly note?: string })
  | { readonly kind: 'binary' }
  | { readonly kind: 'too large'; readonly bytes: number };

export interface DecodedText {
  readonly kind: 'text';
  readonly text: string;
  readonly format: TextFormat;
}

/** How a text is written as bytes. */
export interface TextFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** It begins with a byte order mark. */
  readonly mark: boolean;
}

/** `file.text`: as it is now, as `readFile` gives it. */
export type TextChange = (file: { readonly uri: string; readonly text: string }) => string;

export interface ChangedFile {
  readonly uri: string;
  /** With its byte order mark; undefined for a file that is new. */
  readonly before: string | undefined;
  readonly after: string;
  readonly note?: string;
}

/** Larger files are neither read nor searched. */
export const maxFileBytes = 10 * 1024 * 1024;
