import * as vscode from 'vscode';
import type { Selection } from '../../core/protocol.ts';
import { createPanelChannel, type PanelChannel, type PanelSessions } from './panelChannel.ts';
import { webviewHtml, webviewOptions } from './webviewHtml.ts';
import { panelWords, webviewPort } from './webviewPort.ts';
import { withoutFiles } from './withoutFiles.ts';

export const roundsViewType = 'loopscope.rounds';

export interface RoundsPanel extends vscode.Disposable {
  /** Brings the panel up beside the active editor; one panel a window. */
  show(options: { readonly preserveFocus: boolean }): void;
  /** The same, at a round of a session. */
  showRound(session: string, selection: Selection): void;
}

/** The Rounds panel. Comes back after a window reload; what it shows lives in the page's own saved state. */
export function createRoundsPanel(context: vscode.ExtensionContext, sessions: PanelSessions): RoundsPanel {
  let panel: vscode.WebviewPanel | undefined;
  let channel: PanelChannel | undefined;

  function adopt(adopted: vscode.WebviewPanel): void {
    panel?.dispose();
    panel = adopted;
    const { webview } = adopted;
    adopted.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'loopscope.svg');
    webview.options = webviewOptions(context.extensionUri);
    // Listens before the page can speak: its first message is the question that all else answers.
    const mine = createPanelChannel(webviewPort(webview), withoutFiles(sessions), { words: panelWords });
    channel = mine;
    webview.html = webviewHtml(webview, context.extensionUri, 'rounds');
    // The Context view follows the editor that is looked at: this one, or that of a file.
    adopted.onDidChangeViewState(() => {
      if (adopted.active && mine.session !== undefined) sessions.show(mine.session);
    });
    adopted.onDidDispose(() => {
      mine.dispose();
      if (panel === adopted) panel = channel = undefined;
    });
  }

  const serializer = vscode.window.registerWebviewPanelSerializer(roundsViewType, {
    deserializeWebviewPanel: async (restored) => adopt(restored),
  });

  function show({ preserveFocus }: { readonly preserveFocus: boolean }): void {
    if (panel) return panel.reveal(undefined, preserveFocus);
    const title = vscode.l10n.t('Rounds');
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus };
    adopt(
      vscode.window.createWebviewPanel(roundsViewType, title, place, webviewOptions(context.extensionUri)),
    );
  }

  return {
    show,
    showRound(session, selection) {
      show({ preserveFocus: false });
      channel?.show(session, selection);
    },
    dispose: () => {
      serializer.dispose();
      channel?.dispose();
      panel?.dispose();
    },
  };
}
