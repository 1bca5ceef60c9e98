import * as vscode from 'vscode';
import { askSession } from './askSession.ts';
import { focusedDebugSession } from './focusedDebugSession.ts';
import type { SessionStore } from './sessionStore.ts';

/** What VS Code hands to a command of the context menu of a round in the Rounds panel: what the page says of it. */
interface LanePlace {
  readonly session?: unknown;
  readonly round?: unknown;
}

/** Goes on to the plan of a round that is given or asked for; breakpoints and faults on the way still stop. */
export async function runToRound(store: SessionStore, place?: LanePlace): Promise<void> {
  const { session: id, round } = place ?? {};
  const isPlace = typeof id === 'string' && typeof round === 'number';
  const session = isPlace ? store.live(id)?.debugSession : focusedDebugSession();
  if (!session) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No agent is being debugged.'));
    return;
  }
  const wanted = isPlace ? round : await askRound();
  if (wanted !== undefined) await askSession(session, 'loopscope/runToRound', { round: wanted });
}

async function askRound(): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Loopscope: Run to Round'),
    prompt: vscode.l10n.t('At the plan of which round is the agent to stop?'),
    validateInput: (text) => (isRound(text) ? undefined : vscode.l10n.t('Type the number of a round.')),
  });
  return typed === undefined ? undefined : Number(typed);
}

function isRound(text: string): boolean {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) >= 1;
}
