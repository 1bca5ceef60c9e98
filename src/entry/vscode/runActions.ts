import * as vscode from 'vscode';
import { journalEditorType } from './journalEditor.ts';
import type { PanelSelection } from './panelChannel.ts';
import type { RoundsPanel } from './roundsPanel.ts';
import type { RunNode } from './runsView.ts';
import type { SessionStore } from './sessionStore.ts';

/** What can be done with a run of the tree, and with a file. */
export function createRunActions(store: SessionStore, rounds: RoundsPanel, selection: PanelSelection) {
  const sessionOf = (node: RunNode | undefined) =>
    node?.kind === 'run' ? store.get(node.run.session) : store.current;
  return {
    /** In the Rounds panel, at the run's last round. */
    openRun(node?: RunNode): void {
      const session = sessionOf(node);
      if (!session) return;
      store.show(session.id);
      rounds.show({ preserveFocus: false });
      if (node?.kind === 'run' && node.run.rounds > 0)
        selection.select(session.id, { run: node.run.run, round: node.run.rounds }, {});
    },
    async exportRun(node?: RunNode): Promise<void> {
      const session = sessionOf(node);
      if (!session) return;
      const { exportSession } = await import('./exportSession.ts');
      await exportSession(session);
    },
    async deleteRun(node?: RunNode): Promise<void> {
      const session = node?.kind === 'run' ? store.get(node.run.session) : undefined;
      const file = session && store.fileOf(session.id);
      if (!session || file === undefined || session.live) return;
      const runs = session.state.runs.length;
      const question = vscode.l10n.t(
        'Delete this session with its {0} runs? Its journal is moved to the trash.',
        runs,
      );
      const yes = vscode.l10n.t('Delete');
      if ((await vscode.window.showWarningMessage(question, { modal: true }, yes)) !== yes) return;
      try {
        // A file from anywhere else is only closed: it is not ours to delete.
        if (store.isOurs(session.id))
          await vscode.workspace.fs.delete(vscode.Uri.file(file), { useTrash: true });
        store.remove(session.id);
      } catch (error) {
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    },
    /** A journal or a log of requests; asked for where none is given. */
    async openFile(uri?: vscode.Uri): Promise<void> {
      const filters = { JSON: ['jsonl', 'json', 'ndjson'] };
      const chosen = uri ?? (await vscode.window.showOpenDialog({ filters, canSelectMany: false }))?.[0];
      if (chosen) await vscode.commands.executeCommand('vscode.openWith', chosen, journalEditorType);
    },
  };
}
