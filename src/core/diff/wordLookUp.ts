/**
 * Which texts are worth a comparison: those that have a word in common which few others have. Each text is looked up by
 * a few words of its sketch (`sketches.ts`), an inverted index goes from a word to the texts that have it; so thousands
 * of texts are compared with a few each. https://en.wikipedia.org/wiki/Inverted_index
 */
import { binBits, binCount, empty, type Sketches } from './sketches.ts';

/** Texts that are looked at, by index, ascending. */
export interface Candidates {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Pairs of texts that are all looked at. */
const fewToCompare = 1_024;
/** Words of a sketch that it is looked up by: texts that share half of their words share one of four with 94 %. */
const lookedUp = 4;
/** Texts that may share a word for it to tell them apart. */
const mostSharing = 8;

/** For a new text the old ones that may be like it, as places in `from`, from the last to the first. */
export function createWordLookUp(
  old: Sketches,
  now: Sketches,
  { from, to }: Candidates,
): (index: number) => readonly number[] {
  if (from.length * to.length <= fewToCompare) {
    const all = Array.from(from, (_, place) => from.length - 1 - place);
    return () => all;
  }
  const sharing = createSharing(from.length * lookedUp);
  const words = new Int32Array(lookedUp);
  from.forEach((index, place) => {
    const count = wordsOf(old, index, words);
    for (let n = 0; n < count; n++) sharing.add(words[n]!, place);
  });
  const found: number[] = [];
  const shares: number[] = [];
  return (index) => {
    found.length = 0;
    let most = 0;
    const count = wordsOf(now, index, words);
    for (let n = 0; n < count; n++) {
      for (let entry = sharing.first(words[n]!); entry >= 0; entry = sharing.next(entry)) {
        const place = sharing.placeOf(entry);
        let known = found.indexOf(place);
        if (known < 0) shares[(known = found.push(place) - 1)] = 0;
        most = Math.max(most, ++shares[known]!);
      }
    }
    if (found.length < 2) return found;
    // Beside one that shares most of them, those that share a common word are not worth a look.
    return found.filter((_, at) => shares[at]! * 2 >= most).sort((a, b) => b - a);
  };
}

/** Writes the words by which a text is looked up, those of its first bins; how many there are. */
function wordsOf({ of, bins }: Sketches, index: number, words: Int32Array): number {
  const start = of(index);
  let count = 0;
  for (let at = start; at < start + binCount && count < lookedUp; at++)
    if (bins[at] !== empty) words[count++] = bins[at]!;
  return count;
}

/** The texts that have a word, in flat arrays: a map of lists would be ten thousands of small objects. */
interface Sharing {
  readonly add: (word: number, place: number) => void;
  /** An entry of a word, -1 when no text has it, or so many that it tells nothing. */
  readonly first: (word: number) => number;
  readonly next: (entry: number) => number;
  readonly placeOf: (entry: number) => number;
}

/** Slots looked at for one word: texts made to collide are not found, and cost no time. */
const mostProbes = 16;

function createSharing(most: number): Sharing {
  const places = new Int32Array(most);
  const nexts = new Int32Array(most);
  const size = 2 ** Math.ceil(Math.log2(2 * most));
  const words = new Int32Array(size);
  /** By slot: one more than the last entry of its word, 0 where the slot is free; and how many entries it has. */
  const heads = new Int32Array(size);
  const counts = new Uint8Array(size);
  let entries = 0;
  const slotOf = (word: number): number => {
    // The low bits are those of its bin, which most words here have in common.
    let slot = (word >>> binBits) & (size - 1);
    for (let probe = 0; probe < mostProbes; probe++) {
      if (heads[slot] === 0 || words[slot] === word) return slot;
      slot = (slot + 1) & (size - 1);
    }
    return -1;
  };
  return {
    add(word, place) {
      const slot = slotOf(word);
      if (slot < 0 || counts[slot]! > mostSharing) return;
      words[slot] = word;
      places[entries] = place;
      nexts[entries] = heads[slot]! - 1;
      heads[slot] = ++entries;
      counts[slot]!++;
    },
    first(word) {
      const slot = slotOf(word);
      return slot < 0 || counts[slot]! > mostSharing ? -1 : heads[slot]! - 1;
    },
    next: (entry) => nexts[entry]!,
    placeOf: (entry) => places[entry]!,
  };
}
