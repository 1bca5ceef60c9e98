/** Shows what a call would make of a file, as VS Code's own difference, before it is let run. */
import * as vscode from 'vscode';
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import type { ToolCallRequest, Workspace } from '../../core/ports.ts';
import { planEdit } from '../../toolbox/edit/planEdit.ts';
import { textHash } from '../../toolbox/textHash.ts';
import { visible } from '../../core/visible.ts';

const scheme = 'loopscope-preview';

export interface EditPreview extends vscode.Disposable {
  /** Opens the difference where the call is an edit that would work; returns what closes it again. Never rejects. */
  show(workspace: Workspace, call: ToolCallRequest): Promise<() => Promise<void>>;
}

export function createEditPreview(): EditPreview {
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
  const open = async ({ path, before, after }: Change): Promise<readonly [vscode.Uri, vscode.Uri]> => {
    const uris = [uriOf(path, before), uriOf(path, after)] as const;
    const title = vscode.l10n.t('{0} (proposed by the agent)', visible(path));
    const options = { preview: true, preserveFocus: true, viewColumn: vscode.ViewColumn.Beside };
    await vscode.commands.executeCommand('vscode.diff', ...uris, title, options);
    return uris;
  };
  return {
    async show(workspace, call) {
      const change = await changeOf(workspace, call);
      if (!change) return async () => undefined;
      const opened = await open(change).catch(() => undefined);
      // Without it the dialog says in words what is to happen.
      if (!opened) return async () => undefined;
      return async () => {
        for (const uri of opened) texts.delete(uri.toString());
        const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
        const own = tabs.filter(
          ({ input }) =>
            input instanceof vscode.TabInputTextDiff && input.modified.toString() === opened[1].toString(),
        );
        await vscode.window.tabGroups.close(own);
      };
    },
    dispose: () => void provider.dispose(),
  };
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

async function changeOf(workspace: Workspace, call: ToolCallRequest): Promise<Change | undefined> {
  const input = parseJson(call.arguments);
  if (!isRecord(input) || typeof input['path'] !== 'string') return undefined;
  const { path, content } = input;
  if (call.name === 'create_file' && typeof content === 'string') return { path, before: '', after: content };
  if (call.name !== 'edit_file') return undefined;
  const file = await workspace.read(path);
  if (!file.ok) return undefined;
  const seen = { hash: textHash(file.text), whole: true };
  // The arguments were checked before anybody is asked.
  const planned = planEdit(input, file.text, seen);
  return planned.ok ? { path: file.path, before: file.text, after: planned.text } : undefined;
}
