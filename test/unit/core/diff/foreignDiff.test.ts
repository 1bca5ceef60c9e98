import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foreignDiff } from '../../../../src/core/diff/foreignDiff.ts';
import { applyListDiff, type ListStep } from '../../../../src/core/diff/listDiff.ts';
import type { WireMessage } from '../../../../src/core/messages.ts';

/** One line a step: what it says of which messages, and what it rests on. */
function told(before: readonly unknown[], after: readonly unknown[]): string[] {
  const diff = foreignDiff(before, after);
  assert.deepEqual(applyListDiff(before, diff), after);
  return diff.steps.map(lineOf);
}

function lineOf(step: ListStep<unknown>): string {
  switch (step.kind) {
    case 'kept':
      return `kept ${step.from}→${step.to} ×${step.count} by ${step.by}`;
    case 'edited':
      return `edited ${step.from}→${step.to} by ${step.by}`;
    case 'moved':
      return `moved ${step.from}→${step.to} by ${step.by}${step.item === undefined ? '' : ', edited'}`;
    case 'removed':
      return `removed ${step.from} ×${step.count}`;
    case 'added':
      return `added ${step.to} ×${step.items.length}`;
  }
}

const user = (content: string): WireMessage => ({ role: 'user', content });
const said = (content: string): WireMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): WireMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
});
const result = (id: string, content: string): WireMessage => ({ role: 'tool', tool_call_id: id, content });
const system: WireMessage = { role: 'system', content: 'You are a helpful assistant. Use the tools.' };

/** A conversation as a foreign agent sends it: parsed anew each time, so no object is shared. */
function conversation(rounds: number): WireMessage[] {
  return [
    system,
    user('Plan the rest of my day, please.'),
    ...Array.from({ length: rounds }, (_, n) => [
      calls(`c${n}`),
      result(`c${n}`, `{"success":true,"data":${n * 7}}`),
    ]).flat(),
  ];
}
const copy = <Value>(value: Value): Value => structuredClone(value);

test('appended: the rest is kept by content, or by identity where it is the very same', () => {
  const before = conversation(3);
  const after = [...copy(before), said('Done.')];
  assert.deepEqual(told(before, after), ['kept 0→0 ×8 by content', 'added 8 ×1']);
  assert.deepEqual(told(before, [...before, said('Done.')]), ['kept 0→0 ×8 by identity', 'added 8 ×1']);
});

test('dropped in front: nothing behind looks changed', () => {
  const before = conversation(40);
  const after = copy([before[0]!, ...before.slice(22)]);
  assert.deepEqual(told(before, [...after, said('x')]), [
    'kept 0→0 ×1 by content',
    'removed 1 ×21',
    'kept 22→1 ×60 by content',
    'added 61 ×1',
  ]);
});

test('folded into a summary: it is new, and no dropped message was edited into it', () => {
  const before = [
    system,
    user('How do I sort a list in Python?'),
    said('Use sorted(list), or list.sort() in place.'),
    user('And in reverse order?'),
    said('Pass reverse=True to either of them.'),
    user('Thanks. How do I copy it?'),
  ];
  const summary = said(
    'Summary of the conversation so far: the user asked about sorting lists in Python, also in reverse, and was told of sorted and reverse=True.',
  );
  assert.deepEqual(told(before, copy([before[0]!, summary, before[5]!])), [
    'kept 0→0 ×1 by content',
    'removed 1 ×4',
    'added 1 ×1',
    'kept 5→2 ×1 by content',
  ]);
});

test('a blanked result is its call’s, an edited text is known by its words, and the rest is kept', () => {
  const before = [...conversation(3), user('Write the report for Monday and send it to Anna before noon.')];
  const after = copy(before);
  after[3] = result('c0', '[old result left out]');
  after[8] = user('Write the report for Tuesday and send it to Anna before noon, please.');
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×3 by content',
    'edited 3→3 by call',
    'kept 4→4 ×4 by content',
    'edited 8→8 by similar',
  ]);
});

