/** The commands that start or go on with a conversation, with the debugger or without. */
import * as vscode from 'vscode';
import { currentRun } from '../../core/journalState.ts';
import { agentConfiguration } from './configurationProvider.ts';
import { activeAgent, findAgent } from './findAgent.ts';
import { askGoal, newSession } from './goalBox.ts';
import { meantSession } from './meantSession.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionStore } from './sessionStore.ts';

export interface ChatOptions {
  /** Stops at checkpoints; otherwise the run goes through. */
  readonly debug: boolean;
  /** On a new session in any case. */
  readonly fresh?: boolean;
}

/**
 * Asks for a goal and runs it: on the session that is meant where there is one, else on a new one. Nothing
 * has changed when the user gives up.
 */
export async function chat(
  store: SessionStore,
  memory: vscode.Memento,
  { debug, fresh = false }: ChatOptions,
): Promise<void> {
  const session = fresh ? undefined : continued(store);
  if (session?.busy) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'The agent is still at work on “{0}”. Stop it, or let it come to its end, then go on.',
        session.title,
      ),
    );
    return;
  }
  const agent = session?.agentUri ?? (await findAgent());
  if (!agent) return;
  const prompt = session
    ? vscode.l10n.t('Goes on with the session “{0}”. The + starts another.', session.title)
    : vscode.l10n.t('What should {0} do?', vscode.workspace.asRelativePath(agent));
  const goal = await askGoal(memory, { agent: agent.toString(), prompt, offersNew: session !== undefined });
  if (goal === newSession) return await chat(store, memory, { debug, fresh: true });
  if (goal === undefined) return;
  if (session && (await chatAtEnd(session, goal, debug))) return;
  const config = {
    ...agentConfiguration(goal, agent.toString()),
    goal,
    session: session?.journalFile ?? 'new',
  };
  const folder = vscode.workspace.getWorkspaceFolder(agent);
  await vscode.debug.startDebugging(folder, { ...config, stopOnEntry: debug }, { noDebug: !debug });
}

/** The session to go on with: the one that is meant, unless the editor shows another agent. */
function continued(store: SessionStore): LiveSession | undefined {
  const session = meantSession(store);
  const active = activeAgent();
  return active && session && active.toString() !== session.agentUri.toString() ? undefined : session;
}

/** A debug session that stands at the end of its run holds the conversation: it goes on there. */
async function chatAtEnd(session: LiveSession, goal: string, debug: boolean): Promise<boolean> {
  if (!session.live || currentRun(session.state)?.ended === undefined) return false;
  if (debug) {
    await session.debugSession.customRequest('evaluate', { expression: `> ${goal}`, context: 'repl' });
    return true;
  }
  await vscode.debug.stopDebugging(session.debugSession);
  return false;
}
