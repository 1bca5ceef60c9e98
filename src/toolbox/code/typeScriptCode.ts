/**
 * Language services for a plain folder, by the TypeScript that is installed in it: for JavaScript and TypeScript. It is code
 * of the folder's, so it is for folders that the user trusts; and only as it was when this was made, so that no tool that
 * writes files makes something that runs.
 */
import { realpathSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { WorkspaceResult } from '../../core/ports.ts';
import type { CodeServices } from '../../core/services.ts';
import { errorText } from '../errorText.ts';
import { normalPath } from '../normalPath.ts';
import { contains, realPathInside } from '../realPathInside.ts';
import { ToolError } from '../toolError.ts';
import { type AskCode, createCodeThread } from './codeThread.ts';
import { findTypeScript } from './findTypeScript.ts';
import { noCode, runInstead, searchInstead } from './noCode.ts';
import { inOrder, isNameLike } from './placeOrder.ts';
import type { Answer, Found, Question } from './questions.ts';

const kinds: ReadonlySet<string> = new Set(['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']);
/** Places that are looked at, of an answer of any length. */
const most = 2000;

/** @param worker the file of the thread; the built one when left out */
export function createTypeScriptCode(folder: string, worker?: URL): CodeServices {
  const found = findTypeScript(folder);
  if (!found) return noCode('no TypeScript is installed in this folder (node_modules/typescript)');
  const root = realpathSync(folder);
  let thread: AskCode | undefined;
  const ask: AskCode = async (question, signal) => {
    if (!thread && !found.isUnchanged()) return { ok: false, error: changed };
    thread ??= createCodeThread({ root, typescript: found.file }, worker);
    return thread(question, signal);
  };
  const asked = (question: Question, signal: Parameters<AskCode>[1]) => ask(question, signal).then(foundOf);
  const fileOf = (path: string, instead: string) => codeFile(folder, path, instead);
  return {
    symbols: ({ name, path }, signal) =>
      guarded(async () => {
        const file = path === undefined ? undefined : await fileOf(path, searchInstead);
        const { symbols = [] } = await asked({ kind: 'symbols', name, file }, signal);
        const fitting = path === undefined ? symbols : symbols.filter((one) => isNameLike(one.name, name));
        const { inside, outside } = await insideOnly(folder, root, fitting);
        const isFiltered = path !== undefined && name !== '' && symbols.length > 0;
        const note = noteOf(fitting.length, isFiltered);
        return { symbols: inOrder(inside, path === undefined ? name : undefined), outside, ...note };
      }),
    references: (target, signal) =>
      guarded(async () => {
        const file = await fileOf(target.path, searchInstead);
        const { places = [] } = await asked({ kind: 'references', file, ...target }, signal);
        const { inside, outside } = await insideOnly(folder, root, places);
        return { references: inOrder(inside), outside, ...noteOf(places.length, false) };
      }),
    diagnostics: (path, signal) =>
      guarded(async () => {
        const file = path === undefined ? undefined : await fileOf(path, runInstead);
        const { diagnostics = [] } = await asked({ kind: 'diagnostics', file }, signal);
        const { inside } = await insideOnly(folder, root, diagnostics);
        return { diagnostics: bySeverity(inOrder(inside)), ...noteOf(diagnostics.length || 1, false) };
      }),
  };
}

const changed =
  'the TypeScript of this folder was changed since the agent was loaded, so it is not used; ' + searchInstead;

function foundOf(answer: Answer): Found {
  if (!answer.ok) throw new ToolError(answer.error);
  return answer;
}

/** The real file of a path, with `/`. */
async function codeFile(folder: string, path: string, instead: string): Promise<string> {
  const normal = normalPath(path);
  const real = await realPathInside(folder, normal);
  if (!kinds.has(extname(real)))
    throw new ToolError(
      `${path}: the language service here knows JavaScript and TypeScript only; ${instead}`,
    );
  return real.split(sep).join('/');
}

/** With paths as tools write them; without what is outside, also by a link. */
async function insideOnly<T extends { readonly file: string }>(
  folder: string,
  root: string,
  items: readonly T[],
): Promise<{ readonly inside: readonly Placed<T>[]; readonly outside: number }> {
  const looked = items.slice(0, most);
  const names = new Map<string, Promise<string | undefined>>();
  const found = await Promise.all(
    looked.map(async (item) => {
      const known = names.get(item.file) ?? pathInside(folder, root, item.file);
      names.set(item.file, known);
      return { path: await known, item };
    }),
  );
  const inside = found.flatMap(({ path, item }) => (path === undefined ? [] : [placed(item, path)]));
  return { inside, outside: looked.length - inside.length };
}

type Placed<T> = Omit<T, 'file'> & { readonly path: string };

function placed<T extends { readonly file: string }>({ file: _, ...item }: T, path: string): Placed<T> {
  return { ...item, path };
}

async function pathInside(folder: string, root: string, file: string): Promise<string | undefined> {
  if (!contains(root, join(file))) return undefined;
  const path = relative(root, join(file)).split(sep).join('/');
  return realPathInside(folder, path).then(
    () => path,
    () => undefined,
  );
}

function noteOf(count: number, isFiltered: boolean): { readonly note?: string } {
  if (count > most) return { note: `only the first ${most} of ${count} were looked at` };
  if (count > 0) return {};
  return {
    note: isFiltered
      ? 'the file has symbols, and none of that name'
      : 'TypeScript told of nothing. That is no proof that there is nothing: search_text finds text',
  };
}

const severities = ['error', 'warning', 'information', 'hint'];

function bySeverity<T extends { readonly severity: string }>(found: readonly T[]): readonly T[] {
  return found.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

async function guarded<T extends object>(work: () => Promise<T>): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    return { ok: false, error: errorText(error) };
  }
}
