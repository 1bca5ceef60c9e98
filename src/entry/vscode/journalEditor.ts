import * as path from 'node:path';
import * as vscode from 'vscode';
import type { FileSession } from './fileSession.ts';
import { editorTypes } from './names.ts';
import { createPanelChannel, type PanelSessions } from './panelChannel.ts';
import type { SessionStore } from './sessionStore.ts';
import { webviewHtml, webviewOptions } from './webviewHtml.ts';
import { panelWords, webviewPort } from './webviewPort.ts';

type Document = vscode.CustomDocument & { readonly file: FileSession };

/** Opens a file of a session, from any folder, in the Rounds panel; the Context view follows it. Read-only. */
export function createJournalEditor(
  context: vscode.ExtensionContext,
  store: SessionStore,
  sessions: PanelSessions,
): vscode.Disposable {
  const provider: vscode.CustomReadonlyEditorProvider<Document> = {
    async openCustomDocument(uri) {
      const { openFileSession } = await import('./fileSession.ts');
      const file = await openFileSession(uri).catch((error: unknown) => {
        // The editor that VS Code shows then speaks of an unexpected error and a log, and not of the reason.
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
        throw error;
      });
      const { id } = file.session;
      store.addOpened(file.session, uri);
      const follow = file.onDidReplace(() => store.addOpened(file.session, uri));
      return {
        uri,
        file,
        dispose() {
          follow.dispose();
          file.dispose();
          store.remove(id);
        },
      };
    },
    resolveCustomEditor({ file, uri }, panel) {
      const { id } = file.session;
      nameDocument(panel, path.posix.basename(uri.path));
      panel.iconPath = vscode.Uri.joinPath(context.extensionUri, 'media', 'loopscope.svg');
      panel.webview.options = webviewOptions(context.extensionUri);
      const channel = createPanelChannel(webviewPort(panel.webview), ofFile(file, sessions), {
        words: panelWords,
      });
      panel.webview.html = webviewHtml(panel.webview, context.extensionUri, 'rounds');
      const show = () => {
        if (panel.active) store.show(id);
      };
      show();
      panel.onDidChangeViewState(show);
      panel.onDidDispose(() => channel.dispose());
    },
  };
  return vscode.Disposable.from(
    ...Object.values(editorTypes).map((type) => vscode.window.registerCustomEditorProvider(type, provider)),
  );
}

/**
 * A screen reader names the document by the panel's title. VS Code takes it from the file for the tab alone, and passes on
 * only a title that differs: without the empty one before, the document would be called "undefined".
 */
function nameDocument(panel: vscode.WebviewPanel, name: string): void {
  panel.title = '';
  panel.title = name;
}

/** The file's session and no other, whatever becomes the current one elsewhere. */
function ofFile(file: FileSession, sessions: PanelSessions): PanelSessions {
  return {
    ...sessions,
    list: () => [file.session],
    lookUp: () => Promise.resolve(),
    // A page that comes back after a restart means this file too.
    get: () => file.session,
    load: () => Promise.resolve(file.session),
    get current() {
      return file.session;
    },
    onDidChangeCurrent: (listener) => file.onDidReplace(listener),
  };
}
