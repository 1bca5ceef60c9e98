/** Errors and warnings as VS Code has them, waited for until they are newer than the last change. */
import * as vscode from 'vscode';
import type { AbortSignalLike } from '../../core/ports.ts';
import type { CodeServices, FoundDiagnostics } from '../../core/services.ts';
import { errorText } from '../../toolbox/errorText.ts';
import { diagnosticOf, rank } from './diagnosticOf.ts';
import type { DiagnosticsWatch } from './diagnosticsWatch.ts';
import type { EditorPaths } from './editorPaths.ts';

/** Milliseconds that they are waited for. */
const longest = 3000;

export function createDiagnostics(watch: DiagnosticsWatch, paths: EditorPaths): CodeServices['diagnostics'] {
  return async (path, signal) => {
    try {
      return { ok: true, ...(await diagnosticsOf(watch, paths, path, signal)) };
    } catch (error) {
      return { ok: false, error: errorText(error) };
    }
  };
}

async function diagnosticsOf(
  watch: DiagnosticsWatch,
  paths: EditorPaths,
  path: string | undefined,
  signal: AbortSignalLike,
): Promise<FoundDiagnostics> {
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
  return { diagnostics, ...(note === undefined ? {} : { note }) };
}

/** Texts that are open: a change was made in one of them. */
function changedUris(): readonly vscode.Uri[] {
  return vscode.workspace.textDocuments.map(({ uri }) => uri);
}