test('a system prompt that was rewritten is paired by its place, and says so', () => {
  const before = conversation(2);
  assert.deepEqual(
    told(before, copy([{ role: 'system', content: 'Be brief.' } as const, ...before.slice(1)])),
    ['edited 0→0 by position', 'kept 1→1 ×5 by content'],
  );
});

test('reordered: the fewest count as moved', () => {
  const texts = Array.from({ length: 6 }, (_, n) =>
    user(`This is the longer text of message number ${n}, told apart by its words ${'xyz'.repeat(n)}.`),
  );
  const after = copy([texts[4]!, texts[0]!, texts[1]!, texts[2]!, texts[3]!, texts[5]!]);
  assert.deepEqual(told(texts, after), [
    'moved 4→0 by content',
    'kept 0→1 ×4 by content',
    'kept 5→5 ×1 by content',
  ]);
});

test('moved and edited at once: by the call', () => {
  const before = conversation(4);
  const after = copy(before);
  const [block] = after.splice(2, 2);
  after.push(block!, result('c0', 'another result'));
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×2 by content',
    'kept 4→2 ×6 by content',
    'moved 2→8 by content',
    'moved 3→9 by call, edited',
  ]);
});

test('duplicated: the first stays, its copies are new', () => {
  const before = conversation(2);
  const after = copy([...before.slice(0, 4), before[2]!, before[3]!, ...before.slice(4)]);
  assert.deepEqual(told(before, after), ['kept 0→0 ×4 by content', 'added 4 ×2', 'kept 4→6 ×2 by content']);
  const same = [user('again'), user('again'), user('again')];
  assert.deepEqual(told(same, copy([same[0]!])), ['kept 0→0 ×1 by content', 'removed 1 ×2']);
});

test('a short text dropped in front and said again at the end is two messages', () => {
  const middle = conversation(3).slice(1);
  assert.deepEqual(told([user('yes'), ...middle], copy([...middle, user('yes')])), [
    'removed 0 ×1',
    'kept 1→0 ×7 by content',
    'added 7 ×1',
  ]);
});

test('call ids that a server gives again in each reply tell nothing', () => {
  const before = [
    user('a'),
    calls('call_0'),
    result('call_0', 'one'),
    calls('call_0'),
    result('call_0', 'two'),
  ];
  const after = [
    user('a'),
    calls('call_0'),
    result('call_0', 'three'),
    calls('call_0'),
    result('call_0', 'four'),
  ];
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×2 by content',
    'edited 2→2 by position',
    'kept 3→3 ×1 by content',
    'edited 4→4 by position',
  ]);
});

test('call ids that are new in every request: pairs go by all the rest, and say so', () => {
  const renamed = (messages: readonly WireMessage[]): WireMessage[] =>
    messages.map((one, index) => numbered(one, index));
  const before = conversation(6);
  assert.deepEqual(told(before, renamed([...before, said('Done.')])), [
    'kept 0→0 ×2 by content',
    ...Array.from({ length: 12 }, (_, index) => `edited ${index + 2}→${index + 2} by content`),
    'added 14 ×1',
  ]);
  // Dropped in front, too.
  assert.deepEqual(told(before, renamed([before[0]!, ...before.slice(10)])), [
    'kept 0→0 ×1 by content',
    'removed 1 ×9',
    ...Array.from({ length: 4 }, (_, index) => `edited ${index + 10}→${index + 1} by content`),
  ]);
  // Where ids are stable, another id is another call.
  const ok = (id: string) => [calls(id), result(id, 'ok')];
  assert.deepEqual(told([...ok('a'), ...ok('b')], copy([...ok('a'), ...ok('c')])), [
    'kept 0→0 ×2 by content',
    'removed 2 ×2',
    'added 2 ×2',
  ]);
});

