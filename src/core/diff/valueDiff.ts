/**
 * A text of a message may be JSON (a call's arguments, most results) or not, and often one of two is and the other
 * is not. So what a text is compared as is decided here, for each pair anew, and said: by key where both parse, as git
 * takes a driver for a kind of file, and by words else. https://git-scm.com/docs/gitattributes#_generating_diff_text
 */
import { jsonDiff } from './jsonDiff.ts';
import { createWordBudget, wordDiff, type WordDiff } from './wordDiff.ts';

/** A difference of two values, and what it was compared as. */
export interface ValueDiff extends WordDiff {
  readonly by: 'json' | 'words';
}

/**
 * As JSON, by key, when both are; as text otherwise, and when only the writing of the JSON differs. JSON that is too
 * large for that is compared as text, and counts as coarse.
 */
export function valueDiff(before: string, after: string, budget = createWordBudget()): ValueDiff {
  const json = before === after ? undefined : jsonDiff(before, after, budget);
  if (typeof json === 'object' && json.pieces.some((piece) => piece.kind !== 'same'))
    return { ...json, by: 'json' };
  const text = wordDiff(before, after, budget);
  return { pieces: text.pieces, coarse: text.coarse || json === 'too large', by: 'words' };
}
