import type * as vscode from 'vscode';
import type { PanelPort } from './panelChannel.ts';

/** A webview as the port of a panel channel. */
export function webviewPort(webview: vscode.Webview): PanelPort {
  return {
    post: (message) => webview.postMessage(message),
    onMessage: (listener) => webview.onDidReceiveMessage(listener),
  };
}
