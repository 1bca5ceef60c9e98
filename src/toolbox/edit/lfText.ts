/** A text as models write it: every line ends with LF. */
export interface LfText {
  readonly text: string;
  /** The place in the original of a place in `text`; between CR and LF is no place. */
  toOriginal(index: number): number;
}

/**
 * CRLF becomes LF. A CR alone is a character like others, unless `alone` says that it ends a line: then it becomes LF
 * too.
 */
export function lfText(original: string, alone = false): LfText {
  /** Where the LF of each CRLF stands in the new text. */
  const pairs: number[] = [];
  let text = '';
  let from = 0;
  for (let at = original.indexOf('\r\n'); at >= 0; at = original.indexOf('\r\n', from)) {
    text += original.slice(from, at);
    pairs.push(text.length);
    text += '\n';
    from = at + 2;
  }
  text += original.slice(from);
  return {
    text: alone ? text.replaceAll('\r', '\n') : text,
    toOriginal: (index) => index + countBelow(pairs, index),
  };
}

/** How many of the ascending numbers are less than `limit`. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