test('a call taken out of a message, or put in: the message is known by the call that stays', () => {
  const before = [user('Go'), calls('a', 'b'), result('a', '1'), result('b', '2')];
  const after = copy([user('Go'), calls('b'), result('b', '2')]);
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×1 by content',
    'edited 1→1 by call',
    'removed 2 ×1',
    'kept 3→2 ×1 by content',
  ]);
  assert.deepEqual(told(after, copy(before)), [
    'kept 0→0 ×1 by content',
    'edited 1→1 by call',
    'added 2 ×1',
    'kept 2→3 ×1 by content',
  ]);
});

test('results that differ in one digit are told apart, in thousands', () => {
  const before = Array.from({ length: 3000 }, (_, n) =>
    result(
      'c',
      `{"success":true,"padding":"${'x'.repeat(300)}","id":${100_000 + n},"more":"${'y'.repeat(300)}"}`,
    ),
  );
  const after = copy(before.slice(1000));
  assert.deepEqual(told(before, after), ['removed 0 ×1000', 'kept 1000→0 ×2000 by content']);
});

test('an edited message beside a new one that is like it: the closest is the pair', () => {
  const old = user('Write the weekly report for the team and send it to Anna before noon on Monday.');
  const edited = user('Write the weekly report for the team and send it to Anna before noon on Friday.');
  const likeIt = user('Write the monthly report for the board and send it to Otto before ten on Monday.');
  assert.deepEqual(told([system, old], copy([system, likeIt, edited])), [
    'kept 0→0 ×1 by content',
    'added 1 ×1',
    'edited 1→2 by similar',
  ]);
  assert.deepEqual(told([system, old], copy([system, edited, likeIt])), [
    'kept 0→0 ×1 by content',
    'edited 1→1 by similar',
    'added 2 ×1',
  ]);
});

test('a text that was cut short is edited, also beside others that went', () => {
  const long = `${'The meeting began late and nobody had read the paper. '.repeat(2)}${Array.from({ length: 200 }, (_, n) => `Item ${n * 37} was put off.`).join(' ')}`;
  const before = [
    system,
    user('Good morning, how are you?'),
    user(long),
    said('Noted, I keep all of that in mind.'),
  ];
  const after = copy([system, user(`${long.slice(0, 90)} [4,000 characters left out]`), before[3]!]);
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×1 by content',
    'removed 1 ×1',
    'edited 2→1 by similar',
    'kept 3→2 ×1 by content',
  ]);
});

test('an edit among call ids that are all new is an edit', () => {
  const before = conversation(5);
  const after = copy(before).map(numbered);
  after[7] = { ...after[7]!, content: '{"success":true,"data":14,"note":"blanked"}' };
  assert.deepEqual(told(before, after), [
    'kept 0→0 ×2 by content',
    ...[2, 3, 4, 5, 6].map((index) => `edited ${index}→${index} by content`),
    'edited 7→7 by similar',
    ...[8, 9, 10, 11].map((index) => `edited ${index}→${index} by content`),
  ]);
});

test('keys in another order are the same content; deep nesting and odd values do no harm', () => {
  let deep: unknown = 1;
  for (let n = 0; n < 20_000; n++) deep = [deep];
  const odd = [
    null,
    1,
    'text',
    [],
    { content: [null, 1, { text: 2 }], tool_calls: [null] },
    { content: { a: 1 } },
    deep,
  ];
  assert.equal(applyListDiff(odd, foreignDiff(odd, odd.toReversed())).length, odd.length);
  assert.deepEqual(told([{ role: 'user', content: 'a' }], [{ content: 'a', role: 'user' }]), [
    'kept 0→0 ×1 by content',
  ]);
});

const text = fc.oneof(
  fc.constantFrom('', 'yes', 'a rather long sentence that is said more than once', '[left out]'),
  fc.lorem({ maxCount: 12 }),
);
const message = fc.oneof(
  text.map(user),
  text.map(said),
  fc
    .array(fc.constantFrom('c1', 'c2', 'c3', 'c4'), { minLength: 1, maxLength: 2 })
    .map((ids) => calls(...ids)),
  fc.tuple(fc.constantFrom('c1', 'c2', 'c3', 'c4'), text).map(([id, content]) => result(id, content)),
);

