/** The rows of the debugging table inside VS Code: the same transcripts as over stdio. */
import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { play } from '../golden/rows/createDap.ts';
import { rows } from '../golden/rows/rows.ts';
import { createRowLink } from './rowLink.ts';

const goldens = path.resolve(__dirname, '../../test/golden/rows');

describe('debugging, row by row', () => {
  for (const row of rows)
    it(row.name, async () => {
      const link = createRowLink();
      try {
        assert.equal(await play(row, link), readFileSync(path.join(goldens, `${row.name}.txt`), 'utf8'));
      } finally {
        link.dispose();
      }
    });
});
