/**
 * Golden transcripts: readable text that a reviewer can check. A missing file is written (and the test
 * fails, so that it gets looked at); `UPDATE_GOLDEN=1` blesses anew.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export function assertGolden(name: string, actual: string): void {
  const file = fileURLToPath(new URL(`./${name}.txt`, import.meta.url));
  const text = actual.endsWith('\n') ? actual : `${actual}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(file, text);
    return;
  }
  if (!existsSync(file)) {
    writeFileSync(file, text);
    assert.fail(`golden file ${name}.txt was missing and has been written: read it, then run again`);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}
