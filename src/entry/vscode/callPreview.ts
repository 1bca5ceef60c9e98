/** Shows beside the question what a call would do: the change of a file as VS Code's own difference, or a long text whole. */
import * as vscode from 'vscode';
import { exactLine } from './exactText.ts';
import type { FileEdit } from './plannedChange.ts';

const scheme = 'loopscope-preview';

export interface CallPreview extends vscode.Disposable {
  /** Opens it; what closes it again, or undefined where it could not be opened. Never rejects. */
  showChange(change: FileEdit): Promise<Close | undefined>;
  showText(title: string, text: string): Promise<Close | undefined>;
}

export type Close = () => Promise<void>;

export function createCallPreview(): CallPreview {
  const texts = new Map<string, string>();
  let count = 0;
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  const uriOf = (path: string, text: string): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme, path: `/${path}`, query: String(++count) });
    texts.set(uri.toString(), text);
    return uri;
  };
  const options = { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside };
  const shown = async (uris: readonly vscode.Uri[], open: () => Thenable<unknown>) => {
    const forget = () => uris.forEach((uri) => texts.delete(uri.toString()));
    try {
      await open();
    } catch {
      forget();
      return undefined;
    }
    return async () => {
      forget();
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      // A tab that somebody closed meanwhile is closed.
      await vscode.window.tabGroups
        .close(tabs.filter(({ input }) => isOf(input, uris)))
        .then(undefined, () => false);
    };
  };
  return {
    showChange({ path, before, after }) {
      const [from, to] = [uriOf(path, before ?? ''), uriOf(path, after)];
      const title = vscode.l10n.t('{0} (proposed by the agent)', exactLine(path));
      return shown([from, to], () => vscode.commands.executeCommand('vscode.diff', from, to, title, options));
    },
    showText(title, text) {
      const uri = uriOf(title, text);
      return shown([uri], () => vscode.window.showTextDocument(uri, options));
    },
    dispose: () => void provider.dispose(),
  };
}

function isOf(input: unknown, uris: readonly vscode.Uri[]): boolean {
  const shown =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return uris.some((uri) => uri.toString() === shown?.toString());
}
