import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Where a panel's page may load from: its own built files and nothing else. */
export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(extension, 'dist', 'media')] };
}

/**
 * The page of a panel: a root element, two style sheets and one script, which may fetch another of the same folder by
 * the same nonce. No data: that comes by messages.
 * `name` is the panel's bundle in dist/media.
 */
export function webviewHtml(
  webview: vscode.Webview,
  extension: vscode.Uri,
  name: 'rounds' | 'context',
): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (file: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'media', file)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
  <meta charset="UTF-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <title>Loopscope</title>
  <link rel="stylesheet" href="${uri('codicon.css')}">
  <link rel="stylesheet" href="${uri(`${name}.css`)}">
</head>
<body>
  <div id="root"></div>
  <script nonce="${nonce}" src="${uri(`${name}.js`)}"></script>
</body>
</html>`;
}
