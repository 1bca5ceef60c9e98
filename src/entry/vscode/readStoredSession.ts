import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { readSessionFile } from '../sessionFile.ts';
import type { PanelSession } from './panelChannel.ts';
import { openPastSession } from './pastSessions.ts';

/** The session of a journal that this extension keeps. Never rejects: one that can't be read is told of. */
export async function readStoredSession(file: string, id: string): Promise<PanelSession | undefined> {
  try {
    const name = path.basename(file);
    const found = await readSessionFile(await fs.readFile(file), { name, session: id });
    if (!found.ok) throw new Error(found.problem);
    for (const notice of found.notices) void vscode.window.showWarningMessage(notice);
    return await openPastSession(id, found.events);
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
