import { matchSequences } from '../../core/diff/matchSequences.ts';

interface Line {
  readonly text: string;
  /** The break behind it, as it is; '' behind the last. */
  readonly end: string;
}

/**
 * `next` (lines end with LF) in place of `before`, with line breaks as they are there: a line that stays keeps its
 * break, one that took another's place gets that one's, a new one the break of the line before it. `around`: where
 * `before` has none.
 *
 * @param alone a CR alone is a line break
 */
export function keepBreaks(before: string, next: string, around: string, alone = false): string {
  const old = linesOf(before, alone);
  const lines = next.split('\n');
  if (lines.length === 1) return next;
  const partner = partners(old, lines);
  const ends = lines.slice(0, -1).map((_, index) => old[partner[index]!]?.end || undefined);
  const first = ends.find((end) => end !== undefined) ?? around;
  let last = first;
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      last = ends[index] ?? last;
      return line + last;
    })
    .join('');
}

function linesOf(text: string, alone: boolean): readonly Line[] {
  const parts = text.split(alone ? /(\r\n|\r|\n)/ : /(\r\n|\n)/);
  const lines: Line[] = [];
  for (let index = 0; index < parts.length; index += 2)
    lines.push({ text: parts[index]!, end: parts[index + 1] ?? '' });
  return lines;
}

/** For each new line the old one that it is, or whose place it takes; -1 for a line more. */
function partners(old: readonly Line[], lines: readonly string[]): Int32Array {
  const classes = new Map<string, number>();
  const classOf = (text: string) => {
    const known = classes.get(text) ?? classes.size;
    classes.set(text, known);
    return known;
  };
  const from = Int32Array.from(lines, classOf);
  const to = Int32Array.from(old, ({ text }) => classOf(text));
  const options = { run: 2, maxEdits: 2000, effort: { steps: 5_000_000 } };
  const { partner } = matchSequences(from, to, classes.size, options);
  // Between two lines that stay, the others take each other's places in order.
  let oldAt = 0;
  for (let index = 0; index < partner.length; index++) {
    if (partner[index]! >= 0) {
      oldAt = partner[index]! + 1;
      continue;
    }
    const limit = partner.subarray(index).find((one) => one >= 0) ?? old.length;
    for (; index < partner.length && partner[index]! < 0; index++)
      if (oldAt < limit) partner[index] = oldAt++;
    index--;
  }
  return partner;
}
