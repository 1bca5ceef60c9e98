/**
 * From "these spans are the same" to pieces that a person reads: what was removed before what was added, and
 * no crumbs. A crumb is unchanged text so small between two changes that marking around it hides more than it
 * shows: a lone sign, or a word between two changes many times its size. It counts as changed on both sides.
 * The idea is the semantic clean-up of https://github.com/google/diff-match-patch/wiki
 */
/** The same text at `from` of the old text and `to` of the new one; UTF-16 units. */
export interface SameSpan {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** A stretch of each text, in UTF-16 units. */
export interface SpanEnds {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

export interface SameSpans {
  readonly list: readonly SameSpan[];
  /** Adds a span behind the last one, or to it where they touch on both sides. */
  add(from: number, to: number, length: number): void;
}

export function createSameSpans(): SameSpans {
  const list: { from: number; to: number; length: number }[] = [];
  return {
    list,
    add(from, to, length) {
      if (length === 0) return;
      const last = list.at(-1);
      if (last && last.from + last.length === from && last.to + last.length === to) last.length += length;
      else list.push({ from, to, length });
    },
  };
}

export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The pieces of two texts that share these spans. */
export function piecesOf(before: string, after: string, spans: readonly SameSpan[]): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let from = 0;
  let to = 0;
  for (const span of withoutCrumbs(before, spans, before.length, after.length)) {
    push(pieces, 'removed', before.slice(from, span.from));
    push(pieces, 'added', after.slice(to, span.to));
    push(pieces, 'same', before.slice(span.from, span.from + span.length));
    from = span.from + span.length;
    to = span.to + span.length;
  }
  push(pieces, 'removed', before.slice(from));
  push(pieces, 'added', after.slice(to));
  return pieces;
}

/** Adds a piece to the list, or its text to the last piece where that is of the same kind. */
export function push(pieces: DiffPiece[], kind: DiffPiece['kind'], text: string): void {
  if (text === '') return;
  const last = pieces.at(-1);
  if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text };
  else pieces.push({ kind, text });
}

function withoutCrumbs(
  before: string,
  spans: readonly SameSpan[],
  fromEnd: number,
  toEnd: number,
): SameSpan[] {
  const result: SameSpan[] = [];
  spans.forEach((span, index) => {
    const last = result.at(-1);
    const next = spans[index + 1];
    const left = changeBetween(last, span);
    const right = Math.max(
      (next?.from ?? fromEnd) - span.from - span.length,
      (next?.to ?? toEnd) - span.to - span.length,
    );
    const text = () => before.slice(span.from, span.from + span.length);
    if (left > 0 && right > 0 && isCrumb(span.length, text, Math.min(left, right))) return;
    result.push(span);
  });
  return result;
}

/** UTF-16 units of the larger side of the change before a span. */
function changeBetween(last: SameSpan | undefined, span: SameSpan): number {
  return Math.max(
    span.from - (last ? last.from + last.length : 0),
    span.to - (last ? last.to + last.length : 0),
  );
}

/** How many times a word is outweighed by the changes on both sides before it is a crumb, and its most length. */
const outweighed = 4;
const longestCrumb = 24;

function isCrumb(length: number, text: () => string, change: number): boolean {
  if (length <= 2) return !/[\p{L}\p{N}]/u.test(text()) || length * outweighed <= change;
  return length <= longestCrumb && length * outweighed <= change;
}
