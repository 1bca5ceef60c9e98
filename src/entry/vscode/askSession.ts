import * as vscode from 'vscode';

/**
 * Sends a request to a debug session. Never rejects: a refusal is told to the user in its own words, and gives
 * undefined.
 */
export async function askSession<Body extends object>(
  session: vscode.DebugSession,
  command: string,
  args: object,
): Promise<Body | undefined> {
  try {
    return ((await session.customRequest(command, args)) as Body | undefined) ?? ({} as Body);
  } catch (error) {
    void vscode.window.showWarningMessage((error as Error).message);
    return undefined;
  }
}
