import * as vscode from 'vscode';
import { capText } from '../../core/capText.ts';
import type { Approve } from '../../core/ports.ts';
import { visible } from '../../core/visible.ts';

/** Characters of the arguments that are shown. */
const shown = 2000;

/** Asks in a dialog whether a call may act outside. Closing it is a no. */
export const approveCall: Approve = async ({ name, arguments: given }) => {
  const run = vscode.l10n.t('Run');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('The agent wants to run {0}, which acts outside the workspace.', visible(name)),
    { modal: true, detail: visible(capText(given, shown)) },
    run,
  );
  return chosen === run ? { ok: true, by: 'user' } : { ok: false, reason: 'the user said no' };
};
