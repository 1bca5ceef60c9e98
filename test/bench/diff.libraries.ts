/**
 * The contestants of the difference benchmark. Each gets an input as it likes it best (parsed, as lines), outside
 * the measured time where a product would have it so anyway, and its result is applied: a wrong one does not count.
 */
import { isDeepStrictEqual } from 'node:util';
import { foreignDiff } from '../../src/core/diff/foreignDiff.ts';
import { idDiff } from '../../src/core/diff/idDiff.ts';
import { applyListDiff, type ListDiff } from '../../src/core/diff/listDiff.ts';
import { valueDiff } from '../../src/core/diff/valueDiff.ts';
import type { Input, Message } from './diff.inputs.ts';

/** Exact versions, so that tables of different days compare. */
export const peerVersions = {
  diff: '9.0.0',
  'fast-diff': '1.3.0',
  '@sanity/diff-match-patch': '3.2.1',
  'vscode-diff': '3.0.1',
  jsondiffpatch: '0.7.7',
  microdiff: '1.6.0',
};

export interface Verdict {
  /** Pieces that are not the same; of lists, messages in them. */
  readonly changes: number;
  /** Whether the result gives the new value; undefined where the library has no way to apply it. */
  readonly correct: boolean | undefined;
  readonly coarse?: boolean;
}

export interface Contest<Result = unknown> {
  readonly run: () => Result;
  readonly judge: (result: Result) => Verdict;
}

/** Keeps run and judge of one result type together. */
const contest = <Result>(run: () => Result, judge: (result: Result) => Verdict) =>
  ({ run, judge }) as Contest;

type Enter = (input: Input) => Promise<Contest> | Contest;

/** Peers are no dependencies of ours, so their types are written down here as far as they are used. */
async function peer<Exports>(specifier: string): Promise<Exports> {
  return (await import(specifier)) as Exports;
}

const withoutId = ({ id: _id, ...message }: Message) => message;

/** Messages without our ids, and JSON texts, each parsed: strings that were put together here are slower to read. */
function valuesOf(input: Input): { before: unknown; after: unknown } {
  if (input.kind === 'messages') {
    const parsed = (messages: readonly Message[]): unknown =>
      JSON.parse(JSON.stringify(messages.map(withoutId)));
    return { before: parsed(input.before), after: parsed(input.after) };
  }
  return { before: JSON.parse(input.before), after: JSON.parse(input.after) };
}

function texts(input: Input): { before: string; after: string } {
  if (input.kind === 'messages') throw new Error('not a text');
  return input;
}

function judgeList<Item>(before: readonly Item[], after: readonly Item[], diff: ListDiff<Item>): Verdict {
  let changes = 0;
  for (const step of diff.steps) {
    if (step.kind === 'removed') changes += step.count;
    else if (step.kind === 'added') changes += step.items.length;
    else if (step.kind !== 'kept') changes++;
  }
  return { changes, correct: isDeepStrictEqual(applyListDiff(before, diff), after), coarse: diff.coarse };
}

const byId: Enter = (input) => {
  if (input.kind !== 'messages') throw new Error('not messages');
  // As the journal has them: an id and the name of a text.
  const list = (messages: readonly Message[]) =>
    messages.map(({ id, content }) => ({ id, part: content === 'edited' ? 'p0' : `p${id}` }));
  const [before, after] = [list(input.before), list(input.after)];
  const identity = {
    idOf: (item: { id: string }) => item.id,
    isSame: (a: { part: string }, b: { part: string }) => a.part === b.part,
  };
  return contest(
    () => idDiff(before, after, identity),
    (diff) => judgeList(before, after, diff),
  );
};

const byContent: Enter = (input) => {
  const { before, after } = valuesOf(input) as { before: unknown[]; after: unknown[] };
  return contest(
    () => foreignDiff(before, after),
    (diff) => judgeList(before, after, diff),
  );
};

const inText: Enter = (input) => {
  const { before, after } = texts(input);
  return contest(
    () => valueDiff(before, after),
    ({ pieces, coarse, by }) => {
      const read = (own: string) =>
        pieces.map(({ kind, text }) => (kind === 'same' || kind === own ? text : '')).join('');
      const isOld =
        by === 'json'
          ? isDeepStrictEqual(JSON.parse(read('removed')), JSON.parse(before))
          : read('removed') === before;
      return {
        changes: pieces.filter(({ kind }) => kind !== 'same').length,
        correct: isOld && read('added') === after,
        coarse,
      };
    },
  );
};

interface JsdiffChange {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: string;
  readonly count: number;
}
interface Jsdiff {
  diffArrays(
    this: void,
    before: readonly unknown[],
    after: readonly unknown[],
    options: object,
  ): (Omit<JsdiffChange, 'value'> & { readonly value: unknown[] })[];
  diffWordsWithSpace(this: void, before: string, after: string): JsdiffChange[];
  diffJson(this: void, before: unknown, after: unknown): JsdiffChange[];
}

function judgeJsdiff(before: string, after: string, changes: readonly JsdiffChange[]): Verdict {
  const read = (leave: 'added' | 'removed') =>
    changes.map((change) => (change[leave] ? '' : change.value)).join('');
  return {
    changes: changes.filter(({ added, removed }) => added || removed).length,
    correct: read('added') === before && read('removed') === after,
  };
}

const jsdiffArrays: Enter = async (input) => {
  const { diffArrays } = await peer<Jsdiff>('diff');
  const { before, after } = valuesOf(input) as { before: unknown[]; after: unknown[] };
  return contest(
    () => diffArrays(before, after, { comparator: isDeepStrictEqual }),
    (changes) => ({
      changes: changes.reduce((sum, { added, removed, count }) => (added || removed ? sum + count : sum), 0),
      correct: isDeepStrictEqual(
        changes.flatMap(({ removed, value }) => (removed ? [] : value)),
        after,
      ),
    }),
  );
};

