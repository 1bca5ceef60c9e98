import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { buildPage } from '../../doubles/panelPage.ts';

test('each panel script stays under 40,000 bytes gz: what a panel weighs is what it takes to open', async () => {
  for (const file of ['rounds.tsx', 'context.tsx', 'diff.ts']) {
    const { script } = await buildPage(`media/${file}`);
    const size = gzipSync(script, { level: 9 }).length;
    assert.ok(size < 40_000, `${file}: ${size} bytes`);
    assert.ok(size > 6_000, `${file} is whole: ${size} bytes`);
  }
});
