import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { readPastSessions } from '../../../../src/entry/vscode/pastSessions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sessions-'));
after(() => rmSync(folder, { recursive: true }));
const example = path.resolve('test/fixtures/journal-example.jsonl');

test('one bad file hides none of the others, and is told of with its line', async () => {
  copyFileSync(example, path.join(folder, 'good.jsonl'));
  const lines = readFileSync(example, 'utf8').split('\n');
  writeFileSync(path.join(folder, 'a-null.jsonl'), lines.with(4, 'null').join('\n'));
  writeFileSync(
    path.join(folder, 'b-shape.jsonl'),
    lines.with(5, lines[5]!.replace('"part":"p2"', '"part":2')).join('\n'),
  );
  const config = JSON.stringify({ ...(JSON.parse(lines[1]!) as object), text: '{"model_name":' });
  writeFileSync(
    path.join(folder, 'c-config.jsonl'),
    lines.with(1, config).join('\n').replace('s-7f3a', 's-config'),
  );
  writeFileSync(path.join(folder, 'd-empty.jsonl'), '');
  mkdirSync(path.join(folder, 'e-folder.jsonl'));
  const { read, unread } = await readPastSessions(folder);
  assert.deepEqual(
    read.map(({ session }) => [session.id, session.title, session.model]),
    [
      ['s-config', 'And what is left for today?', ''],
      ['s-7f3a', 'And what is left for today?', 'gpt-x'],
    ],
  );
  assert.deepEqual(
    unread.map(({ file }) => path.basename(file)),
    ['a-null.jsonl', 'b-shape.jsonl', 'e-folder.jsonl'],
  );
  assert.match(unread[0]?.why ?? '', /a-null\.jsonl:5: the line is not a JSON object/);
  assert.match(
    unread[1]?.why ?? '',
    /b-shape\.jsonl:6: history\.appended\.messages\[0\]\.part must be an id/,
  );
});

test('a folder that is not there holds no sessions', async () => {
  assert.deepEqual(await readPastSessions(path.join(folder, 'nowhere')), { read: [], unread: [] });
});
