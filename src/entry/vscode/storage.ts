import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import type * as vscode from 'vscode';

/** Where journals are kept: with the workspace, or with the user where no folder is open. */
export function sessionsFolder(context: vscode.ExtensionContext): string {
  return path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'sessions');
}

/** Where agents remember their sessions: beside the journals. */
export function memoryFolder(context: vscode.ExtensionContext): string {
  return path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'memory');
}

/** The journal that was written last; undefined when there is none. */
export async function lastJournal(folder: string): Promise<string | undefined> {
  const names = await fs.readdir(folder).catch(() => [] as string[]);
  const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name));
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await fs.stat(file)).mtimeMs })));
  return dated.sort((a, b) => b.at - a.at)[0]?.file;
}

/** Whether there is any session of an earlier window. Does not reject. */
export async function hasJournals(folder: string): Promise<boolean> {
  const names = await fs.readdir(folder).catch((): string[] => []);
  return names.some((name) => name.endsWith('.jsonl'));
}
