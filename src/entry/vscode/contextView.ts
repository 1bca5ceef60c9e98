import * as vscode from 'vscode';
import { createPanelChannel, type PanelSessions } from './panelChannel.ts';
import { webviewHtml, webviewOptions } from './webviewHtml.ts';
import { panelWords, webviewPort } from './webviewPort.ts';

export const contextViewId = 'loopscope.context';

/** The Context view in the side bar. Hidden it holds nothing; shown again it asks for what it missed. */
export function createContextView(
  context: vscode.ExtensionContext,
  sessions: PanelSessions,
): vscode.Disposable {
  return vscode.window.registerWebviewViewProvider(contextViewId, {
    resolveWebviewView: ({ webview, onDidDispose }) => {
      webview.options = webviewOptions(context.extensionUri);
      const channel = createPanelChannel(webviewPort(webview), sessions, { words: panelWords });
      webview.html = webviewHtml(webview, context.extensionUri, 'context');
      onDidDispose(() => channel.dispose());
    },
  });
}
