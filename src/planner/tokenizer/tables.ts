/**
 * What a counter needs of an encoding, read from the data files beside this code: in `src` where the sources
 * run, in `dist/chunks` where they are bundled.
 */
import { readFile } from 'node:fs/promises';
import type { Encoding } from './encoding.ts';
import { readVocabulary, type Vocabulary } from './vocabulary.ts';

/** Plain data in shared memory: a worker gets it as it is. */
export interface Tables {
  readonly encoding: Encoding;
  readonly vocabulary: Vocabulary;
  /** As `charKind.ts` reads them. */
  readonly classes: Uint8Array;
}

/** Rejects where a file can't be read, which means a broken installation. */
export async function loadTables(encoding: Encoding): Promise<Tables> {
  const [vocabulary, classes] = await Promise.all([dataFile(encoding), dataFile('classes')]);
  return { encoding, vocabulary: await readVocabulary(vocabulary), classes };
}

function dataFile(name: string): Promise<Uint8Array> {
  return readFile(new URL(`./data/${name}.bin`, import.meta.url));
}
