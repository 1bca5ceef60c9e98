/**
 * The shortest edit between two sequences, found greedily: for 0, 1, 2, … edits, how far along each
 * diagonal can one get? The first to reach the far corner is shortest. Time and memory grow with the square of
 * the edits, so the search is capped, and whoever asks has another plan for what is too different.
 * Myers, An O(ND) Difference Algorithm and Its Variations, http://www.xmailserver.org/diff2.pdf
 */

/** A stretch of both sequences: `[fromStart, fromEnd)` of the old one and `[toStart, toEnd)` of the new one. */
export interface Box {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

/** Whether the old item of one index and the new item of another are the same. */
export type IsSame = (from: number, to: number) => boolean;

/** Work that may still be done, in comparisons. Counted and not timed: the same input gets the same answer. */
export interface Effort {
  steps: number;
}

/** How far each number of edits got: row d has the x of the diagonals -d, -d + 2, …, d. */
interface Trace {
  rows: Int32Array;
  edits: number;
}

/**
 * Writes the partner of each kept item of the box into `partner` (by index of the old list); false, and nothing
 * written, when it takes more than `maxEdits` or more steps than there are.
 */
export function matchShortest(
  isSame: IsSame,
  box: Box,
  partner: Int32Array,
  maxEdits: number,
  effort: Effort,
): boolean {
  const trace = search(isSame, box, maxEdits, effort);
  if (!trace) return false;
  walkBack(box, trace, partner);
  return true;
}

/**
 * The rows of the last search, for the next one: a text falls into many stretches, and fresh memory for each of them
 * costs more than the search. No more than the square of the cap on edits; a row is written before it is read.
 */
let kept = new Int32Array(256);

function search(isSame: IsSame, box: Box, maxEdits: number, effort: Effort): Trace | undefined {
  const width = box.fromEnd - box.fromStart;
  const height = box.toEnd - box.toStart;
  const most = Math.min(width + height, maxEdits);
  let rows = kept;
  for (let edits = 0; edits <= most; edits++) {
    const row = (edits * (edits + 1)) / 2;
    if (row + edits >= rows.length) rows = kept = doubled(rows);
    const before = row - edits;
    effort.steps -= edits + 1;
    for (let index = 0; index <= edits; index++) {
      const k = 2 * index - edits;
      let x =
        edits === 0
          ? 0
          : isDown(rows, before, index, edits)
            ? rows[before + index]!
            : rows[before + index - 1]! + 1;
      const start = x;
      while (x < width && x - k < height && isSame(box.fromStart + x, box.toStart + x - k)) x++;
      effort.steps -= x - start;
      rows[row + index] = x;
      if (x >= width && x - k >= height) return { rows, edits };
    }
    if (effort.steps < 0) return undefined;
  }
  return undefined;
}

/** Whether diagonal number `index` of its row was reached by an insertion: the one above it got further. */
function isDown(rows: Int32Array, before: number, index: number, edits: number): boolean {
  return index === 0 || (index !== edits && rows[before + index - 1]! < rows[before + index]!);
}

function doubled(rows: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(rows.length * 2);
  larger.set(rows);
  return larger;
}

/** From the far corner to the start over what each number of edits had reached. */
function walkBack(box: Box, { rows, edits }: Trace, partner: Int32Array): void {
  let x = box.fromEnd - box.fromStart;
  let y = box.toEnd - box.toStart;
  for (let left = edits; left >= 0; left--) {
    const before = ((left - 1) * left) / 2;
    const index = (x - y + left) / 2;
    const down = left > 0 && isDown(rows, before, index, left);
    const startX = left === 0 ? 0 : down ? rows[before + index]! : rows[before + index - 1]! + 1;
    while (x > startX) partner[box.fromStart + --x] = box.toStart + --y;
    if (left === 0) return;
    if (down) y--;
    else x--;
  }
}
