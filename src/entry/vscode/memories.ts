/** What agents remember, in VS Code: made in the background when a session ends, shown and forgotten by command. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Agent } from '../../runner/run.ts';
import { forgetMemories } from '../../session/memoryFile.ts';
import { contextKeys } from './names.ts';
import { findAgent } from './findAgent.ts';

/** A session that was released and may be remembered: its journal is closed, and is opened again for that. */
export interface EndedSession {
  readonly agent: Agent;
  readonly journalFile: string;
  /** In words, for people. */
  readonly title: string;
}

export interface Memories {
  /** Where the sessions of an agent file are remembered. */
  fileOf(agent: vscode.Uri): string;
  /** Remembers the session as its agent's `memory` says: at once, or when the user agrees. */
  ended(session: EndedSession): void;
  /** Gives up what is being remembered of a session, so that its journal can be opened. Never rejects. */
  release(journalFile: string): Promise<void>;
  show(): Promise<void>;
  forget(): Promise<void>;
}

interface Work {
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

export function createMemories(folder: string, log: vscode.LogOutputChannel): Memories {
  const going = new Map<string, Work>();
  updateContextKey(folder);

  const start = (session: EndedSession) => {
    const abort = new AbortController();
    const done = work(session, abort.signal, log).finally(() => {
      going.delete(session.journalFile);
      updateContextKey(folder);
    });
    going.set(session.journalFile, { abort, done });
  };

  const fileOf = (agent: vscode.Uri) => {
    const hash = createHash('sha256').update(agent.toString()).digest('hex').slice(0, 8);
    const name = path.posix.basename(agent.path).replace(/(\.agent)?\.json$/, '');
    return path.join(folder, `${name}-${hash}.memory.json`);
  };

  /** The agent that is meant and its file; undefined when the user gave up, or was told that there is nothing. */
  const meant = async () => {
    const agent = await findAgent();
    if (!agent) return undefined;
    const file = fileOf(agent);
    const name = vscode.workspace.asRelativePath(agent);
    if (existsSync(file)) return { file, name };
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Nothing is remembered of {0}. Its sessions are when its file says "memory": "on" or "ask".',
        name,
      ),
    );
    return undefined;
  };

  return {
    fileOf,
    ended(session) {
      if (session.agent.config.memory === 'on') start(session);
      else if (session.agent.config.memory === 'ask')
        void agrees(session.title).then((yes) => {
          if (yes && !going.has(session.journalFile)) start(session);
        });
    },
    async release(journalFile) {
      const { abort, done } = going.get(journalFile) ?? {};
      abort?.abort();
      await done;
    },
    async show() {
      const found = await meant();
      if (found) await vscode.window.showTextDocument(vscode.Uri.file(found.file));
    },
    async forget() {
      const found = await meant();
      if (found) await forget(found.file, found.name);
      updateContextKey(folder);
    },
  };
}

function updateContextKey(folder: string): void {
  const isAny = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.memory.json'));
  void vscode.commands.executeCommand('setContext', contextKeys.hasMemory, isAny);
}

/** Never rejects. */
async function work(session: EndedSession, signal: AbortSignal, log: vscode.LogOutputChannel): Promise<void> {
  const title = vscode.l10n.t('Loopscope: remembering “{0}”', session.title);
  try {
    // The engine is there by then: the session ran on it.
    const { rememberEnded } = await import('./rememberEnded.ts');
    const problem = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title },
      () => rememberEnded(session, signal),
    );
    if (problem === undefined || signal.aborted) return;
    log.warn(problem);
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The session “{0}” is not remembered: {1}', session.title, problem),
    );
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
  }
}

async function agrees(title: string): Promise<boolean> {
  const yes = vscode.l10n.t('Remember');
  const question = vscode.l10n.t(
    'Remember the session “{0}”? The model is asked for a summary of a few sentences, which later sessions of this agent get as background.',
    title,
  );
  return (await vscode.window.showInformationMessage(question, yes, vscode.l10n.t('No'))) === yes;
}

async function forget(file: string, name: string): Promise<void> {
  const yes = vscode.l10n.t('Forget');
  const question = vscode.l10n.t('Forget what is remembered of {0}?', name);
  const detail = vscode.l10n.t('The file {0} is deleted. The sessions themselves stay.', file);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
  try {
    forgetMemories(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The file {0} could not be deleted: {1}', file, why));
  }
}
