/** What VS Code's language services say of symbols. That they say nothing is never told as a fact. */
import * as vscode from 'vscode';
import type { AbortSignalLike } from '../../core/ports.ts';
import type {
  CodeServices,
  CodeSymbol,
  FoundReferences,
  FoundSymbols,
  ReferenceTarget,
  SymbolQuery,
} from '../../core/services.ts';
import { columnOf } from '../../toolbox/code/columnOf.ts';
import { inOrder, isNameLike } from '../../toolbox/code/placeOrder.ts';
import { errorText } from '../../toolbox/errorText.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import { type Answer, askPatiently } from './askPatiently.ts';
import { documentSymbols, workspaceSymbols, type FoundSymbol } from './codeSymbols.ts';
import type { EditorPaths } from './editorPaths.ts';

/** Places that are looked at, of an answer of any length. */
const most = 2000;

const nobody =
  'no language service told of anything: none may be there for these files, or it is still starting. That is no proof ' +
  'that there is nothing: search_text finds text';
const starting = 'the language services are at work and have not answered yet: ask again';

/** @param findFiles files that hold a text, so that the language services of their kind can be woken */
export function createCodeServices(
  paths: EditorPaths,
  findFiles: (text: string, signal: AbortSignalLike) => Promise<readonly vscode.Uri[]>,
): Pick<CodeServices, 'symbols' | 'references'> {
  return {
    async symbols(query, signal) {
      try {
        return { ok: true, ...(await symbolsOf(paths, query, findFiles, signal)) };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
    async references(target, signal) {
      try {
        return { ok: true, ...(await referencesOf(paths, target, signal)) };
      } catch (error) {
        return { ok: false, error: errorText(error) };
      }
    },
  };
}

async function symbolsOf(
  paths: EditorPaths,
  { name, path }: SymbolQuery,
  findFiles: (text: string, signal: AbortSignalLike) => Promise<readonly vscode.Uri[]>,
  signal: AbortSignalLike,
): Promise<FoundSymbols> {
  const asked =
    path === undefined
      ? await everywhere(name, findFiles, signal)
      : await inFile(await opened(await paths.uriOf(path), path), signal);
  const fitting = path === undefined ? asked.value : asked.value.filter((one) => isNameLike(one.name, name));
  const { inside, outside } = await insideOnly(paths, fitting);
  const symbols = inside.map(({ path: at, item }) => symbolOf(at, item));
  const note = noteOf(asked, inside.length + outside, path !== undefined && name !== '');
  return {
    symbols: inOrder(symbols, path === undefined ? name : undefined),
    outside,
    ...(note === undefined ? {} : { note }),
  };
}

function noteOf<T>({ value, isBusy }: Answer<T>, found: number, isFiltered: boolean): string | undefined {
  if (isBusy) return starting;
  if (value.length === 0) return nobody;
  if (found === 0 && isFiltered) return 'the file has symbols, and none of that name';
  return value.length > most ? `only the first ${most} of ${value.length} were looked at` : undefined;
}

/** A document that is opened starts the language services of its kind. */
async function opened(uri: vscode.Uri, path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new ToolError(`${path}: the editor can not open it as text: ${errorText(error)}`);
  }
}

function inFile({ uri }: vscode.TextDocument, signal: AbortSignalLike): Promise<Answer<FoundSymbol>> {
  return askPatiently(() => documentSymbols(uri), signal);
}

/** Language services know projects of which a file was opened: where they say nothing, one that holds the name is. */
async function everywhere(
  name: string,
  findFiles: (text: string, signal: AbortSignalLike) => Promise<readonly vscode.Uri[]>,
  signal: AbortSignalLike,
): Promise<Answer<FoundSymbol>> {
  const first = await askPatiently(() => workspaceSymbols(name), signal, 0);
  if (first.value.length > 0) return first;
  const files = await findFiles(name, signal);
  for (const uri of files) await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
  return files.length > 0 ? askPatiently(() => workspaceSymbols(name), signal) : first;
}

async function referencesOf(
  paths: EditorPaths,
  target: ReferenceTarget,
  signal: AbortSignalLike,
): Promise<FoundReferences> {
  const document = await opened(await paths.uriOf(target.path), target.path);
  if (target.line > document.lineCount)
    throw new ToolError(`${target.path} has ${document.lineCount} lines; line was ${target.line}`);
  const line = document.lineAt(target.line - 1).text;
  const column = columnOf(line, target);
  const at = new vscode.Position(target.line - 1, column - 1);
  const asked = await askPatiently(
    () =>
      vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', document.uri, at),
    signal,
  );
  const { inside, outside } = await insideOnly(paths, asked.value);
  const references = inside.map(({ path, item }) => ({ path, ...positionOf(item.range) }));
  const note = noteOf(asked, references.length, false);
  return { references: inOrder(references), outside, ...(note === undefined ? {} : { note }) };
}

async function insideOnly<T extends { readonly uri: vscode.Uri }>(
  paths: EditorPaths,
  items: readonly T[],
): Promise<{ readonly inside: readonly { path: string; item: T }[]; readonly outside: number }> {
  const looked = items.slice(0, most);
  const names = new Map<string, Promise<string | undefined>>();
  const found = await Promise.all(
    looked.map(async (item) => {
      const key = item.uri.toString();
      const known = names.get(key) ?? paths.insideOf(item.uri);
      names.set(key, known);
      return { path: await known, item };
    }),
  );
  const inside = found.flatMap(({ path, item }) => (path === undefined ? [] : [{ path, item }]));
  return { inside, outside: looked.length - inside.length };
}

function positionOf(range: vscode.Range | undefined): { line: number; column: number } {
  return { line: (range?.start.line ?? 0) + 1, column: (range?.start.character ?? 0) + 1 };
}

function symbolOf(path: string, { name, kind, start, end, container }: FoundSymbol): CodeSymbol {
  return {
    name,
    kind,
    path,
    ...positionOf(start),
    ...(end === undefined ? {} : { end: end + 1 }),
    ...(container === undefined || container === '' ? {} : { container }),
  };
}
