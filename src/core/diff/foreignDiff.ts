/**
 * The difference of two message lists of an agent that gives its messages no ids: imported sessions, bodies of
 * other people's requests. By content, never by position first: a message that was dropped in front makes none
 * behind it look changed. Equal messages in order (`matchSequences.ts`), then equal ones elsewhere, then pairs
 * by weaker signs (`foreignPairs.ts`); what a pair rests on is said in its step. That order of signs, exact
 * before similar, is git's for renamed files: https://git-scm.com/docs/gitdiffcore
 */
import { createContentClasses, isSameContent } from './contentClasses.ts';
import { type ForeignList, foreignList, foreignText } from './foreignMessage.ts';
import { type Pair, pairsByCall, pairsByPlace, pairsBySimilarity, type Unpaired } from './foreignPairs.ts';
import { type Basis, type ListDiff, listSteps, type Partners } from './listDiff.ts';
import { longestIncreasing } from './longestIncreasing.ts';
import { type MatchOptions, matchSequences, type SequenceMatch } from './matchSequences.ts';
import { matchShortest } from './matchShortest.ts';
import { renamedCalls } from './renamedCalls.ts';

const maxEdits = 400;
const maxSteps = 1_000_000;
/** Edits up to which messages are compared as they are: reading all of them to number them costs more. */
const fewEdits = 120;

/** Messages as they were parsed; anything else in the lists is compared as a value. Never throws. */
export function foreignDiff(before: readonly unknown[], after: readonly unknown[]): ListDiff<unknown> {
  const options = { run: 1, maxEdits, effort: { steps: maxSteps } };
  const numbers = createNumbers(before, after);
  const { partner, coarse } = matchFew(before, after) ?? matchMany(numbers, options);
  const pairing = createPairing(before, after, partner);
  const { from: gone, to: come } = pairing.unpaired();
  // Most often messages only came, or only went.
  if (gone.length > 0 && come.length > 0) {
    pairRest(pairing, foreignList(before), foreignList(after), numbers, options);
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

function matchMany(numbers: Numbers, options: MatchOptions): SequenceMatch {
  const [from, to] = [numbers.allOld(), numbers.allNew()];
  return matchSequences(from, to, numbers.count, options);
}

/** The classes of the messages of both lists, equal content, equal number; a message is read when it is asked for. */
interface Numbers {
  /** One more than the highest so far. */
  readonly count: number;
  readonly old: (index: number) => number;
  readonly now: (index: number) => number;
  readonly allOld: () => Int32Array;
  readonly allNew: () => Int32Array;
}

function createNumbers(before: readonly unknown[], after: readonly unknown[]): Numbers {
  const classes = createContentClasses();
  const remembered = (messages: readonly unknown[]) => {
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
  };
  const [old, now] = [remembered(before), remembered(after)];
  return {
    get count() {
      return classes.count;
    },
    old: old.of,
    now: now.of,
    allOld: old.all,
    allNew: now.all,
  };
}

/** Pairs for those that have no equal in order, by the surest signs first. */
function pairRest(
  pairing: Pairing,
  before: ForeignList,
  after: ForeignList,
  numbers: Numbers,
  options: MatchOptions,
): void {
  pairing.takeEqual(equalElsewhere(before, pairing.unpaired(), numbers));
  pairing.takeEdited(pairsByCall(before, after, pairing.unpaired()));
  const ways = [
    ...renamedCalls(before, after, pairing.ofNew, options),
    (gap: Unpaired) => pairsBySimilarity(before, after, gap),
    (gap: Unpaired) => pairsByPlace(before, after, gap),
  ];
  for (const way of ways) for (const gap of gapsOf(pairing)) pairing.takeEdited(way(gap));
}

interface Pairing {
  /** Partners by index, -1 for none. */
  readonly ofOld: Int32Array;
  readonly ofNew: Int32Array;
  readonly partners: Partners;
  readonly takeEqual: (pairs: readonly Pair[]) => void;
  readonly takeEdited: (pairs: readonly Pair[]) => void;
  readonly unpaired: () => Unpaired;
}

function createPairing(before: readonly unknown[], after: readonly unknown[], ofOld: Int32Array): Pairing {
  const ofNew = new Int32Array(after.length).fill(-1);
  for (let from = 0; from < ofOld.length; from++) if (ofOld[from]! >= 0) ofNew[ofOld[from]!] = from;
  /** New items that are not what their old ones were. */
  const edited = new Map<number, Basis>();
  const takeEqual = (pairs: readonly Pair[]) => {
    for (const { from, to } of pairs) {
      ofOld[from] = to;
      ofNew[to] = from;
    }
  };
  return {
    ofOld,
    ofNew,
    takeEqual,
    takeEdited(pairs) {
      takeEqual(pairs);
      for (const { to, by } of pairs) edited.set(to, by);
    },
    unpaired: () => ({ from: openIn(ofOld, 0, ofOld.length), to: openIn(ofNew, 0, ofNew.length) }),
    partners: {
      of: ofNew,
      isEdited: (to) => edited.has(to),
      basisOf: (to) => edited.get(to) ?? (before[ofNew[to]!] === after[to] ? 'identity' : 'content'),
    },
  };
}

/** Equal messages that are not in order: moved, when they say enough to be recognised. */
function equalElsewhere(before: ForeignList, open: Unpaired, numbers: Numbers): Pair[] {
  const wanted = new Set(open.to.map(numbers.now));
  const places = new Map<number, number[]>();
  for (const index of open.from.toReversed()) {
    const number = numbers.old(index);
    if (!wanted.has(number) || !isTelling(before, index)) continue;
    const known = places.get(number);
    if (known) known.push(index);
    else places.set(number, [index]);
  }
  if (places.size === 0) return [];
  return open.to.flatMap((index) => {
    const place = places.get(numbers.now(index))?.pop();
    return place === undefined ? [] : { from: place, to: index, by: 'content' as const };
  });
}

/** UTF-16 units that nobody says twice: a "yes" dropped in front and a "yes" said at the end are two. */
const telling = 32;

function isTelling({ messages, callsOf }: ForeignList, index: number): boolean {
  return callsOf(index).length > 0 || foreignText(messages[index]).length >= telling;
}

/** The unpaired of both sides between each two neighbours that stayed in order. */
function gapsOf({ ofOld, ofNew }: Pairing): Unpaired[] {
  const paired: number[] = [];
  const places: number[] = [];
  for (let to = 0; to < ofNew.length; to++) {
    if (ofNew[to]! < 0) continue;
    paired.push(to);
    places.push(ofNew[to]!);
  }
  const gaps: Unpaired[] = [];
  let [from, to] = [0, 0];
  const between = (oldEnd: number, newEnd: number) => {
    const gap = { from: openIn(ofOld, from, oldEnd), to: openIn(ofNew, to, newEnd) };
    if (gap.from.length > 0 && gap.to.length > 0) gaps.push(gap);
  };
  for (const index of longestIncreasing(places)) {
    // Nearly all stand directly behind one another.
    if (places[index]! > from && paired[index]! > to) between(places[index]!, paired[index]!);
    [from, to] = [places[index]! + 1, paired[index]! + 1];
  }
  between(ofOld.length, ofNew.length);
  return gaps;
}

function openIn(partners: Int32Array, start: number, end: number): number[] {
  const indexes: number[] = [];
  for (let index = start; index < end; index++) if (partners[index]! < 0) indexes.push(index);
  return indexes;
}
