import * as vscode from 'vscode';
import { currentRun, stoppedAtLimit } from '../../core/journalState.ts';
import { askSession } from './askSession.ts';
import { agentConfiguration } from './configurationProvider.ts';
import { meantSession } from './meantSession.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionStore } from './sessionStore.ts';

/** Goes on with a run that a limit stopped: asks for how many rounds; no new goal, nothing is done twice. */
export async function continueWithMore(store: SessionStore): Promise<void> {
  const session = meantSession(store);
  if (!session || !stoppedAtLimit(session.state)) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Only a run that a limit stopped can go on with more rounds.'),
    );
    return;
  }
  const rounds = await askRounds(session);
  if (rounds === undefined) return;
  if (session.live) {
    await askSession(session.debugSession, 'loopscope/continueWithMore', { rounds });
    return;
  }
  const agent = session.agentUri;
  const config = {
    ...agentConfiguration(session.title, agent.toString()),
    session: session.journalFile,
    stopOnEntry: false,
    more: rounds,
  };
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(agent), config, { noDebug: true });
}

async function askRounds({ state, title }: LiveSession): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Loopscope: Continue with More Rounds'),
    prompt: vscode.l10n.t('How many more rounds may “{0}” take?', title),
    value: String(Math.max(1, currentRun(state)?.rounds.length ?? 1)),
    validateInput: (text) =>
      isRounds(text) ? undefined : vscode.l10n.t('Type how many rounds, from 1 to 1000.'),
  });
  return typed === undefined ? undefined : Number(typed);
}

function isRounds(text: string): boolean {
  const rounds = Number(text);
  return Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000;
}
