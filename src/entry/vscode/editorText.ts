/** The text of one file as the editor has it: read with what is unsaved, changed through the editor. */
import type * as vscode from 'vscode';
import { decodeText, encodeText, markedText } from '../../toolbox/decodeText.ts';
import { isAFolder, isThere, notAFile } from '../../toolbox/fileProblem.ts';
import {
  type ChangedFile,
  type DecodedText,
  type FileContent,
  maxFileBytes,
  type TextChange,
} from '../../toolbox/fileTree.ts';
import { textOf } from '../../toolbox/textOf.ts';
import { ToolError } from '../../toolbox/toolError.ts';
import type { EditorApi } from './editorApi.ts';

/** A file by the path that a tool gave, and by the one that it really has: it may be open under either. */
export interface EditorFile {
  /** In words for the model. */
  readonly path: string;
  readonly given: vscode.Uri;
  readonly real: vscode.Uri;
}

const unsaved = 'unsaved: this is the text in the editor, not the one on disk';
const changedBySaving =
  'the editor changed more of it when it saved it (a formatter, a setting): read it again before a further change';
const notSaved = 'not saved: the editor holds unsaved changes of the user, and this change with them';
const leftUnsaved =
  'not saved: this change is left in the editor for the user to save; commands see the file as it was';

const onlyOnDisk =
  'the editor would change its line breaks or its encoding, and the user lets no edit be saved (the setting loopscope.saveEdits)';

export async function readContent(api: EditorApi, file: EditorFile): Promise<FileContent> {
  const uri = file.real.toString();
  const open = dirtyDocument(api, file);
  if (open) {
    const format = { encoding: 'utf-8', mark: false } as const;
    return { kind: 'text', uri, text: open.getText(), format, note: unsaved };
  }
  const content = await readBytes(api, file);
  return content.kind === 'text' ? { ...content, uri } : content;
}

async function readBytes(
  api: EditorApi,
  { path, given }: EditorFile,
): Promise<DecodedText | Exclude<FileContent, { readonly kind: 'text' }>> {
  const { type, size } = await api.workspace.fs.stat(given);
  if (type & api.FileType.Directory) throw new ToolError(`${path}: ${isAFolder}`);
  if (!(type & api.FileType.File)) throw new ToolError(`${path}: ${notAFile}`);
  if (size > maxFileBytes) return { kind: 'too large', bytes: size };
  return decodeText(await api.workspace.fs.readFile(given));
}

/**
 * Changes a text by an edit of the editor's, which one undo takes back. What was saved is saved again, unless the user
 * wants to save it (the setting `loopscope.saveEdits`); a text with unsaved changes stays unsaved: those are the user's to
 * save. Where the editor's text is not what is on disk (it has one kind of line break for all lines), the bytes are
 * written, and an open editor shows them.
 */
export async function changeText(api: EditorApi, file: EditorFile, change: TextChange): Promise<ChangedFile> {
  refuseNotebook(api, file);
  const uri = file.real.toString();
  const dirty = dirtyDocument(api, file);
  if (dirty) {
    const before = dirty.getText();
    const next = change({ uri, text: before });
    await refuseLoss(api, file, dirty, next);
    await replaceIn(api, dirty, file, next);
    return { uri, before, after: dirty.getText(), note: notSaved };
  }
  await refuseReadOnly(api, file);
  const { text, format } = textOf(file.path, await readBytes(api, file));
  const before = markedText(text, format);
  const document = isUniform(text) ? await api.workspace.openTextDocument(file.real) : undefined;
  const next = change({ uri, text });
  const saves = api.workspace.getConfiguration('loopscope', file.real).get('saveEdits') !== 'never';
  const isOther = document !== undefined && !isUnicode(document);
  if (!document || document.isDirty || document.getText() !== text || isOther) {
    if (!saves) throw new ToolError(`${file.path}: ${onlyOnDisk}`);
    await api.workspace.fs.writeFile(file.real, encodeText(next, format));
    const note = isOther && /[^\0-\x7f]/.test(next) ? { note: takenForOther(document.encoding) } : {};
    return { uri, before, after: markedText(next, format), ...note };
  }
  await replaceIn(api, document, file, next);
  if (!saves) return { uri, before, after: document.getText(), note: leftUnsaved };
  // One that is saved by then was saved by somebody else first (the editor itself does it after a delay).
  if (!(await document.save()) && document.isDirty) {
    await replaceIn(api, document, file, text);
    throw new ToolError(`${file.path}: it could not be saved; the change was taken back`);
  }
  const after = document.getText();
  return { uri, before, after, ...(after === next ? {} : { note: changedBySaving }) };
}

