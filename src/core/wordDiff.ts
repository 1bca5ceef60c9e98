/**
 * Differences of two texts by words, for reading inline. CJK and other scripts without spaces go by
 * character. A piece is never less than what a reader sees as one character.
 */

export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

export interface WordDiff {
  /** `same` and `removed` in order are the old text, `same` and `added` the new one. */
  readonly pieces: readonly DiffPiece[];
  /** The texts were too large or too different to compare by words: only the common ends were found. */
  readonly coarse: boolean;
}

/** Words on both sides that are compared at all, and edits that are looked for: together they bound time and memory. */
const maxWords = 60_000;
const maxEdits = 800;
/** UTF-16 units of both texts that are cut into words. */
const maxChars = 300_000;

/** Never throws; bounded at some tens of milliseconds, with a coarser answer that says so. */
export function wordDiff(before: string, after: string): WordDiff {
  if (before === after) return { pieces: pieces([['same', before]]), coarse: false };
  if (before.length + after.length > maxChars) return coarse(before, after);
  const from = words(before);
  const to = words(after);
  if (from.length + to.length > maxWords) return coarse(before, after);
  const { start, endFrom, endTo } = commonEnds(from, to);
  const path = shortestEdit(from.slice(start, endFrom), to.slice(start, endTo));
  if (!path) return coarse(before, after);
  const runs: Run[] = [['same', text(from, 0, start)], ...path, ['same', text(from, endFrom, from.length)]];
  return { pieces: pieces(joined(runs)), coarse: false };
}

type Run = readonly [DiffPiece['kind'], string];

/** What a reader sees as one character: a base with its marks, joined emoji, a flag, a line break. */
const extended = String.raw`(?:[\p{M}\u200c\ufe0e\ufe0f\p{Emoji_Modifier}]|\u200d\p{Extended_Pictographic}?)*`;
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const pattern = new RegExp(
  [
    String.raw`[${unspaced}]${extended}`,
    String.raw`(?:(?![${unspaced}])[\p{L}\p{N}_]${extended})+`,
    String.raw`\p{Regional_Indicator}{2}`,
    String.raw`\r\n`,
    String.raw`[^\S\r\n]+`,
    `[^]${extended}`,
  ].join('|'),
  'gu',
);

/** The text cut into words, spaces and single characters; joined they are the text. */
export function words(value: string): string[] {
  return value.match(pattern) ?? [];
}

function text(list: readonly string[], start: number, end: number): string {
  return list.slice(start, end).join('');
}

function commonEnds(
  from: readonly string[],
  to: readonly string[],
): { start: number; endFrom: number; endTo: number } {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let endFrom = from.length;
  let endTo = to.length;
  while (endFrom > start && endTo > start && from[endFrom - 1] === to[endTo - 1]) {
    endFrom--;
    endTo--;
  }
  return { start, endFrom, endTo };
}

/** The common ends of both texts, cut where a reader sees a whole character, and all between as one change. */
function coarse(before: string, after: string): WordDiff {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  while (start > 0 && !(isBoundary(before, start) && isBoundary(after, start))) start--;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  while (end > 0 && !(isBoundary(before, before.length - end) && isBoundary(after, after.length - end)))
    end--;
  const runs: Run[] = [
    ['same', before.slice(0, start)],
    ['removed', before.slice(start, before.length - end)],
    ['added', after.slice(start, after.length - end)],
    ['same', before.slice(before.length - end)],
  ];
  return { pieces: pieces(runs), coarse: true };
}

const continues = /^[\p{M}\u200c\u200d\ufe0e\ufe0f\p{Emoji_Modifier}\udc00-\udfff]/u;

/** Whether a text may be cut before this place: not inside a surrogate pair, before a mark, or at a joiner. */
function isBoundary(value: string, at: number): boolean {
  if (at <= 0 || at >= value.length) return true;
  const unit = value.charCodeAt(at);
  if (unit >= 0xdc00 && unit <= 0xdfff) return false;
  return value[at - 1] !== '\u200d' && !continues.test(value.slice(at, at + 2));
}

/**
 * Myers' greedy search for the shortest edit; undefined when it takes more than `maxEdits`.
 * http://www.xmailserver.org/diff2.pdf
 */
function shortestEdit(from: readonly string[], to: readonly string[]): Run[] | undefined {
  const most = Math.min(from.length + to.length, maxEdits);
  const reached = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reached.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reached[middle + k - 1]! < reached[middle + k + 1]!);
      let x = down ? reached[middle + k + 1]! : reached[middle + k - 1]! + 1;
      while (x < from.length && x - k < to.length && from[x] === to[x - k]) x++;
      reached[middle + k] = x;
      if (x >= from.length && x - k >= to.length) return walkBack(from, to, trace);
    }
  }
  return undefined;
}

/** From the end to the start over what each number of edits had reached. */
function walkBack(from: readonly string[], to: readonly string[], trace: readonly Int32Array[]): Run[] {
  const runs: Run[] = [];
  let x = from.length;
  let y = to.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits]!;
    const at = (k: number) => reached[k + edits + 1]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const beforeX = edits === 0 ? 0 : at(down ? k + 1 : k - 1);
    const beforeY = edits === 0 ? 0 : beforeX - (down ? k + 1 : k - 1);
    while (x > beforeX && y > beforeY) {
      runs.push(['same', from[--x]!]);
      y--;
    }
    if (edits === 0) break;
    if (down) runs.push(['added', to[--y]!]);
    else runs.push(['removed', from[--x]!]);
  }
  return runs.reverse();
}

/** Removals before additions, and no crumbs: a lone separator between two changes belongs to both. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  let removed = '';
  let added = '';
  let same = '';
  const flush = () => {
    result.push(['removed', removed], ['added', added]);
    removed = added = '';
  };
  for (const [kind, value] of runs) {
    if (kind === 'same') {
      same += value;
      continue;
    }
    if (same !== '') {
      if (removed + added !== '' && isCrumb(same)) {
        removed += same;
        added += same;
      } else {
        flush();
        result.push(['same', same]);
      }
      same = '';
    }
    if (kind === 'removed') removed += value;
    else added += value;
  }
  flush();
  return [...result, ['same', same]];
}

function isCrumb(value: string): boolean {
  return value.length <= 2 && !/[\p{L}\p{N}]/u.test(value);
}

function pieces(runs: readonly Run[]): DiffPiece[] {
  const result: { kind: DiffPiece['kind']; text: string }[] = [];
  for (const [kind, value] of runs) {
    if (value === '') continue;
    const last = result.at(-1);
    if (last?.kind === kind) last.text += value;
    else result.push({ kind, text: value });
  }
  return result;
}
