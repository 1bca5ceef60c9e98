import * as vscode from 'vscode';
import { debugType } from './names.ts';

/** The debug session of ours whose thread or frame has the focus; VS Code's active one when none has. */
export function focusedDebugSession(): vscode.DebugSession | undefined {
  const session = vscode.debug.activeStackItem?.session ?? vscode.debug.activeDebugSession;
  return session?.type === debugType ? session : undefined;
}
