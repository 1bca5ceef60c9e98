/** Issue 7, C29: whatever a file's encoding, mark and line ends are, the bytes around an edit stay. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFolderWorkspace } from '../../../../src/toolbox/folderWorkspace.ts';
import { editFile } from '../../../../src/toolbox/editFile.ts';
import { createToolbox } from '../../../../src/toolbox/createToolbox.ts';
import { temporaryTree } from '../temporaryTree.ts';
import { memoryFiles, toolContext } from '../toolContext.ts';

const box = createToolbox([editFile]);
const formats = {
  'utf-8': (text: string) => Buffer.from(text, 'utf8'),
  'utf-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf8'),
  'utf-16le': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
} as const;
const piece = fc.constantFrom(
  'a',
  'ä',
  '你好',
  '😀',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '\u2028',
  '\u0085',
  '\v',
  'e\u0301',
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const line = fc
  .array(fc.constantFrom('x', 'ß', '世', '🚀', '{', '\\n', '$&'), { maxLength: 5 })
  .map((pieces) => pieces.join(''));

test('an edit changes the bytes of what it replaces, and no other', async (t) => {
  const root = await temporaryTree(t, { 'f.txt': '' });
  const file = join(root, 'f.txt');
  const workspace = createFolderWorkspace(root);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(formats) as (keyof typeof formats)[])),
      text,
      line,
      text,
      async (format, before, next, after) => {
        const encode = formats[format];
        await writeFile(file, encode(`${before}MARK${after}`));
        const files = memoryFiles();
        const read = await workspace.read('f.txt');
        assert.ok(read.ok);
        assert.equal(read.text, `${before}MARK${after}`);
        files.read(read.uri, read.text, [1, 99], 99);
        const input = { path: 'f.txt', old_string: 'MARK', new_string: next };
        const call = { name: 'edit_file', arguments: JSON.stringify(input) };
        const { observation } = await box.perform(call, toolContext({ workspace, files }));
        assert.ok(observation.success, JSON.stringify(observation));
        assert.deepEqual(await readFile(file), encode(`${before}${next}${after}`));
      },
    ),
    { seed: 29, numRuns: 400 },
  );
});