type Messages = WireMessage[];
/** What happens to foreign lists, at places from 0 to 1. */
const change = fc.oneof(
  fc
    .double({ min: 0, max: 0.999, noNaN: true })
    .map((at) => (list: Messages) => list.slice(Math.floor(at * list.length))),
  fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), message).map(
    ([at, item]) =>
      (list: Messages) =>
        list.toSpliced(Math.floor(at * list.length), 1, item),
  ),
  fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), message).map(
    ([at, item]) =>
      (list: Messages) =>
        list.toSpliced(Math.floor(at * list.length), 0, item),
  ),
  fc.double({ min: 0, max: 0.999, noNaN: true }).map((at) => (list: Messages) => {
    const [taken] = list.splice(Math.floor(at * list.length), 1);
    return taken ? [...list, taken] : list;
  }),
  fc.tuple(fc.nat(8), fc.nat(8), message).map(
    ([at, count, item]) =>
      (list: Messages) =>
        list.toSpliced(at, count, item),
  ),
  fc
    .double({ min: 0, max: 0.999, noNaN: true })
    .map(
      (at) => (list: Messages) =>
        list.toSpliced(
          0,
          0,
          ...copy(list.slice(Math.floor(at * list.length), Math.floor(at * list.length) + 2)),
        ),
    ),
);

test('property: applied to the old list it gives the new one; every index is accounted for once', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 30 }),
      fc.array(change, { maxLength: 5 }),
      (before, changes) => {
        const after = copy(changes.reduce((list, step) => step([...list]), before));
        const diff = foreignDiff(before, after);
        assert.deepEqual(applyListDiff(before, diff), after);
        const count = { old: 0, new: 0 };
        for (const step of diff.steps) {
          const size =
            step.kind === 'kept' || step.kind === 'removed'
              ? step.count
              : step.kind === 'added'
                ? step.items.length
                : 1;
          if (step.kind !== 'added') count.old += size;
          if (step.kind !== 'removed') count.new += size;
          if ('to' in step && step.kind !== 'kept' && step.kind !== 'added')
            assert.equal(before[step.from]!.role, after[step.to]!.role);
        }
        assert.deepEqual(count, { old: before.length, new: after.length });
        assert.equal(diff.coarse, false);
      },
    ),
    { seed: 20260150, numRuns: 4000 },
  );
});

/** As servers that number their calls through do. */
const numbered = (message: WireMessage, index: number): WireMessage => ({
  ...message,
  ...(message.tool_call_id === undefined ? {} : { tool_call_id: `${message.tool_call_id}-${index}` }),
  ...(message.tool_calls === undefined
    ? {}
    : { tool_calls: message.tool_calls.map((call) => ({ ...call, id: `${call.id}-${index}` })) }),
});

test('property: dropped in front and appended, nothing is said to be edited or moved', () => {
  const selector = (item: WireMessage) => JSON.stringify(item);
  fc.assert(
    fc.property(
      fc.uniqueArray(message, { maxLength: 30, selector }),
      fc.nat(30),
      fc.nat(8),
      (messages, drop, append) => {
        const list = messages.map(numbered);
        const before = list.slice(0, list.length - Math.min(append, list.length));
        const dropped = Math.min(drop, before.length);
        fc.pre(dropped < before.length);
        for (const step of foreignDiff(before, copy(list.slice(dropped))).steps) {
          assert.ok(!['edited', 'moved'].includes(step.kind), lineOf(step));
        }
      },
    ),
    { seed: 20260151, numRuns: 2000 },
  );
});

test('ten thousand messages with nothing in common are bounded by work', () => {
  const before = Array.from({ length: 10_000 }, (_, n) =>
    user(`before number ${n}: ${(n * 7919) % 10_007} things to do`),
  );
  const after = Array.from({ length: 10_000 }, (_, n) =>
    user(`Danach Nummer ${n}, es sind ${(n * 104_729) % 10_009} Dinge`),
  );
  const diff = foreignDiff(before, after);
  assert.deepEqual(
    diff.steps.map(({ kind }) => kind),
    ['removed', 'added'],
  );
});
