/** A process that dies after any event, and files that somebody poisoned: opened again they are legal and go on. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import { checkJournal } from '../../../src/core/check.ts';
import type { JournalEvent } from '../../../src/core/events.ts';
import { legal } from '../../../src/core/legal.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import { repairs } from '../../../src/core/repair.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import { startRun } from '../../../src/runner/run.ts';
import { readJournalText } from '../../../src/session/journalText.ts';
import { historyMessages } from '../../../src/session/session.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { writeEditedJournal } from '../../doubles/editedJournal.ts';
import { writeRichJournal } from '../../doubles/richJournal.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession } from '../../doubles/testAgent.ts';

const folder = fs.mkdtempSync(path.join(tmpdir(), 'crash-'));
after(() => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'journal.jsonl');
const lines = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

/** Opens what is written, runs once more, and proves all of it. */
async function goOn(text: string) {
  fs.writeFileSync(file, text);
  const opened = openSessionFile({ file, id: 's', agent: 'a', clock: createFixedClock() });
  assert.ok(opened.ok, opened.ok ? '' : opened.message);
  const before = historyMessages(opened.session.state).map((one) => JSON.parse(one.text) as WireMessage);
  assert.deepEqual(
    legal(before).filter(({ rule }) => rule !== 'duplicate-id' && rule !== 'bad-arguments'),
    [],
  );
  const model = createScriptedModel([says('on')]);
  assert.equal(await startRun(await createTestAgent(model), opened.session, { goal: 'on' }).done, 'done');
  opened.session.journal.close();
  const read = readJournalText(fs.readFileSync(file, 'utf8'));
  assert.ok(read.ok);
  const { problems } = checkJournal(read.events, { sha256, byteLength: (body) => Buffer.byteLength(body) });
  const sent = (JSON.parse(model.bodies[0] ?? '') as { messages: WireMessage[] }).messages;
  assert.deepEqual(legal(sent), []);
  return { problems, events: read.events, sent, notices: opened.notices };
}

const rich = await writeRichJournal();

test('killed after every event of a run with edits and a second reply: legal, and what was set aside stays out', async () => {
  const written = await writeEditedJournal();
  const at = written.findIndex((event) => event.type === 'resumed' && event.verb === 'askAgain');
  assert.ok(at > 0);
  for (let keep = 1; keep < written.length; keep++) {
    const { problems, sent } = await goOn(lines(written.slice(0, keep)));
    assert.deepEqual(problems, [], `after ${keep} events`);
    if (keep > at)
      assert.ok(!sent.some((message) => contentText(message) === 'First.'), `after ${keep} events`);
  }
});

async function runSideBySide(): Promise<readonly JournalEvent[]> {
  const wish = (index: number) => ({
    name: 'calculator',
    arguments: { expression: `${index}+1` },
    id: `c${index}`,
  });
  const model = createScriptedModel([calls([wish(1), wish(2), wish(3)]), says('done')]);
  const session = createTestSession();
  await startRun(await createTestAgent(model), session, { goal: 'go' }).done;
  return session.journal.events;
}

const killed = { rich, 'side by side': await runSideBySide() };
for (const [name, whole] of Object.entries(killed))
  test(`killed after every event of a run (${name}): legal, nothing executed twice, unknown calls told to the model`, async () => {
    for (let keep = 1; keep < whole.length; keep++) {
      const kept = whole.slice(0, keep);
      const { problems, events, sent } = await goOn(lines(kept));
      assert.deepEqual(problems, [], `after ${keep} events`);
      const started = (key: string) =>
        events.filter((event) => event.type === 'call.started' && event.key === key).length;
      const keys = kept.flatMap((event) => (event.type === 'call.started' ? [event.key] : []));
      for (const key of keys) assert.equal(started(key), 1, `${key} after ${keep} events`);
      const told = sent.filter((message) =>
        contentText(message).includes('it may or may not have run to its end'),
      );
      const finished = kept.flatMap((event) => (event.type === 'call.finished' ? [event.key] : []));
      assert.equal(told.length, keys.filter((key) => !finished.includes(key)).length, `after ${keep} events`);
    }
  });

test('a file cut at every byte of its last lines, or of its first, opens and goes on', async () => {
  const bytes = Buffer.from(lines(rich.slice(0, 20)));
  const from = Buffer.from(lines(rich.slice(0, 17))).length;
  for (const cut of [
    ...Array(60).keys(),
    ...Array.from({ length: bytes.length - from }, (_, index) => from + index),
  ])
    if (cut % 7 < 2 || cut < 60)
      assert.deepEqual((await goOn(bytes.subarray(0, cut).toString('latin1'))).problems, [], `cut at ${cut}`);
});

const opened = { seq: 0, at: 1, type: 'session.opened', v: 1, session: 's', kind: 'launch', agent: 'a' };