/** Makes a file by an edit of the editor's, with the folders that it needs. */
export async function createText(api: EditorApi, file: EditorFile, text: string): Promise<ChangedFile> {
  await refuseReadOnly(api, file);
  const isTaken = await api.workspace.fs.stat(file.given).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new ToolError(`${file.path}: ${isThere}`);
  const edit = new api.WorkspaceEdit();
  edit.createFile(file.given, {
    overwrite: false,
    ignoreIfExists: false,
    contents: Buffer.from(text, 'utf8'),
  });
  if (!(await api.workspace.applyEdit(edit)))
    throw new ToolError(`${file.path}: the editor could not make it (no permission, or somebody else did)`);
  return { uri: file.real.toString(), before: undefined, after: text };
}

function dirtyDocument(api: EditorApi, { given, real }: EditorFile): vscode.TextDocument | undefined {
  const wanted = [given.toString(), real.toString()];
  return api.workspace.textDocuments.find((one) => one.isDirty && wanted.includes(one.uri.toString()));
}

function isUnicode({ encoding }: vscode.TextDocument): boolean {
  return encoding.startsWith('utf');
}

function takenForOther(encoding: string): string {
  return `written as UTF-8; the settings of the editor take the file for ${encoding}`;
}

/** What an encoding of the user's lacks is saved as `?`, without a word. */
async function refuseLoss(
  api: EditorApi,
  { path }: EditorFile,
  document: vscode.TextDocument,
  text: string,
): Promise<void> {
  if (isUnicode(document)) return;
  const { encoding } = document;
  const bytes = await api.workspace.encode(text, { encoding });
  if ((await api.workspace.decode(bytes, { encoding })) !== text)
    throw new ToolError(
      `${path}: the editor has it as ${encoding}, which lacks characters of the new text; nothing was changed`,
    );
}

function refuseNotebook(api: EditorApi, { path, given, real }: EditorFile): void {
  const wanted = [given.toString(), real.toString()];
  if (api.workspace.notebookDocuments.some((one) => one.isDirty && wanted.includes(one.uri.toString())))
    throw new ToolError(`${path}: it is open as a notebook with unsaved changes`);
}

async function refuseReadOnly(api: EditorApi, { path, given }: EditorFile): Promise<void> {
  const { fs } = api.workspace;
  const stat = await Promise.resolve(fs.stat(given)).catch(() => undefined);
  const isReadOnly = ((stat?.permissions ?? 0) & api.FilePermission.Readonly) !== 0;
  if (isReadOnly || fs.isWritableFileSystem(given.scheme) === false)
    throw new ToolError(`${path}: ${isReadOnly ? 'it' : 'the file system'} is read-only`);
}

/** The editor keeps such line breaks as they are. */
function isUniform(text: string): boolean {
  return !/\r(?!\n)/.test(text) && !(/\r\n/.test(text) && /(?<!\r)\n/.test(text));
}

/** One edit of the stretch that differs: what is around it keeps its cursors, marks and breakpoints. */
async function replaceIn(
  api: EditorApi,
  document: vscode.TextDocument,
  { path }: EditorFile,
  next: string,
): Promise<void> {
  const text = document.getText();
  const start = sameStart(text, next);
  const end = sameEnd(text, next, start);
  const range = new api.Range(document.positionAt(start), document.positionAt(text.length - end));
  const edit = new api.WorkspaceEdit();
  edit.replace(document.uri, range, next.slice(start, next.length - end));
  if (!(await api.workspace.applyEdit(edit)))
    throw new ToolError(`${path}: the editor did not take the change; nothing was changed`);
}

/** Units that are the same at the start; never half a pair, and never half a CRLF, which is no place in an editor. */
function sameStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a[at] === b[at]) at++;
  while (at > 0 && (splits(a, at) || splits(b, at))) at--;
  return at;
}

function sameEnd(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < limit && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  while (count > 0 && (splits(a, a.length - count) || splits(b, b.length - count))) count--;
  return count;
}

function splits(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  return (text[at - 1] === '\r' && text[at] === '\n') || (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
