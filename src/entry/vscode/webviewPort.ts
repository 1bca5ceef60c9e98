import type * as vscode from 'vscode';
import type { PanelWords } from '../../core/panelWords.ts';
import type { PanelPort } from './panelChannel.ts';

let strings: (() => PanelWords) | undefined;

/** The words of the panels, for one that has said something: they are loaded with its first message. */
export function panelWords(): PanelWords {
  if (!strings) throw new Error('no panel has asked');
  return strings();
}

/** A webview as the port of a panel channel. What reads its messages is loaded with the first; their order stays. */
export function webviewPort(webview: vscode.Webview): PanelPort {
  return {
    post: (message) => webview.postMessage(message),
    onMessage(listener) {
      let isOpen = true;
      const registration = webview.onDidReceiveMessage(async (raw: unknown) => {
        const [{ parseFromPanel }, { panelStrings }] = await Promise.all([
          import('./fromPanel.ts'),
          import('./panelStrings.ts'),
        ]);
        strings = panelStrings;
        const message = parseFromPanel(raw);
        if (isOpen && message) listener(message);
      });
      return {
        dispose() {
          isOpen = false;
          registration.dispose();
        },
      };
    },
  };
}
