import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { legal } from '../../../src/core/legal.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import type { JournalEvent } from '../../../src/core/events.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import type { SendOptions } from '../../../src/core/ports.ts';
import { type Run, startRun } from '../../../src/runner/run.ts';
import type { Session } from '../../../src/session/session.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../../doubles/testAgent.ts';

const input = z.object({});
const common = { description: 'A tool.', effects: 'outside', input } as const;
const quick = defineTool({ ...common, name: 'quick', run: () => 'quick result' });
let whileRunning = () => undefined as unknown;
const hang = defineTool({
  ...common,
  name: 'hang',
  run() {
    whileRunning();
    return new Promise(() => undefined);
  },
});

const three = calls([
  { name: 'quick', id: 'a' },
  { name: 'hang', id: 'b' },
  { name: 'quick', id: 'c' },
]);

interface Point {
  readonly name: string;
  /** The first reply; it may call `cancel` itself. */
  readonly reply: (cancel: () => void) => ModelStep;
  /** An event at which the run is cancelled. */
  readonly at?: (event: JournalEvent) => boolean;
  /** What the three calls came to; none when the reply was never whole. */
  readonly results: readonly RegExp[];
}

/** As a client does it: the abort ends the request, what had arrived comes along. */
const cut =
  (partial: string | undefined, cancel: () => void): ModelStep =>
  (_body: string, { signal, onText }: SendOptions) => {
    if (partial !== undefined) onText(partial);
    return new Promise((resolve) => {
      signal.addEventListener(
        'abort',
        () => resolve(fails('cancelled', partial === undefined ? {} : { partial })),
        {
          once: true,
        },
      );
      queueMicrotask(cancel);
    });
  };

const done = /"quick result"/;
const before = /cancelled before start/;
const during = /cancelled while running, effects unknown/;
const finished = (key: string) => (event: JournalEvent) =>
  event.type === 'call.finished' && event.key === key;

const points: readonly Point[] = [
  { name: 'before the first byte', reply: (cancel) => cut(undefined, cancel), results: [] },
  { name: 'in text', reply: (cancel) => cut('I will ru', cancel), results: [] },
  {
    name: 'in arguments',
    reply: (cancel) => cut('{"tool_calls":[{"arguments":"{\\"cm', cancel),
    results: [],
  },
  {
    name: 'before a call runs',
    reply: () => three,
    at: (event) => event.type === 'checkpoint' && event.key === '1.1.1',
    results: [before, before, before],
  },
  {
    name: 'while a call runs',
    reply(cancel) {
      whileRunning = cancel;
      return three;
    },
    results: [done, during, before],
  },
  {
    name: 'between two calls',
    reply: () => three,
    at: (event) => event.type === 'checkpoint' && event.key === '1.1.2',
    results: [done, before, before],
  },
  {
    name: 'in the write of a result',
    reply: () => three,
    at: finished('1.1.1'),
    results: [done, before, before],
  },
];

for (const point of points) {
  for (const reload of [false, true]) {
    test(`C21 cancelled ${point.name}${reload ? ', then read back from disk' : ''}: the next turn is legal`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'abort-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'journal.jsonl');
      const session = open(file);
      const holder: { run?: Run } = {};
      const cancel = () => holder.run?.cancel();
      const model = createScriptedModel([point.reply(cancel), says('I see.')]);
      const agent = await createTestAgent(model, {}, [quick, hang]);
      session.journal.onEvent((event) => {
        if (point.at?.(event)) cancel();
      });
      holder.run = startRun(agent, session, { goal: 'build' });
      assert.equal(await holder.run.done, 'cancelled');
      assert.equal(session.state.runs[0]?.ended?.outcome, 'cancelled');
      if (reload) session.journal.close();
      const next = reload ? open(file) : session;
      assert.equal(await startRun(agent, next, { goal: 'stop, use npm' }).done, 'done');
      const { messages } = JSON.parse(model.bodies.at(-1) ?? '') as { messages: WireMessage[] };
      assert.deepEqual(legal(messages), []);
      assert.equal(contentText(messages.at(-1) ?? { role: 'user' }), 'stop, use npm');
      const results = messages.filter(({ role }) => role === 'tool').map(contentText);
      assert.equal(results.length, point.results.length);
      point.results.forEach((expected, index) => assert.match(results[index] ?? '', expected));
      // What had arrived of a cut reply is evidence in the journal, never a message.
      assert.equal(
        messages.filter(({ role }) => role === 'assistant').length,
        point.results.length === 0 ? 0 : 1,
      );
      assert.deepEqual(problemsOf(next), []);
      model.assertDone();
      next.journal.close();
    });
  }
}

function open(file: string): Session {
  const opened = openSessionFile({
    file,
    id: 's-abort',
    agent: 'test.agent.json',
    clock: createFixedClock(),
  });
  assert.ok(opened.ok, opened.ok ? '' : opened.message);
  return opened.session;
}
