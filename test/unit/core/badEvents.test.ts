/** Journals that nobody wrote well: whatever a line holds, no fold and no view throws, and the line is named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkJournal } from '../../../src/core/check.ts';
import { contextView } from '../../../src/core/contextView.ts';
import { eventProblem } from '../../../src/core/eventShape.ts';
import type { JournalEvent } from '../../../src/core/events.ts';
import { foldAll, foldSound } from '../../../src/core/fold.ts';
import { emptyState, type JournalState } from '../../../src/core/journalState.ts';
import { emptyLane, foldLane, roundsAhead } from '../../../src/core/lane.ts';
import { answerText, logLine } from '../../../src/core/logLine.ts';
import { callLinks, messageBody } from '../../../src/core/messageView.ts';
import { panelEvent } from '../../../src/core/panelEvent.ts';
import { parseMessage } from '../../../src/core/parseMessage.ts';
import { legal } from '../../../src/core/legal.ts';
import { failedAttempts, replyView } from '../../../src/core/replyView.ts';
import { roundView } from '../../../src/core/roundView.ts';
import { serialise } from '../../../src/core/serialise.ts';
import { statusView } from '../../../src/core/statusView.ts';
import { roundDocument } from '../../../src/debug/roundDocument.ts';
import { scopesAt } from '../../../src/debug/scopes.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import { readJournalText } from '../../../src/session/journalText.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';
import { writeRichJournal } from '../../doubles/richJournal.ts';

const good = exampleJournal();
const ports = { sha256, byteLength: (text: string) => Buffer.byteLength(text) };
const cheap = { sha256: () => '', byteLength: (text: string) => text.length };

/** All that is ever made of a journal. */
function lookAt(events: readonly JournalEvent[]): void {
  const state = foldAll(events);
  const [lane, seen] = [emptyLane(), emptyState()];
  for (const [seq, event] of events.entries()) {
    const crossed = panelEvent(event, seq);
    foldLane(lane, crossed);
    foldSound(seen, crossed);
    logLine(state, event);
  }
  checkJournal(events, cheap);
  statusView(state);
  answerText(state);
  roundsAhead(state);
  for (const run of state.runs) for (const round of run.rounds) lookAtRound(state, round);
  for (const id of state.history) callLinks(state, id);
  for (const text of state.parts.values()) {
    messageBody(text);
    const message = parseMessage(text);
    if (message) legal([message]);
  }
  for (const kind of ['plan', 'act'] as const) openAll(scopesAt(state, { kind, key: '1.1.1' }));
}

function foldOnly(events: readonly JournalEvent[]): void {
  const lane = emptyLane();
  for (const [seq, event] of events.entries()) foldLane(lane, panelEvent(event, seq));
  checkJournal(events, cheap);
}

function lookAtRound(state: JournalState, round: JournalState['runs'][number]['rounds'][number]): void {
  roundView(state, round);
  contextView(state, round);
  replyView(state, round);
  failedAttempts(state, round);
  roundDocument(state, round.run, round.round);
}

function openAll(nodes: readonly { readonly children?: () => readonly object[] }[], depth = 0): void {
  if (depth < 4) for (const node of nodes) openAll(node.children?.() ?? [], depth + 1);
}

const text = (events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

const deep = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
const poison: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e300,
  Infinity,
  NaN,
  '',
  'm1',
  'p999',
  '__proto__',
  '\ud800',
  'x'.repeat(5000),
  [],
  [null],
  [[0, 1e15, ['m1']]],
  {},
  { id: null },
  deep(50_000),
];

/** Every place inside a value, the value itself last. */
function* places(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* places(inner, [...path, key]);
  if (path.length > 0) yield path;
}

function changed(value: unknown, [key, ...rest]: readonly (string | number)[], leaf: unknown): unknown {
  if (key === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === key ? changed(one, rest, leaf) : (one as unknown)));
  const record = value as Record<string, unknown>;
  const next = { ...record, [key]: changed(record[key], rest, leaf) };
  if (leaf === undefined && rest.length === 0) delete next[key];
  return next;
}