const jsdiffWords: Enter = async (input) => {
  const { diffWordsWithSpace } = await peer<Jsdiff>('diff');
  const { before, after } = texts(input);
  return contest(
    () => diffWordsWithSpace(before, after),
    (changes) => judgeJsdiff(before, after, changes),
  );
};

const jsdiffJson: Enter = async (input) => {
  const { diffJson } = await peer<Jsdiff>('diff');
  const { before, after } = texts(input);
  return contest(
    () => diffJson(JSON.parse(before), JSON.parse(after)),
    (changes) => ({
      changes: changes.filter(({ added, removed }) => added || removed).length,
      correct: undefined,
    }),
  );
};

type Tuple = readonly [kind: number, text: string];

function judgeTuples(before: string, after: string, tuples: readonly Tuple[]): Verdict {
  const read = (leave: number) => tuples.map(([kind, text]) => (kind === leave ? '' : text)).join('');
  return {
    changes: tuples.filter(([kind]) => kind !== 0).length,
    correct: read(1) === before && read(-1) === after,
  };
}

const fastDiff: Enter = async (input) => {
  const { default: diff } = await peer<{ default(this: void, before: string, after: string): Tuple[] }>(
    'fast-diff',
  );
  const { before, after } = texts(input);
  return contest(
    () => diff(before, after),
    (tuples) => judgeTuples(before, after, tuples),
  );
};

/** With its own time limit of one second, past which it gives a coarse answer and does not say so. */
const diffMatchPatch: Enter = async (input) => {
  const { makeDiff } = await peer<{ makeDiff(this: void, before: string, after: string): Tuple[] }>(
    '@sanity/diff-match-patch',
  );
  const { before, after } = texts(input);
  return contest(
    () => makeDiff(before, after),
    (tuples) => judgeTuples(before, after, tuples),
  );
};

interface LineRange {
  readonly startLineNumber: number;
  readonly endLineNumberExclusive: number;
}
interface VscodeDiff {
  readonly linesDiffComputers: {
    getDefault(): {
      computeDiff(
        before: readonly string[],
        after: readonly string[],
        options: object,
      ): { readonly changes: readonly { readonly original: LineRange; readonly modified: LineRange }[] };
    };
  };
}

/** Messages as lines of JSON. */
const vscodeDiff: Enter = async (input) => {
  const { default: vscode } = await peer<{ default: VscodeDiff }>('vscode-diff');
  const linesOf = (text: string) => text.split('\n');
  const { before, after } = input.kind === 'messages' ? valuesOf(input) : input;
  const lines = (value: unknown) =>
    typeof value === 'string' ? linesOf(value) : (value as object[]).map((item) => JSON.stringify(item));
  const [old, now] = [lines(before), lines(after)];
  const options = { ignoreTrimWhitespace: false, maxComputationTimeMs: 0, computeMoves: false };
  return contest(
    () => vscode.linesDiffComputers.getDefault().computeDiff(old, now, options),
    ({ changes }) => {
      const result = [...old];
      for (const { original, modified } of changes.toReversed()) {
        const inserted = now.slice(modified.startLineNumber - 1, modified.endLineNumberExclusive - 1);
        const gone = original.endLineNumberExclusive - original.startLineNumber;
        result.splice(original.startLineNumber - 1, gone, ...inserted);
      }
      const sizeOf = (range: LineRange) => range.endLineNumberExclusive - range.startLineNumber;
      return {
        changes: changes.reduce(
          (sum, { original, modified }) => sum + sizeOf(original) + sizeOf(modified),
          0,
        ),
        correct: isDeepStrictEqual(result, now),
      };
    },
  );
};

/** It knows an object that moved by a hash, for which its manual takes an id: here all of it. */
const jsondiffpatch: Enter = async (input) => {
  interface Exports {
    create(
      this: void,
      options: object,
    ): {
      diff(a: unknown, b: unknown): unknown;
      patch(a: unknown, delta: unknown): unknown;
    };
  }
  const { create } = await peer<Exports>('jsondiffpatch');
  const { before, after } = valuesOf(input);
  const patcher = create({ objectHash: (value: object) => JSON.stringify(value) });
  return contest(
    () => patcher.diff(before, after),
    (delta) => ({
      changes: Object.keys(delta ?? {}).length,
      correct: isDeepStrictEqual(patcher.patch(structuredClone(before), structuredClone(delta)), after),
    }),
  );
};

const microdiff: Enter = async (input) => {
  const { default: diff } = await peer<{ default(this: void, a: unknown, b: unknown): unknown[] }>(
    'microdiff',
  );
  const { before, after } = valuesOf(input);
  return contest(
    () => diff(before, after),
    (changes) => ({ changes: changes.length, correct: undefined }),
  );
};

/** By kind of input, in the order of the table. */
export const contestants: Readonly<Record<Input['kind'], Readonly<Record<string, Enter>>>> = {
  messages: {
    'loopscope, by id': byId,
    'loopscope, by content': byContent,
    'jsdiff diffArrays': jsdiffArrays,
    'vscode-diff': vscodeDiff,
    jsondiffpatch,
    microdiff,
  },
  text: {
    loopscope: inText,
    'jsdiff words': jsdiffWords,
    'fast-diff': fastDiff,
    '@sanity/diff-match-patch': diffMatchPatch,
    'vscode-diff': vscodeDiff,
  },
  json: {
    loopscope: inText,
    'jsdiff diffJson': jsdiffJson,
    jsondiffpatch,
    microdiff,
    '@sanity/diff-match-patch': diffMatchPatch,
  },
};
