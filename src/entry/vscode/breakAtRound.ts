import * as vscode from 'vscode';
import { checkpointLines } from '../../debug/loopSource.ts';
import { loopUri } from './virtualFiles.ts';

/** A breakpoint at the plan of the loop for one round: the request is packed then, and has not left. */
export async function breakAtRound(round: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(loopUri);
  const line = checkpointLines(document.getText()).plan - 1;
  const at = new vscode.Location(loopUri, new vscode.Position(line, 0));
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(at, true, `round === ${round}`)]);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The next run stops at the plan of round {0}.', round),
  );
}
