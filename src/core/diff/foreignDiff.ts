/**
 * The difference of two message lists of an agent that gives its messages no ids: imported sessions, bodies of
 * other people's requests. By content, never by position first: a message that was dropped in front makes none
 * behind it look changed. Equal messages in order (`matchSequences.ts`), then equal ones elsewhere, then pairs
 * by weaker signs (`foreignPairs.ts`); what a pair rests on is said in its step. That order of signs, exact
 * before similar, is git's for renamed files: https://git-scm.com/docs/gitdiffcore
 */
import { createCallPairs } from './callPairs.ts';
import { createContentClasses, isSameContent } from './contentClasses.ts';
import { hasCall, textsOf } from './foreignMessage.ts';
import { type Pair, type Unpaired, waysInGap } from './foreignPairs.ts';
import { inPlace } from './inPlace.ts';
import { type Basis, type ListDiff, listSteps, type Partners } from './listDiff.ts';
import { matchSequences, type SequenceMatch } from './matchSequences.ts';
import { matchShortest } from './matchShortest.ts';

const maxEdits = 400;
const maxSteps = 1_000_000;
/** Edits up to which messages are compared as they are: reading all of them to number them costs more. */
const fewEdits = 120;

/** Messages as they were parsed; anything else in the lists is compared as a value. Never throws. */
export function foreignDiff(before: readonly unknown[], after: readonly unknown[]): ListDiff<unknown> {
  const options = { run: 1, maxEdits, effort: { steps: maxSteps } };
  const classes = createClasses(before, after);
  const { partner, coarse } =
    matchFew(before, after) ??
    matchSequences(classes.allOld(), classes.allNew(), classes.count() + 1, options);
  const pairing = createPairing(before, after, partner);
  // Most often messages only came, or only went.
  if (pairing.hasUnpaired()) pairing.take(equalElsewhere(before, pairing.unpaired(), classes));
  if (pairing.hasUnpaired()) {
    const calls = createCallPairs(before, after, pairing.unpaired());
    pairing.take(calls.find());
    const open = pairing.unpaired();
    let gaps = gapsOf(pairing, open);
    const isRenamed = gaps.length > 0 && calls.areRenamed(pairing.ofNew);
    const ways = gaps.length > 0 ? waysInGap(before, after, open, isRenamed, options) : [];
    for (const way of ways) {
      gaps = gaps.flatMap((gap) => {
        const pairs = way(gap);
        pairing.take(pairs);
        return gapsBeside(gap, pairs);
      });
    }
  }
  return { steps: listSteps(after, before.length, pairing.partners), coarse };
}

/** The shortest edit where it is short, as between two rounds: nearly each message is compared once. */
function matchFew(before: readonly unknown[], after: readonly unknown[]): SequenceMatch | undefined {
  const partner = new Int32Array(before.length).fill(-1);
  const box = { fromStart: 0, fromEnd: before.length, toStart: 0, toEnd: after.length };
  const isSame = (from: number, to: number) => isSameContent(before[from], after[to]);
  const effort = { steps: 2 * (before.length + after.length) + fewEdits ** 2 };
  return matchShortest(isSame, box, partner, fewEdits, effort) ? { partner, coarse: false } : undefined;
}

/**
 * Equal messages, equal number from 1; 0 for a new message that has no equal among the old ones numbered before it.
 * A message is read when its number is asked for.
 */
interface Classes {
  readonly ofOld: (index: number) => number;
  readonly ofNew: (index: number) => number;
  readonly allOld: () => Int32Array;
  readonly allNew: () => Int32Array;
  /** The highest number given out. */
  readonly count: () => number;
}

function createClasses(before: readonly unknown[], after: readonly unknown[]): Classes {
  const classes = createContentClasses();
  const ofOld = remembered(before, (message) => classes.numberOf(message) + 1);
  const ofNew = remembered(after, (message) => classes.find(message) + 1);
  return {
    ofOld: ofOld.at,
    ofNew: ofNew.at,
    allOld: ofOld.all,
    allNew: ofNew.all,
    count: () => classes.count,
  };
}

function remembered(messages: readonly unknown[], numberOf: (message: unknown) => number) {
  const known = new Int32Array(messages.length).fill(-1);
  const at = (index: number) => {
    if (known[index]! < 0) known[index] = numberOf(messages[index]);
    return known[index]!;
  };
  const all = () => {
    for (let index = 0; index < messages.length; index++) at(index);
    return known;
  };
  return { at, all };
}

interface Pairing {
  /** Partners by index, -1 for none. */
  readonly ofOld: Int32Array;
  readonly ofNew: Int32Array;
  readonly partners: Partners;
  readonly take: (pairs: readonly Pair[]) => void;
  readonly unpaired: () => Unpaired;
  /** On both sides. */
  readonly hasUnpaired: () => boolean;
}

