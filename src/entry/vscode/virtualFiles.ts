/**
 * The scheme `loopscope:`: the loop's own source and rounds as readable documents (read-only), and values
 * being edited in an editor (saving one applies it; a refusal leaves the document unsaved, with the reason).
 */
import * as vscode from 'vscode';
import { readFile } from 'node:fs/promises';
import type { Scope } from '../../core/events.ts';
import { fileScheme } from './names.ts';

export const loopUri = vscode.Uri.from({ scheme: fileScheme, path: '/loop.ts' });

/** `before`: the document as it was when the journal had so many events. */
export function roundUri(session: string, run: number, round: number, before?: number): vscode.Uri {
  const past = before === undefined ? '' : ` at event ${before}`;
  return vscode.Uri.from({
    scheme: fileScheme,
    path: `/rounds/${session}/run ${run} round ${round}${past}.txt`,
  });
}

/** The body of a request, word for word. */
export function bodyUri(session: string, request: string, attempt: number): vscode.Uri {
  return vscode.Uri.from({
    scheme: fileScheme,
    path: `/bodies/${session}/${request} attempt ${attempt}.json`,
  });
}

/** A value that is being edited: a text (`string`) or JSON. */
export interface EditedValue {
  readonly session: string;
  readonly scope: Scope;
  readonly target: string;
  readonly form: 'string' | 'json-text' | 'json';
}

/** The target's slashes become `+`, so that the last part of the path names the file for people. */
export function editUri({ session, scope, target, form }: EditedValue): vscode.Uri {
  const extension = form === 'string' ? 'txt' : 'json';
  return vscode.Uri.from({
    scheme: fileScheme,
    path: `/edit/${session}/${scope}/${form}/${target.replaceAll('/', '+')}.${extension}`,
  });
}

export function parseEditUri(uri: vscode.Uri): EditedValue | undefined {
  const match =
    /^\/edit\/([^/]+)\/(history|pending|request|state)\/(string|json-text|json)\/(.+)\.(?:txt|json)$/.exec(
      uri.path,
    );
  if (!match) return undefined;
  const [, session = '', scope, form, target = ''] = match;
  return {
    session,
    scope: scope as Scope,
    form: form as EditedValue['form'],
    target: target.replaceAll('+', '/'),
  };
}

export interface VirtualFilePorts {
  readonly loopFile: string;
  /** The text of a round's document; undefined when there is none. */
  readonly roundText: (
    session: string,
    run: number,
    round: number,
    before: number | undefined,
  ) => Promise<string | undefined>;
  /** The body of a request; undefined when there is none. */
  readonly bodyText: (session: string, request: string, attempt: number) => string | undefined;
  /** The tools of an agent or a session; undefined when the address is none of theirs, or there are none. */
  readonly toolsText: (uri: vscode.Uri) => Promise<string | undefined>;
  readonly readValue: (value: EditedValue) => string | undefined;
  /** Applies a text; the reason when it is refused. */
  readonly writeValue: (value: EditedValue, text: string) => Promise<string | undefined>;
  readonly diagnostics: vscode.DiagnosticCollection;
}

export interface VirtualFiles extends vscode.FileSystemProvider {
  /** A session went on: documents that are open are read again. */
  refresh(): void;
}

export function createVirtualFiles(ports: VirtualFilePorts): VirtualFiles {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** What was last told of each document: its time moves with its text and with nothing else, since VS Code
   *  refuses to save over a document whose time moved. */
  const told = new Map<string, { readonly text: string; readonly version: number }>();

  const textAt = async (uri: vscode.Uri): Promise<string | undefined> => {
    if (uri.path === loopUri.path) return readFile(ports.loopFile, 'utf8');
    const round = /^\/rounds\/([^/]+)\/run (\d+) round (\d+)(?: at event (\d+))?\.txt$/.exec(uri.path);
    if (round) {
      const [, session = '', run, number, before] = round;
      return ports.roundText(
        session,
        Number(run),
        Number(number),
        before === undefined ? undefined : Number(before),
      );
    }
    const body = /^\/bodies\/([^/]+)\/([^/]+) attempt (\d+)\.json$/.exec(uri.path);
    if (body) return ports.bodyText(body[1] ?? '', body[2] ?? '', Number(body[3]));
    if (uri.path.startsWith('/tools/')) return ports.toolsText(uri);
    const value = parseEditUri(uri);
    return value && ports.readValue(value);
  };
  const required = async (uri: vscode.Uri): Promise<string> => {
    const text = await textAt(uri);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return text;
  };
  const versionOf = (uri: vscode.Uri, text: string): number => {
    const last = told.get(uri.path);
    if (last?.text === text) return last.version;
    const version = (last?.version ?? 0) + 1;
    told.set(uri.path, { text, version });
    return version;
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions(vscode.l10n.t('Only values of a session can be edited here.'));
  };

  return {
    onDidChangeFile: changed.event,
    refresh() {
      const open = vscode.workspace.textDocuments.filter(
        ({ uri }) => uri.scheme === fileScheme && uri.path !== loopUri.path,
      );
      const paths = new Set(open.map(({ uri }) => uri.path));
      for (const path of told.keys()) if (!paths.has(path)) told.delete(path);
      if (open.length > 0)
        changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
    },
    watch: () => ({ dispose: () => undefined }),
    async stat(uri) {
      const text = await required(uri);
      const isEditable = parseEditUri(uri) !== undefined;
      const permissions = isEditable ? {} : { permissions: vscode.FilePermission.Readonly };
      const size = Buffer.byteLength(text);
      return { type: vscode.FileType.File, ctime: 0, mtime: versionOf(uri, text), size, ...permissions };
    },
    async readFile(uri) {
      return new TextEncoder().encode(await required(uri));
    },
    async writeFile(uri, content) {
      const value = parseEditUri(uri) ?? refuse();
      const reason = await ports.writeValue(value, new TextDecoder().decode(content));
      ports.diagnostics.delete(uri);
      if (reason === undefined) return;
      const whole = new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0);
      const diagnostic = new vscode.Diagnostic(whole, reason, vscode.DiagnosticSeverity.Error);
      diagnostic.source = 'Loopscope';
      ports.diagnostics.set(uri, [diagnostic]);
      throw vscode.FileSystemError.NoPermissions(reason);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
}
