/** What VS Code's editors know, in the words of the workspace's port. */
import * as vscode from 'vscode';
import type { EditorServices, OpenEditor } from '../../core/ports.ts';
import { capText } from '../../core/capText.ts';
import type { EditorPaths } from './editorPaths.ts';

/** Characters of a selection. */
const selected = 1500;

export function createEditorServices(paths: EditorPaths): EditorServices {
  return { openEditors: () => ({ ok: true, editors: openEditors(paths) }) };
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
