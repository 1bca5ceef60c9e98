import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import { type Folder, pathOfUri, relativePath } from '../../../../src/entry/vscode/editorFolders.ts';

const uri = (scheme: string, path: string, authority = '') =>
  ({ scheme, authority, path }) as unknown as vscode.Uri;
const folder = (name: string, at: vscode.Uri): Folder => ({ name, uri: at, excluded: () => false });

test('a place is named with its folder wherever there are several, of whatever kind the others are', () => {
  const folders = [
    folder('app', uri('file', '/w/app')),
    folder('mem', uri('memfs', '/w/app', 'one')),
    folder('twin', uri('memfs', '/w/app', 'two')),
  ];
  assert.equal(pathOfUri(folders, uri('file', '/w/app/src/a.ts')), 'app/src/a.ts');
  assert.equal(pathOfUri(folders, uri('file', '/w/app')), 'app');
  assert.equal(pathOfUri(folders, uri('memfs', '/w/app/a', 'one')), 'mem/a');
  assert.equal(pathOfUri(folders, uri('memfs', '/w/app/a', 'two')), 'twin/a');
  assert.equal(pathOfUri(folders, uri('memfs', '/w/app/a', 'three')), undefined);
  assert.equal(pathOfUri(folders, uri('file', '/w/app-secrets/k')), undefined);
  assert.equal(pathOfUri(folders.slice(0, 1), uri('file', '/w/app/src/a.ts')), 'src/a.ts');
  assert.equal(pathOfUri(folders.slice(0, 1), uri('file', '/w/app')), '');
  assert.equal(pathOfUri([folder('root', uri('memfs', '/'))], uri('memfs', '/a/b')), 'a/b');
});

test('on Windows: drives in either case, backslashes in what a model writes', () => {
  const folders = [folder('app', uri('file', '/c:/Work/app'))];
  assert.equal(pathOfUri(folders, uri('file', '/C:/work/App/src/a.ts'), 'win32'), 'src/a.ts');
  assert.equal(pathOfUri(folders, uri('file', '/C:/work/App/src/a.ts'), 'linux'), undefined);
  assert.equal(relativePath(folders, 'C:\\Work\\app\\src\\a.ts', 'win32'), 'src/a.ts');
  assert.equal(relativePath(folders, 'C:\\Work\\app-secrets\\k', 'win32'), undefined);
  assert.equal(relativePath([folder('app', uri('file', '/w/app'))], '/w/app/a', 'linux'), 'a');
});
