/**
 * Large texts are compared by chunks before they are compared by words: chunks that occur once in both tie the
 * texts together, and only what lies between is read word by word. Lines would not do, a tool's result is often
 * one line; so a chunk ends where the text itself says so: at a place where the hash of the last eight units is
 * right. An edit moves the ends near it and no others.
 * Muthitacharoen et al., A Low-bandwidth Network File System, https://pdos.csail.mit.edu/papers/lbfs:sosp01/lbfs.pdf
 */
import { anchors } from './anchors.ts';
import type { SameSpan, SpanEnds } from './pieces.ts';
import { isSureCut } from './words.ts';

/** Chunks that occur once in each of the two stretches, in order on both sides. */
export function sameChunks(before: string, after: string, ends: SpanEnds): SameSpan[] {
  const numbers = new Map<string, number>();
  // The same for both: a chunk of one must be able to be one of the other.
  const size = ends.fromEnd - ends.fromStart + ends.toEnd - ends.toStart;
  const oneIn = size < large ? sparseness : sparsenessOfLarge;
  const old = chunks(before, ends.fromStart, ends.fromEnd, numbers, oneIn);
  const now = chunks(after, ends.toStart, ends.toEnd, numbers, oneIn);
  const box = { fromStart: 0, fromEnd: old.items.length, toStart: 0, toEnd: now.items.length };
  return anchors(old.items, now.items, box, 1).map(([index, partner]) => ({
    from: old.starts[index]!,
    to: now.starts[partner]!,
    length: old.starts[index + 1]! - old.starts[index]!,
  }));
}

interface Chunks {
  /** One number a chunk: equal text, equal number. */
  readonly items: Int32Array;
  /** Where each starts, and where the last one ends. */
  readonly starts: Int32Array;
}

/**
 * Of places that could be an end, one in so many is; of large texts (UTF-16 units of both) fewer, or chunks would cost
 * more than words.
 */
const [sparseness, sparsenessOfLarge, large] = [16, 64, 800_000];
const newline = 10;

function chunks(
  text: string,
  start: number,
  end: number,
  numbers: Map<string, number>,
  oneIn: number,
): Chunks {
  const starts = [start];
  const items: number[] = [];
  const fewest = 0x10000 / oneIn;
  let from = start;
  // Shifted by four bits a unit, 32 bits hold the last eight units.
  let hash = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    hash = (hash << 4) ^ Math.imul(unit, 0x9e3779b1);
    const isEnd = unit === newline || Math.imul(hash, 0x85ebca6b) >>> 16 < fewest;
    if (at + 1 < end && !(isEnd && isSureCut(text, at + 1))) continue;
    const chunk = text.slice(from, at + 1);
    const known = numbers.get(chunk);
    if (known === undefined) numbers.set(chunk, numbers.size);
    items.push(known ?? numbers.size - 1);
    starts.push(at + 1);
    from = at + 1;
  }
  return { items: Int32Array.from(items), starts: Int32Array.from(starts) };
}
