import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import { buildPage } from '../../doubles/panelPage.ts';

test('each panel script stays under 40,000 bytes gz: what a panel weighs is what it takes to open', async () => {
  for (const panel of ['rounds', 'context']) {
    const { script } = await buildPage(`media/${panel}.tsx`);
    const size = gzipSync(script, { level: 9 }).length;
    assert.ok(size < 40_000, `${panel}: ${size} bytes`);
    assert.ok(size > 10_000, `${panel} is whole: ${size} bytes`);
  }
});
