/** Agents that a host test writes into its folder, and runs of them without the debugger. */
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { demoAgent, startDemo } from './debugHelpers.ts';

export async function writeAgent(name: string, settings: object): Promise<vscode.Uri> {
  const uri = demoAgent(name);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(settings)));
  return uri;
}

/** Runs to its end without stopping, as `Chat…` does. */
export async function runThrough(agent: vscode.Uri, goal: string): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const registration = vscode.debug.onDidTerminateDebugSession(({ type }) => {
      if (type !== 'loopscope') return;
      registration.dispose();
      resolve();
    });
  });
  await startDemo({ agent: agent.toString(), goal }, { noDebug: true });
  await ended;
}

/** Why a launch is refused. VS Code then shows a dialog that nobody answers in a test, so the start is not waited for. */
export function refusalOf(agent: vscode.Uri): Promise<string> {
  return new Promise((resolve) => {
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory('loopscope', {
      createDebugAdapterTracker: () => ({
        onDidSendMessage(message: DebugProtocol.Response) {
          if (message.type !== 'response' || message.command !== 'launch' || message.success) return;
          tracker.dispose();
          const { error } = message.body as DebugProtocol.ErrorResponse['body'];
          resolve(error?.format ?? message.message ?? '');
        },
      }),
    });
    const launch = { type: 'loopscope', request: 'launch', name: 'x', agent: agent.toString(), goal: 'go' };
    void vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], launch, { noDebug: true });
  });
}

/** Tries until it gives a value: for what VS Code has no event for. */
export async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
