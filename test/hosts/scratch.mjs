// @ts-check
/** A temporary folder that goes when it is no longer needed, and when this process is interrupted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onInterrupt } from './processTree.mjs';

/**
 * @param {string} purpose a word for its name
 * @param {string} [parent]
 * @returns {Promise<{ path: string, remove: () => Promise<void> }>}
 */
export async function createScratch(purpose, parent = tmpdir()) {
  const path = await mkdtemp(join(parent, `loopscope-${purpose}-`));
  // What was killed a moment ago may still write.
  const discard = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  const settled = onInterrupt(discard);
  return {
    path,
    async remove() {
      // In this order: an interrupt in the middle of it still waits for it.
      await discard();
      settled();
    },
  };
}