function createPairing(before: readonly unknown[], after: readonly unknown[], ofOld: Int32Array): Pairing {
  const ofNew = new Int32Array(after.length).fill(-1);
  let paired = 0;
  for (let from = 0; from < ofOld.length; from++) {
    if (ofOld[from]! < 0) continue;
    ofNew[ofOld[from]!] = from;
    paired++;
  }
  /** By new index, of those that were not found at once. */
  const bases: (Basis | undefined)[] = [];
  let open: Unpaired | undefined;
  return {
    ofOld,
    ofNew,
    take(pairs) {
      for (const { from, to, by } of pairs) {
        ofOld[from] = to;
        ofNew[to] = from;
        bases[to] = by;
      }
      paired += pairs.length;
    },
    unpaired() {
      open = open
        ? { from: openOf(ofOld, open.from), to: openOf(ofNew, open.to) }
        : { from: openIn(ofOld), to: openIn(ofNew) };
      return open;
    },
    hasUnpaired: () => paired < Math.min(ofOld.length, ofNew.length),
    partners: {
      of: ofNew,
      isEdited: (to) => bases[to] !== undefined && !isSameContent(before[ofNew[to]!], after[to]),
      basisOf: (to) => bases[to] ?? (before[ofNew[to]!] === after[to] ? 'identity' : 'content'),
    },
  };
}

function openIn(partners: Int32Array): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < partners.length; index++) if (partners[index]! < 0) indexes.push(index);
  return indexes;
}

const openOf = (partners: Int32Array, indexes: readonly number[]) =>
  indexes.filter((index) => partners[index]! < 0);

/** Equal messages that are not in order: moved, when they say enough to be recognised. */
function equalElsewhere(before: readonly unknown[], open: Unpaired, classes: Classes): Pair[] {
  // The old ones first: they are what the new ones are looked up in.
  const from = open.from.map(classes.ofOld);
  const to = open.to.map(classes.ofNew);
  /** By class the place in `from` of the first that has no partner, by place the next one; -1 for none. */
  const firsts = new Int32Array(classes.count() + 1).fill(-1);
  const nexts = new Int32Array(from.length);
  for (let place = from.length - 1; place >= 0; place--) {
    nexts[place] = firsts[from[place]!]!;
    firsts[from[place]!] = place;
  }
  const pairs: Pair[] = [];
  to.forEach((number, place) => {
    const first = firsts[number]!;
    if (first < 0 || !isTelling(before[open.from[first]!])) return;
    firsts[number] = nexts[first]!;
    pairs.push({ from: open.from[first]!, to: open.to[place]!, by: 'content' });
  });
  return pairs;
}

/** UTF-16 units that nobody says twice: a "yes" dropped in front and a "yes" said at the end are two. */
const telling = 32;

function isTelling(message: unknown): boolean {
  if (hasCall(message)) return true;
  return textsOf(message).reduce((sum, text) => sum + text.length, 0) >= telling;
}

/** The unpaired of both sides between each two neighbours that stayed in place. */
function gapsOf({ ofOld, ofNew }: Pairing, open: Unpaired): Unpaired[] {
  const stayed = inPlace(ofNew);
  return parted(open, (border) => {
    let [nextOld, nextNew] = [0, 0];
    for (let to = 0; to < ofNew.length; to++) {
      const from = ofNew[to]!;
      if (from < 0 || (stayed && stayed[to] === 0)) continue;
      // Neighbours on both sides have nothing between them.
      if (from !== nextOld || to !== nextNew) border(from, to);
      [nextOld, nextNew] = [from + 1, to + 1];
    }
    if (nextOld < ofOld.length && nextNew < ofNew.length) border(ofOld.length, ofNew.length);
  });
}

/** Parts the unpaired at borders, which come ascending; what is on one side alone of a part is left out. */
function parted(
  open: Unpaired,
  visitBorders: (border: (from: number, to: number) => void) => void,
): Unpaired[] {
  const gaps: Unpaired[] = [];
  const [oldBefore, newBefore] = [createReader(open.from), createReader(open.to)];
  visitBorders((oldEnd, newEnd) => {
    const [from, to] = [oldBefore(oldEnd), newBefore(newEnd)];
    if (from.length > 0 && to.length > 0) gaps.push({ from, to });
  });
  return gaps;
}

/** What is left of a gap beside the pairs that were found in it. */
function gapsBeside(gap: Unpaired, pairs: readonly Pair[]): Unpaired[] {
  if (pairs.length === 0) return [gap];
  return parted(gap, (border) => {
    for (const { from, to } of pairs) border(from, to);
    border(Infinity, Infinity);
  });
}

/** Reads ascending indexes on, up to before an index, which is passed over. */
function createReader(indexes: readonly number[]): (end: number) => readonly number[] {
  let at = 0;
  return (end) => {
    const start = at;
    while (at < indexes.length && indexes[at]! < end) at++;
    const read = indexes.slice(start, at);
    if (indexes[at] === end) at++;
    return read;
  };
}
