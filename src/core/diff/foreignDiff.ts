/**
 * The difference of two message lists of an agent that gives its messages no ids: imported sessions, bodies of
 * other people's requests. By content, never by position first: a message that was dropped in front makes none
 * behind it look changed. Equal messages in order (`matchSequences.ts`), then equal ones elsewhere, then pairs
 * by weaker signs (`foreignPairs.ts`); what a pair rests on is said in its step. That order of signs, exact
 * before similar, is git's for renamed files: https://git-scm.com/docs/gitdiffcore
 */
import { type ContentClasses, createContentClasses, isSameContent } from './contentClasses.ts';
import { hasCall, textsOf } from './foreignMessage.ts';
import { type Pair, pairsByCall, type Unpaired, waysInGap } from './foreignPairs.ts';
import { type Basis, type ListDiff, listSteps, type Partners } from './listDiff.ts';
import { longestIncreasing } from './longestIncreasing.ts';
import { matchSequences, type SequenceMatch } from './matchSequences.ts';
import { matchShortest } from './matchShortest.ts';

const maxEdits = 400;
const maxSteps = 1_000_000;
/** Edits up to which messages are compared as they are: reading all of them to number them costs more. */
const fewEdits = 120;

/** Messages as they were parsed; anything else in the lists is compared as a value. Never throws. */
export function foreignDiff(before: readonly unknown[], after: readonly unknown[]): ListDiff<unknown> {
  const options = { run: 1, maxEdits, effort: { steps: maxSteps } };
  const classes = createContentClasses();
  const [old, now] = [numbered(before, classes), numbered(after, classes)];
  const { partner, coarse } =
    matchFew(before, after) ?? matchSequences(old.all(), now.all(), classes.count, options);
  const pairing = createPairing(before, after, partner);
  // Most often messages only came, or only went.
  if (pairing.hasUnpaired()) {
    pairing.take(equalElsewhere(before, pairing.unpaired(), classes, old, now));
    pairing.take(pairsByCall(before, after, pairing.unpaired()));
  }
  if (pairing.hasUnpaired()) {
    const ways = waysInGap(before, after, pairing.ofNew, pairing.unpaired(), options);
    for (const way of ways) for (const gap of gapsOf(pairing)) pairing.take(way(gap));
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

/** The classes of a list's messages; a message is read when it is asked for. */
interface Numbered {
  readonly of: (index: number) => number;
  readonly all: () => Int32Array;
}

function numbered(messages: readonly unknown[], classes: ContentClasses): Numbered {
  const known = new Int32Array(messages.length).fill(-1);
  const of = (index: number) => {
    if (known[index]! < 0) known[index] = classes.numberOf(messages[index]);
    return known[index]!;
  };
  const all = () => {
    for (let index = 0; index < messages.length; index++) of(index);
    return known;
  };
  return { of, all };
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
  const bases = new Map<number, Basis>();
  const isEdited = (to: number) => !isSameContent(before[ofNew[to]!], after[to]);
  return {
    ofOld,
    ofNew,
    take(pairs) {
      for (const { from, to, by } of pairs) {
        ofOld[from] = to;
        ofNew[to] = from;
        bases.set(to, by);
      }
      paired += pairs.length;
    },
    unpaired: () => ({ from: openIn(ofOld, 0, ofOld.length), to: openIn(ofNew, 0, ofNew.length) }),
    hasUnpaired: () => paired < Math.min(ofOld.length, ofNew.length),
    partners: {
      of: ofNew,
      isEdited: (to) => bases.size > 0 && bases.has(to) && isEdited(to),
      basisOf: (to) => {
        const basis = bases.size > 0 ? bases.get(to) : undefined;
        return basis ?? (before[ofNew[to]!] === after[to] ? 'identity' : 'content');
      },
    },
  };
}

/** Equal messages that are not in order: moved, when they say enough to be recognised. */
function equalElsewhere(
  before: readonly unknown[],
  open: Unpaired,
  classes: ContentClasses,
  old: Numbered,
  now: Numbered,
): Pair[] {
  const [from, to] = [open.from.map(old.of), open.to.map(now.of)];
  /** By class the place in `from` of the first that has no partner, by place the next one; -1 for none. */
  const firsts = new Int32Array(classes.count).fill(-1);
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

/** The unpaired of both sides between each two neighbours that stayed in order. */
function gapsOf({ ofOld, ofNew, hasUnpaired }: Pairing): Unpaired[] {
  if (!hasUnpaired()) return [];
  const paired = ofNew.filter((from) => from >= 0);
  const gaps: Unpaired[] = [];
  let [from, to] = [0, 0];
  const between = (oldEnd: number, newEnd: number) => {
    if (oldEnd === from || newEnd === to) return;
    const gap = { from: openIn(ofOld, from, oldEnd), to: openIn(ofNew, to, newEnd) };
    if (gap.from.length > 0 && gap.to.length > 0) gaps.push(gap);
  };
  const inOrder = longestIncreasing(paired);
  for (let index = 0; index < inOrder.length; index++) {
    const old = paired[inOrder[index]!]!;
    between(old, ofOld[old]!);
    [from, to] = [old + 1, ofOld[old]! + 1];
  }
  between(ofOld.length, ofNew.length);
  return gaps;
}

function openIn(partners: Int32Array, start: number, end: number): number[] {
  const indexes: number[] = [];
  for (let index = start; index < end; index++) if (partners[index]! < 0) indexes.push(index);
  return indexes;
}
