import * as vscode from 'vscode';
import { createPanelChannel, type PanelSession, type PanelSessions } from './panelChannel.ts';
import type { SessionStore } from './sessionStore.ts';
import { webviewHtml, webviewOptions } from './webviewHtml.ts';
import { panelWords, webviewPort } from './webviewPort.ts';

export const journalEditorType = 'loopscope.journal';

/** Opens a file of a session, from any folder, in the Rounds panel; the Context view follows it. Read-only. */
export function createJournalEditor(
  context: vscode.ExtensionContext,
  store: SessionStore,
  sessions: PanelSessions,
): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(journalEditorType, {
    async openCustomDocument(uri) {
      const { readAnyFile } = await import('./readAnyFile.ts');
      const session = await readAnyFile(uri);
      store.addPast(session, uri.fsPath);
      return { uri, session, dispose: () => undefined };
    },
    resolveCustomEditor(document, panel) {
      const { id } = document.session;
      panel.webview.options = webviewOptions(context.extensionUri);
      // Of this file, whatever becomes the current session elsewhere.
      const own: PanelSessions = {
        ...sessions,
        list: () => [document.session],
        get: (wanted) => (wanted === id ? document.session : undefined),
        get current() {
          return document.session;
        },
        onDidChangeCurrent: () => ({ dispose: () => undefined }),
      };
      const channel = createPanelChannel(webviewPort(panel.webview), own, { words: panelWords });
      panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'rounds');
      const show = () => {
        if (panel.active) store.show(id);
      };
      show();
      panel.onDidChangeViewState(show);
      panel.onDidDispose(() => channel.dispose());
    },
  } satisfies vscode.CustomReadonlyEditorProvider<
    vscode.CustomDocument & { readonly session: PanelSession }
  >);
}
