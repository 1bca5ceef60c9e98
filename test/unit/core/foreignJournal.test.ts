import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { checkJournal } from '../../../src/core/check.ts';
import { contextView } from '../../../src/core/contextView.ts';
import { exportNotes } from '../../../src/core/exportNotes.ts';
import { exportPage } from '../../../src/core/exportPage.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { foreignJournal } from '../../../src/core/foreignJournal.ts';
import { readForeignLog } from '../../../src/core/foreignLog.ts';
import { roundView } from '../../../src/core/roundView.ts';
import { statusView } from '../../../src/core/statusView.ts';
import { wireView } from '../../../src/core/wireView.ts';
import { englishExport } from '../../doubles/englishExport.ts';

const digest = {
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  byteLength: (text: string) => Buffer.byteLength(text),
};
const options = {
  session: 's-foreign',
  name: 'log.jsonl',
  digest,
  count: (text: string) => Math.ceil(text.length / 4),
};

const system = { role: 'system', content: 'You help.' };
const goal = { role: 'user', content: 'What is 45 + 20?' };
const call = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":45,"b":20}' } }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: '65' };
const answer = { role: 'assistant', content: 'It is 65.' };
const more = { role: 'user', content: 'And twice that, in words, please?' };
const tools = [{ type: 'function', function: { name: 'add', parameters: {} } }];
const body = (...messages: object[]) => ({ model: 'gpt-x', temperature: 0.2, messages, tools });

function rounds(text: string) {
  const events = foreignJournal(readForeignLog(text).bodies, options);
  const state = foldAll(events);
  // That what was sent is not legal is theirs, and said by an anomaly.
  const problems = checkJournal(events, digest).problems.filter(
    ({ message }) => !/illegal history/.test(message),
  );
  assert.deepEqual(problems, []);
  assert.ok(events.every((event) => event.inferred));
  return {
    state,
    lines: state.runs.flatMap((run) =>
      run.rounds.map((round) => {
        const { rows } = roundView(state, round);
        const told = rows.map((row) =>
          row.kind === 'kept' ? `${row.count} kept` : `${row.change} ${row.id}`,
        );
        return `${run.run}.${round.round}: ${told.join(', ')}`;
      }),
    ),
  };
}

const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');

test('successive bodies are rounds: what came, what left, what was edited, by content and not by place', () => {
  const edited = { ...result, content: '66' };
  const { state, lines: told } = rounds(
    lines(
      body(system, goal),
      body(system, goal, call, result),
      body(system, goal, call, edited),
      body(system, goal, answer, more),
      body(system, goal, call, result, answer, more),
    ),
  );
  assert.deepEqual(told, [
    '1.1: new m1, new m2',
    '1.2: 2 kept, new m3, new m4',
    '1.3: 3 kept, edited m4',
    '1.4: 2 kept, dropped m3, dropped m4, new m5, new m6',
    '1.5: 2 kept, new m7, new m8, 2 kept',
  ]);
  for (const { id } of state.requests.values()) {
    const view = wireView(state, id, 1, digest);
    assert.ok(
      view?.checks.every(({ ok }) => ok),
      id,
    );
  }
  const last = state.runs[0]?.rounds.at(-1);
  const view = last && contextView(state, last);
  // Nobody knows their limit: none is shown, and the parts are what was sent.
  assert.equal(view?.budget.limit, undefined);
  assert.equal(
    view?.budget.parts.reduce((sum, { tokens }) => sum + tokens, 0),
    view?.budget.sent,
  );
  assert.equal(
    state.requests.get('r1') && wireView(state, 'r1', 1, digest)?.text,
    JSON.stringify({ model: 'gpt-x', messages: [system, goal], temperature: 0.2, tools }),
  );
});

test('messages arrays alone, a whole JSON file, bodies inside log lines, bodies as text: all are read', () => {
  const forms = [
    JSON.stringify([system, goal]),
    JSON.stringify([[system, goal]]),
    JSON.stringify({ messages: [system, goal] }),
    JSON.stringify([body(system, goal)], undefined, 2),
    lines({
      time: 1,
      request: { method: 'POST', body: JSON.stringify(body(system, goal)) },
      response: { ok: true },
    }),
    `${lines({ level: 'info' })}\r\n\r\nnot JSON\n${lines({ data: { params: body(system, goal) } })}\n`,
  ];
  for (const form of forms) assert.deepEqual(rounds(form).lines, ['1.1: new m1, new m2'], form);
  assert.deepEqual(readForeignLog(forms.at(-1)!).skipped, [1, 3]);
  for (const none of [
    '',
    '{}',
    '[]',
    'plain text',
    '{"messages":[]}',
    '{"messages":[1]}',
    '[{"role":1}]',
    'null',
  ])
    assert.deepEqual(readForeignLog(none).bodies, [], none);
});

test('an illegal history is named, and another conversation is another run', () => {
  const { state, lines: told } = rounds(
    lines(
      body(system, goal, call),
      body(system, goal, result),
      body(system, { role: 'user', content: 'Entirely different words here.' }),
    ),
  );
  assert.deepEqual(
    told.map((line) => line.slice(0, 3)),
    ['1.1', '1.2', '2.1'],
  );
  assert.deepEqual(state.anomalies.map(({ run, round, code }) => `${run}.${round} ${code}`).slice(0, 2), [
    '1.1 illegalHistory',
    '1.2 illegalHistory',
  ]);
  assert.match(state.anomalies[0]?.detail ?? '', /missing-result/);
  assert.match(state.anomalies[1]?.detail ?? '', /orphan-result/);
});

test('hostile values are kept as text: no message makes it throw', () => {
  const odd = [
    { role: 'user', content: '\u0000\u202e<script>' },
    { role: 'wizard', content: { deep: [1, null] } },
    { role: 'assistant', tool_calls: 'none' },
    { role: 'tool', content: 'x'.repeat(300_000) },
    { role: 'user', __proto__: null, content: '\ud800' },
  ];
  const events = foreignJournal(readForeignLog(lines(body(...odd), body(...odd.slice(2)))).bodies, options);
  assert.equal(foldAll(events).runs[0]?.rounds.length, 2);
});

test('roles by other names are messages too: developer, function, and what nobody knows', () => {
  const { lines: told, state } = rounds(
    lines(
      { messages: [{ role: 'developer', content: 'Be brief.' }, goal] },
      {
        messages: [
          { role: 'developer', content: 'Be brief.' },
          goal,
          { role: 'assistant', content: null, function_call: { name: 'add', arguments: '{}' } },
          { role: 'function', name: 'add', content: '65' },
          { role: 'narrator', content: 'Time passes.' },
        ],
      },
    ),
  );
  assert.deepEqual(told, ['1.1: new m1, new m2', '1.2: 2 kept, new m3, new m4, new m5']);
  assert.deepEqual(
    [...state.messages.values()].map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool', 'user'],
  );
});

test('how the last request of a log went is not in it, and not told', () => {
  const { state } = rounds(lines(body(system, goal), body(system, goal, call, result)));
  assert.deepEqual(statusView(state), { kind: 'idle' });
  assert.match(exportNotes(state, englishExport), /\n\nrounds: 2$/m);
  assert.doesNotMatch(exportNotes(state, englishExport), /Ended/);
  assert.doesNotMatch(exportPage(state, 'en', englishExport), /Ended/);
});
