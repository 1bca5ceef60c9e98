/** What VS Code's language services and editors know, in the words of the workspace's port. */
import * as vscode from 'vscode';
import type {
  AbortSignalLike,
  EditorServices,
  FileDiagnostic,
  OpenEditor,
  WorkspaceResult,
} from '../../core/ports.ts';
import type { CodeServices } from '../../core/services.ts';
import { capText } from '../../core/capText.ts';
import { errorText } from '../../toolbox/errorText.ts';
import { diagnosticOf, rank } from './diagnosticOf.ts';
import type { DiagnosticsWatch } from './diagnosticsWatch.ts';
import type { EditorPaths } from './editorPaths.ts';

/** Milliseconds that diagnostics are waited for. */
const longest = 3000;
/** Characters of a selection. */
const selected = 1500;

export function createEditorServices(
  watch: DiagnosticsWatch,
  paths: EditorPaths,
  code: CodeServices,
): EditorServices {
  return {
    ...code,
    async diagnostics(path, signal) {
      try {
        return await diagnosticsOf(watch, paths, path, signal);
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
    openEditors: () => ({ ok: true, editors: openEditors(paths) }),
  };
}

async function diagnosticsOf(
  watch: DiagnosticsWatch,
  paths: EditorPaths,
  path: string | undefined,
  signal: AbortSignalLike,
): Promise<WorkspaceResult<{ diagnostics: readonly FileDiagnostic[]; note?: string }>> {
  const uris = path === undefined ? changedUris() : [await paths.uriOf(path)];
  const names = uris.map((uri) => uri.toString());
  await Promise.all(names.map((name) => watch.settled(name, longest, signal)));
  const asked = path === undefined ? undefined : new Set(names);
  // All of one moment: sets of before and after a change are never mixed.
  const all = vscode.languages.getDiagnostics().filter(([uri]) => !asked || asked.has(uri.toString()));
  const states = [...new Set([...names, ...all.map(([uri]) => uri.toString())])].map((name) =>
    watch.freshness(name),
  );
  const note = states.includes('old')
    ? 'they may be older than the last change: the language services have not answered yet'
    : states.includes('other')
      ? 'other files were changed since: what depends on them may not have been looked at again'
      : undefined;
  const diagnostics = all
    .flatMap(([uri, list]) => {
      const name = paths.pathOf(uri);
      return name === undefined ? [] : list.map((one) => diagnosticOf(name, one));
    })
    .sort((a, b) => rank(a) - rank(b));
  return { ok: true, diagnostics, ...(note === undefined ? {} : { note }) };
}

/** Texts that are open: a change was made in one of them. */
function changedUris(): readonly vscode.Uri[] {
  return vscode.workspace.textDocuments.map(({ uri }) => uri);
}

function openEditors(paths: EditorPaths): OpenEditor[] {
  const active = vscode.window.activeTextEditor;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const editors = tabs.flatMap(({ input, isDirty }) =>
    input instanceof vscode.TabInputText ? [{ uri: input.uri, isDirty }] : [],
  );
  const seen = new Map(editors.map((one) => [one.uri.toString(), one]));
  return [...seen.values()].map(({ uri, isDirty }) => {
    const isActive = active?.document.uri.toString() === uri.toString();
    return {
      path: paths.pathOf(uri) ?? uri.toString(),
      ...(isActive ? { active: true as const } : {}),
      ...(isDirty ? { unsaved: true as const } : {}),
      ...(isActive && active && !active.selection.isEmpty ? { selection: selectionOf(active) } : {}),
    };
  });
}

function selectionOf({ document, selection }: vscode.TextEditor): NonNullable<OpenEditor['selection']> {
  const { start, end } = selection;
  return { start: start.line + 1, end: end.line + 1, text: capText(document.getText(selection), selected) };
}
