import { jsonDiff } from './jsonDiff.ts';
import { wordDiff, type WordDiff } from './wordDiff.ts';

/** A difference of two values, and what it was compared as. */
export interface ValueDiff extends WordDiff {
  readonly by: 'json' | 'words';
}

/** As JSON, by key, when both are; as text otherwise, and when only the writing of the JSON differs. */
export function valueDiff(before: string, after: string): ValueDiff {
  const json = jsonDiff(before, after);
  if (json?.pieces.some((piece) => piece.kind !== 'same')) return { ...json, by: 'json' };
  return { ...wordDiff(before, after), by: 'words' };
}
