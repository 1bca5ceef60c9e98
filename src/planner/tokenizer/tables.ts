/**
 * What a counter needs of an encoding, read from the data files beside this code: in `src` where the sources
 * run, in `dist/chunks` where they are bundled. It is used as it lies in the files, numbers with the low byte first
 * as every machine has them that VS Code runs on; the memory is shared, as a thread is given it without a copy.
 * What is in the files and where it comes from: `data/generate.mjs`, and the package https://www.npmjs.com/package/tiktoken.
 */
import { open } from 'node:fs/promises';
import type { Encoding } from './encoding.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';

/** Plain data in shared memory: a worker gets it without a copy. */
export interface Tables {
  readonly encoding: Encoding;
  readonly vocabulary: Vocabulary;
  /** As `charKind.ts` reads them. */
  readonly classes: Uint8Array;
}

/** Rejects where a file can't be read, which means a broken installation. */
export async function loadTables(encoding: Encoding): Promise<Tables> {
  const [vocabulary, classes] = await Promise.all([dataFile(encoding), dataFile('classes')]);
  return { encoding, vocabulary: readVocabulary(vocabulary), classes };
}

async function dataFile(name: string): Promise<Uint8Array> {
  const file = await open(new URL(`./data/${name}.bin`, import.meta.url));
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(new SharedArrayBuffer(size));
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    if (bytesRead !== size) throw new Error(`${name}.bin could not be read to its end`);
    return bytes;
  } finally {
    await file.close();
  }
}
