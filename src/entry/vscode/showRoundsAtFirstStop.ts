import * as vscode from 'vscode';
import { debugType } from './names.ts';
import type { RoundsPanel } from './roundsPanel.ts';

/**
 * Opens the Rounds panel beside the source when a session stops for the first time, and leaves the focus
 * where it is. A session without stops (a chat) opens it when it starts.
 */
export function showRoundsAtFirstStop(rounds: RoundsPanel): vscode.Disposable {
  const shown = new WeakSet<vscode.DebugSession>();
  const show = (session: vscode.DebugSession) => {
    if (session.type !== debugType || shown.has(session)) return;
    shown.add(session);
    rounds.show({ preserveFocus: true });
  };
  return vscode.Disposable.from(
    // The frame becomes active after its source was asked for, so that “beside” is beside the source.
    vscode.debug.onDidChangeActiveStackItem((item) => {
      if (item instanceof vscode.DebugStackFrame) show(item.session);
    }),
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.configuration.noDebug === true) show(session);
    }),
  );
}
