import * as vscode from 'vscode';
import { exportMessages } from '../../core/exportMessages.ts';
import { exportNotes } from '../../core/exportNotes.ts';
import { exportPage } from '../../core/exportPage.ts';
import { createRedactor } from '../../session/redactor.ts';
import type { PanelSession } from './panelChannel.ts';

/** Asks for a form and a place, and writes the session there. What looks like a secret is taken out once more. */
export async function exportSession({ id, state }: PanelSession): Promise<void> {
  const forms = [
    { label: vscode.l10n.t('OpenAI messages (JSON)'), end: 'json', make: () => exportMessages(state) },
    { label: vscode.l10n.t('Notes (Markdown)'), end: 'md', make: () => exportNotes(state) },
    { label: vscode.l10n.t('Page (HTML)'), end: 'html', make: () => exportPage(state, vscode.env.language) },
  ];
  const form = await vscode.window.showQuickPick(forms, { title: vscode.l10n.t('Export as') });
  if (!form) return;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const name = `${id}.${form.end}`;
  const defaultUri = folder ? vscode.Uri.joinPath(folder.uri, name) : vscode.Uri.file(name);
  const target = await vscode.window.showSaveDialog({ defaultUri });
  if (!target) return;
  const { text } = createRedactor(() => id).clean(form.make());
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target, { preview: true });
}
