import * as vscode from 'vscode';
import type { RunEntry } from '../../core/runsList.ts';
import { takeLock } from '../../session/lockFile.ts';
import { editorTypes } from './names.ts';
import type { PanelSelection, PanelSession } from './panelChannel.ts';
import type { RoundsPanel } from './roundsPanel.ts';
import type { RunNode, RunsView } from './runsView.ts';
import type { SessionStore } from './sessionStore.ts';

/** What can be done with a run of the tree, and with a file. */
export function createRunActions(
  store: SessionStore,
  rounds: RoundsPanel,
  selection: PanelSelection,
  view: Pick<RunsView, 'selected'>,
) {
  const runOf = (node: RunNode | undefined) => (node?.kind === 'run' ? node.run : undefined);
  let isSelecting = false;
  return {
    /** In the Rounds panel, at the run's last round. */
    async openRun(node?: RunNode): Promise<void> {
      if (isSelecting) return;
      const run = runOf(node) ?? (await pickRun(store));
      const session = run && (await store.load(run.session));
      if (!run || !session) return;
      const at = run.rounds === 0 ? null : { run: run.run, round: run.rounds };
      store.show(session.id);
      rounds.showRound(session.id, at);
      selection.select(session.id, at, {});
    },
    async exportRun(node?: RunNode): Promise<void> {
      const session = await meant(runOf(node), store);
      if (!session) return;
      const { exportSession } = await import('./exportSession.ts');
      await exportSession(session);
    },
    /** Without a node a key means the row that has the focus: often another than the one that is selected. */
    async deleteRun(node?: RunNode): Promise<void> {
      // Which row has the focus is not told, so it is selected first; VS Code would open it then, as by Enter.
      isSelecting = true;
      try {
        if (!node) await vscode.commands.executeCommand('list.select');
        const run = runOf(node ?? view.selected);
        if (run) await deleteSession(run.session, store);
      } finally {
        isSelecting = false;
      }
    },
    /** A journal or a log of requests; asked for where none is given. */
    async openFile(uri?: vscode.Uri): Promise<void> {
      const filters = { JSON: ['jsonl', 'json', 'ndjson'], [vscode.l10n.t('All files')]: ['*'] };
      const chosen = uri ?? (await vscode.window.showOpenDialog({ filters, canSelectMany: false }))?.[0];
      if (chosen) await vscode.commands.executeCommand('vscode.openWith', chosen, editorTypes.log);
    },
  };
}

/** The run's session, or the one that the panels show, or one that is chosen. */
async function meant(run: RunEntry | undefined, store: SessionStore): Promise<PanelSession | undefined> {
  if (run) return await store.load(run.session);
  if (store.current) return store.current;
  const picked = await pickRun(store);
  return picked && (await store.load(picked.session));
}

async function pickRun(store: SessionStore): Promise<RunEntry | undefined> {
  const items = store
    .runs()
    .then((sessions) =>
      sessions.flatMap(({ agent, runs }) =>
        runs.toReversed().map((run) => ({ label: run.goal, description: agent, run })),
      ),
    );
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which run?') }))?.run;
}

/** The whole session, with all its runs: they are one file. */
async function deleteSession(id: string, store: SessionStore): Promise<void> {
  const { t } = vscode.l10n;
  if (store.live(id)?.live) {
    void vscode.window.showWarningMessage(t('This session is running. Stop it, then delete it.'));
    return;
  }
  const listed = (await store.runs()).find(({ session }) => session === id);
  const file = await store.find(id);
  if (!listed || !file) return;
  const { runs } = listed;
  const question =
    runs.length === 1
      ? t('Delete the session “{0}”?', runs[0]?.goal ?? '')
      : t('Delete the session “{0}” with its {1} runs?', runs.at(-1)?.goal ?? '', runs.length);
  const detail = t('Its journal is deleted: {0}', file.fsPath);
  const yes = t('Delete');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
  try {
    // Another window or the command line may be writing it.
    const lock = takeLock(`${file.fsPath}.lock`);
    if (!lock.ok)
      throw new Error(t('The session is being written by {0}. Stop it, then delete it.', lock.owner));
    try {
      await removeFile(file);
    } finally {
      lock.release();
    }
    store.remove(id);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(t('The file {0} could not be deleted: {1}', file.fsPath, why));
  }
}

/** To the trash where there is one: a remote machine has none. One that is gone already is deleted. */
async function removeFile(file: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.fs.delete(file, { useTrash: true });
  } catch {
    const isThere = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    if (isThere) await vscode.workspace.fs.delete(file, { useTrash: false });
  }
}