/** A file whose history is these texts. */
function poisoned(texts: readonly string[]): string {
  const parts = texts.map((text, index) => ({ type: 'part', id: `p${index + 1}`, text }));
  const role = (text: string) => /"role":"(system|user|assistant|tool)"/.exec(text)?.[1] ?? 'user';
  const messages = texts.map((text, index) => ({
    id: `m${index + 1}`,
    role: role(text),
    part: `p${index + 1}`,
    origin: { kind: 'foreign' },
  }));
  return lines(
    [opened, ...parts, { type: 'history.appended', messages }].map((event, seq) => ({
      ...event,
      seq,
      at: 1,
    })),
  );
}

const user = '{"role":"user","content":"build"}';
const call = (id: string, name = 'run') =>
  `{"id":"${id}","type":"function","function":{"name":"${name}","arguments":"{}"}}`;
const block = (...calls: string[]) =>
  `{"role":"assistant","content":"Running.","tool_calls":[${calls.join(',')}]}`;
const result = (id: string) => `{"role":"tool","tool_call_id":"${id}","content":"done"}`;

const poison: readonly (readonly [string, string[], RegExp])[] = [
  [
    'C21: calls without results, then the user',
    [user, block(call('a'), call('b')), '{"role":"user","content":"stop, use npm"}'],
    /effects are unknown.*effects are unknown.*stop, use npm/,
  ],
  [
    'a first result missing',
    [user, block(call('a'), call('b')), result('b'), user],
    /effects are unknown.*"done"/,
  ],
  [
    'C26: half a surrogate pair',
    [user, block(call('a')), '{"role":"tool","tool_call_id":"a","content":"log: \\ud83d"}'],
    /log: \ufffd/,
  ],
  [
    'half a pair in arguments',
    [
      user,
      block('{"id":"a","type":"function","function":{"name":"run","arguments":"{\\"x\\":\\"\\ud99c\\"}"}}'),
      result('a'),
    ],
    /done/,
  ],
  ['an orphan result', [user, result('x')], /build/],
  [
    'an assistant first',
    ['{"role":"assistant","content":"hi"}', user],
    /beginning of this conversation is missing/,
  ],
  ['a text that is no message', [user, '{"role":', block(call('a')), '[]'], /effects are unknown/],
  ['an empty assistant message', [user, '{"role":"assistant","content":""}'], /build/],
  ['a role that nobody knows', [user, '{"role":"robot","content":"x"}'], /build/],
  ['content of null', ['{"role":"user","content":null}'], /""/],
  ['a tool name that no server takes', [user, block(call('a', 'run me!')), result('a')], /run_me_/],
  ['calls that are none', [user, '{"role":"assistant","content":"x","tool_calls":[null,3]}'], /"x"/],
];
for (const [name, texts, expected] of poison) {
  test(`a poisoned file is repaired, visibly, and goes on: ${name}`, async () => {
    const { problems, events, sent, notices } = await goOn(poisoned(texts));
    assert.deepEqual(problems, []);
    assert.match(JSON.stringify(sent), expected);
    const edits = events.filter(
      (event) => event.type === 'edited' && event.by === 'repair' && event.inferred,
    );
    const said = events.filter((event) => event.type === 'anomaly' && event.code === 'repaired');
    assert.ok(edits.length > 0);
    assert.equal(said.length, edits.length);
    assert.match(notices.join('\n'), /The history of this session was not legal/);
    const again = await goOn(fs.readFileSync(file, 'utf8'));
    assert.equal(
      again.events.filter((event: JournalEvent) => event.type === 'edited').length,
      edits.length,
      'repaired once',
    );
  });
}

test('whatever the texts are, what is repaired is legal but for what egress rewires, and repairing again changes nothing', () => {
  const piece = fc.constantFrom(
    user,
    block(call('a')),
    block(call('a'), call('b')),
    result('a'),
    result('b'),
    '{"role":"system","content":"s"}',
    '{',
    '{"role":"tool"}',
    '{"role":"assistant"}',
    '{"role":"user","content":[]}',
    '{"role":"assistant","content":7}',
    '{"role":"user","content":"\\ud800"}',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (texts) => {
      let history: { id: string; text: string | undefined }[] = texts.map((text, index) => ({
        id: `m${index}`,
        text,
      }));
      let count = 0;
      let chain: [string | undefined, string] | undefined;
      for (const repair of repairs(history)) {
        if (repair.kind === 'remove') history = history.filter(({ id }) => id !== repair.id);
        else if (repair.kind === 'set')
          history = history.map((one) => (one.id === repair.id ? { ...one, text: repair.text } : one));
        else {
          const id = `new${count++}`;
          const behind = chain && chain[0] === repair.behind ? chain[1] : repair.behind;
          history = history.toSpliced(history.findIndex((one) => one.id === behind) + 1, 0, {
            id,
            text: repair.text,
          });
          chain = [repair.behind, id];
          continue;
        }
        chain = undefined;
      }
      const messages = history.map(({ text }) => JSON.parse(text ?? '') as WireMessage);
      assert.deepEqual(
        legal(messages).filter(({ rule }) => rule !== 'duplicate-id'),
        [],
      );
      assert.deepEqual(repairs(history), []);
    }),
    { seed: 6, numRuns: 3000 },
  );
});
