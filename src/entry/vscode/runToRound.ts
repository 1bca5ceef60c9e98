import * as vscode from 'vscode';
import { askSession } from './askSession.ts';
import { focusedDebugSession } from './focusedDebugSession.ts';

/** Goes on to the plan of a round that is asked for; breakpoints and faults on the way still stop. */
export async function runToRound(): Promise<void> {
  const session = focusedDebugSession();
  if (!session) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No agent is being debugged.'));
    return;
  }
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Loopscope: Run to Round'),
    prompt: vscode.l10n.t('At the plan of which round is the agent to stop?'),
    validateInput: (text) => (isRound(text) ? undefined : vscode.l10n.t('Type the number of a round.')),
  });
  if (typed === undefined) return;
  await askSession(session, 'loopscope/runToRound', { round: Number(typed) });
}

function isRound(text: string): boolean {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) >= 1;
}
