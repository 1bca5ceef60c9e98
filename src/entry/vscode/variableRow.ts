import type * as vscode from 'vscode';
import { focusedDebugSession } from './focusedDebugSession.ts';
import type { SessionStore } from './sessionStore.ts';

/** What VS Code hands to a command of the Variables context menu. */
export interface VariableRow {
  /** Of the debug session that the row belongs to, which may not be the focused one. */
  readonly sessionId?: string;
  readonly container?: { readonly variablesReference?: number };
  readonly variable?: { readonly name?: string };
}

/** The debug session whose row it is, as long as it is there. */
export function debugSessionOf(
  store: SessionStore,
  row: VariableRow | undefined,
): vscode.DebugSession | undefined {
  const focused = focusedDebugSession();
  if (row?.sessionId === undefined || row.sessionId === focused?.id) return focused;
  return store.liveOf(row.sessionId)?.debugSession;
}
