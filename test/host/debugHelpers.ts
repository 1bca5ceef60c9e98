/** Drives a debug session through VS Code's own API; waits for events, never for time. */
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';

export interface Watched extends vscode.Disposable {
  /** The next message of that event that was not waited for yet. */
  next<T = Record<string, unknown>>(event: string): Promise<T>;
}

/** Watches what the debug adapter sends from now on. */
export function watchAdapter(): Watched {
  const seen: DebugProtocol.Event[] = [];
  const waiting: { event: string; resolve: (body: unknown) => void }[] = [];
  const tracker = vscode.debug.registerDebugAdapterTrackerFactory('loopscope', {
    createDebugAdapterTracker: () => ({
      onDidSendMessage(message: DebugProtocol.ProtocolMessage) {
        if (message.type !== 'event') return;
        const event = message as DebugProtocol.Event;
        const index = waiting.findIndex((one) => one.event === event.event);
        if (index >= 0) waiting.splice(index, 1)[0]?.resolve(event.body);
        else seen.push(event);
      },
    }),
  });
  return {
    async next<T>(event: string): Promise<T> {
      const index = seen.findIndex((one) => one.event === event);
      const body: unknown =
        index >= 0
          ? seen.splice(index, 1)[0]?.body
          : await new Promise((resolve) => waiting.push({ event, resolve }));
      return body as T;
    },
    dispose: () => void tracker.dispose(),
  };
}

/** Resolves when `read` gives a value, trying again whenever `changed` fires. */
export function when<T>(changed: vscode.Event<unknown>, read: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const attempt = () => {
      const value = read();
      if (value === undefined) return;
      registration.dispose();
      resolve(value);
    };
    const registration = changed(attempt);
    attempt();
  });
}

export function demoAgent(name = 'day-planner.agent.json'): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error('the test needs a folder');
  return vscode.Uri.joinPath(folder.uri, name);
}

export const planGoal = 'I am busy, plan the rest of my day';

export async function startDemo(
  config: Record<string, unknown> = {},
  options: vscode.DebugSessionOptions = {},
): Promise<vscode.DebugSession> {
  const started = new Promise<vscode.DebugSession>((resolve) => {
    const registration = vscode.debug.onDidStartDebugSession((session) => {
      if (session.type !== 'loopscope') return;
      registration.dispose();
      resolve(session);
    });
  });
  const launch = {
    type: 'loopscope',
    request: 'launch',
    name: 'demo',
    agent: demoAgent().toString(),
    goal: planGoal,
    ...config,
  };
  await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], launch, options);
  return started;
}

/** Sessions that run, counted here: VS Code may go on naming one that has ended as its active one. */
const running = new Set<string>();
vscode.debug.onDidStartDebugSession(({ id }) => running.add(id));
vscode.debug.onDidTerminateDebugSession(({ id }) => running.delete(id));

export async function stopAll(): Promise<void> {
  await vscode.debug.stopDebugging();
  await when(vscode.debug.onDidTerminateDebugSession, () => running.size === 0 || undefined);
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