for (const [name, events] of [
  ['the worked example', good],
  ['a rich run', await writeRichJournal()],
] as const) {
  test(`${name}: each field of each event takes each bad value`, () => {
    assert.deepEqual(checkJournal(events, ports).problems, []);
    // Each kind of event once by every shape that it comes in: the same place in the same shape folds the same way.
    const seen = new Set<string>();
    for (const [index, event] of events.entries()) {
      for (const place of places(event)) {
        const kind = `${event.type} ${place.map((key) => (Number.isNaN(Number(key)) ? key : '*')).join('.')}`;
        if (seen.has(kind)) continue;
        seen.add(kind);
        for (const leaf of poison) {
          const bad = events.with(index, changed(event, place, leaf) as JournalEvent);
          // What is refused by its shape changes nothing, wherever it is looked at: once is enough.
          const look = eventProblem(bad[index]) === undefined || leaf === undefined ? lookAt : foldOnly;
          assert.doesNotThrow(() => look(bad), `${kind} = ${serialise(leaf).slice(0, 40)}`);
        }
      }
    }
    assert.ok(seen.size > 80, String(seen.size));
  });

  test(`${name}: events that are no events, missing, doubled, out of order`, () => {
    // Every third: the same kinds of events come again and again.
    for (const [index, event] of [...events.entries()].filter(([at]) => at % 3 === 0)) {
      for (const bad of [null, [], 3, 'x', {}, { seq: index }, { type: event.type, seq: index, at: 1 }])
        assert.doesNotThrow(
          () => lookAt(events.with(index, bad as unknown as JournalEvent)),
          `event ${index}`,
        );
      assert.doesNotThrow(() => lookAt(events.toSpliced(index, 1)), `without event ${index}`);
      assert.doesNotThrow(() => lookAt(events.toSpliced(index, 0, event)), `event ${index} twice`);
    }
    assert.doesNotThrow(() => lookAt(events.toReversed()));
  });

  test(`${name}: texts of parts may hold anything`, () => {
    const texts = [
      '',
      'null',
      '[]',
      '{"role":"assistant","tool_calls":[null,1,"x",{},{"function":null},{"id":7,"function":{"name":1}}]}',
      '{"role":"assistant","tool_calls":{"length":2}}',
      '{"role":"tool","content":[null,{"text":{}},{"type":[[]]}],"tool_call_id":[]}',
      `{"role":"user","content":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      '{"max_iters":"x","tools":3,"model_name":{}}',
    ];
    for (const [index, event] of events.entries()) {
      if (event.type !== 'part' || (index % 2 === 1 && events !== good)) continue;
      for (const one of texts)
        assert.doesNotThrow(
          () => lookAt(events.with(index, { ...event, text: one })),
          `${event.id} = ${one.slice(0, 60)}`,
        );
    }
  });
}

const wrongLines: readonly (readonly [string, number, unknown, RegExp])[] = [
  ['null', 3, null, /^the line is not a JSON object$/],
  ['a list', 3, [], /^the line is not a JSON object$/],
  ['a gap', 3, { ...good[3], seq: 4 }, /^seq is 4, expected 3$/],
  ['no type', 3, { seq: 3, at: 1 }, /^the event has no type$/],
  ['a text that is none', 3, { ...good[3], text: 3 }, /^part\.text must be a text$/],
  ['a missing field', 12, { ...good[12], tail: undefined }, /^model\.requested\.tail must be a list$/],
  [
    'a bad item',
    12,
    { ...good[12], tail: ['p5', 6] },
    /^model\.requested\.tail\[1\] must be an id, such as "m1"$/,
  ],
  [
    'a bad splice',
    12,
    { ...good[12], splices: [[-1, 0, []]] },
    /^model\.requested\.splices\[0\]\[0\] must be a whole number/,
  ],
  [
    'a role',
    5,
    {
      ...good[5],
      messages: [{ ...(good[5] as JournalEvent & { type: 'history.appended' }).messages[0], role: 'robot' }],
    },
    /^history\.appended\.messages\[0\]\.role must be one of system, user, assistant, tool$/,
  ],
  ['a time', 5, { ...good[5], at: 'noon' }, /^history\.appended\.at must be a finite number$/],
  ['depth', 3, { ...good[3], extra: deep(100) }, /^part must not be nested deeper than 64$/],
];
for (const [name, line, event, expected] of wrongLines) {
  test(`reading names the line and what is wrong with it: ${name}`, () => {
    const read = readJournalText(text(good.with(line, event as JournalEvent)));
    assert.ok(!read.ok);
    assert.equal(read.line, line + 1);
    assert.match(read.message, expected);
    const report = checkJournal(good.with(line, event as JournalEvent), ports);
    assert.ok(report.problems.some(({ seq }) => seq === line));
  });
}

test('unknown types and fields are read and kept as they came', () => {
  const later = [
    ...good.slice(0, 3),
    { seq: 3, at: 1, type: 'hologram.shown', colour: ['blue'] },
    ...good.slice(3).map((event) => ({ ...event, seq: event.seq + 1, mood: { is: 'good' } })),
  ];
  const read = readJournalText(text(later));
  assert.ok(read.ok);
  assert.deepEqual(read.events, later);
  assert.equal(foldAll(read.events).unknown.get('hologram.shown'), 1);
  assert.deepEqual(checkJournal(read.events, ports).problems, []);
});

test('1e999 in a file is no number, and a line of megabytes is read', () => {
  const line = JSON.stringify(good[12]).replace(/"bytes":\d+/, '"bytes":1e999');
  const read = readJournalText(text(good).replace(JSON.stringify(good[12]), line));
  assert.ok(!read.ok);
  assert.match(read.message, /bytes must be a whole number/);
  const large = readJournalText(
    text(good.with(3, { ...good[3]!, text: 'x'.repeat(5_000_000) } as JournalEvent)),
  );
  assert.ok(large.ok);
});

test('ids that come a second time, and what was never there, are found', () => {
  const problems = (events: readonly JournalEvent[]) =>
    checkJournal(events, ports)
      .problems.map(({ message }) => message)
      .join('\n');
  const with_ = (seq: number, change: object) => good.with(seq, { ...good[seq], ...change } as JournalEvent);
  assert.match(
    problems(with_(50, { messages: [{ ...messagesOf(50)[0], id: 'm1' }] })),
    /message m1 enters the history twice/,
  );
  assert.match(problems(with_(48, { run: 1 })), /run 1 is started twice/);
  assert.match(problems(with_(54, { on: 'r9' })), /builds on r9, which was never sent/);
  assert.match(problems(with_(54, { splices: [[90, 1, []]] })), /its splices do not fit the list/);
  assert.match(problems(with_(16, { attempt: 9 })), /attempt 9: answered and never sent/);
  assert.match(problems(with_(25, { key: '1.1.9' })), /there is no call 1\.1\.9 in this round/);
});

const messagesOf = (seq: number) => (good[seq] as JournalEvent & { type: 'history.appended' }).messages;

test('an id too large to count on from does not make the next one collide', () => {
  const state = foldAll(good.with(3, { ...good[3], id: 'p99999999999999999999' } as JournalEvent));
  assert.ok(Number.isSafeInteger(state.highest.part + 1));
});

test('what makes an event is said without throwing for any value', () => {
  for (const value of [...poison, () => 1, Symbol('x'), 10n]) assert.doesNotThrow(() => eventProblem(value));
});
