import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { AbortSignalLike, Workspace } from '../../core/ports.ts';
import type { DiagnosticsWatch } from './diagnosticsWatch.ts';
import { createCodeServices } from './editorCode.ts';
import { createEditorGit } from './editorGit.ts';
import type { EditorPaths } from './editorPaths.ts';
import { createDiagnostics } from './editorDiagnostics.ts';
import { createEditorServices } from './editorServices.ts';
import { createEditorTasks } from './editorTasks.ts';
import { createEditorWorkspace, type WorkspaceServices } from './editorWorkspace.ts';

/** What VS Code offers to tools beside the files of its workspace. */
export function workspaceServices(watch: DiagnosticsWatch): (paths: EditorPaths) => WorkspaceServices {
  return (paths) => {
    const files = createEditorWorkspace(vscode);
    const code = createCodeServices(paths, (text, signal) => filesWith(files, paths, text, signal));
    return {
      code: { ...code, diagnostics: createDiagnostics(watch, paths) },
      editor: createEditorServices(paths),
      git: createEditorGit(paths),
      tasks: createEditorTasks(paths),
    };
  };
}

/** Kinds of files that are opened to wake language services. */
const kinds = 3;

/** The first file of each kind that holds the text. */
async function filesWith(
  files: Workspace,
  paths: EditorPaths,
  query: string,
  signal: AbortSignalLike,
): Promise<readonly vscode.Uri[]> {
  const found = await files.search({ query, regex: false, limit: 100, signal });
  if (!found.ok) return [];
  const first = new Map<string, string>();
  for (const { path } of found.matches) if (!first.has(extname(path))) first.set(extname(path), path);
  return Promise.all([...first.values()].slice(0, kinds).map((path) => paths.uriOf(path)));
}
