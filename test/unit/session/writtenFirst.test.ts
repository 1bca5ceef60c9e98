/** Written before acted on: whoever acts finds all on disk that led to it, and a round takes few writes all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { JournalSink, ModelClient } from '../../../src/core/ports.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { openSession } from '../../../src/session/session.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent } from '../../doubles/testAgent.ts';

const rounds = 10;

/** A run of ten rounds, with what was on disk looked at by everybody who acts in it. */
async function runOn(isDebugged: boolean) {
  let text = '';
  let writes = 0;
  const sink: JournalSink = {
    write(lines) {
      writes++;
      text += lines;
    },
    sync: () => undefined,
    close: () => undefined,
  };
  const session = openSession(createJournal({ clock: createFixedClock(), sink }), { id: 's', agent: 'a' });
  const acted: string[] = [];
  const act = (what: string) => {
    assert.equal(text.split('\n').length - 1, session.journal.events.length, what);
    acted.push(what);
  };
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    effects: 'none',
    input: z.object({ n: z.int() }),
    run: ({ n }) => {
      act('tool');
      return `result ${n}`;
    },
  });
  const turns = Array.from({ length: rounds }, (_, n) =>
    calls([{ name: 'look', arguments: { n }, id: `call_${n}` }]),
  );
  const scripted = createScriptedModel([...turns, says('done')]);
  const model: ModelClient = {
    ...scripted,
    send(body, options) {
      act('model');
      return scripted.send(body, options);
    },
  };
  const run = startRun(await createTestAgent(model, { max_iters: rounds + 1 }, [look]), session, {
    goal: 'go',
    ...(isDebugged && {
      rules: { hits: async () => ({ faults: [], breakpoints: ['b'], phases: [] }) },
      onStopped: (stop) => {
        act(stop.kind);
        queueMicrotask(() => run.gate.resume('continue'));
      },
    }),
  });
  assert.equal(await run.done, 'done');
  return {
    acted,
    writes,
    close: () => session.journal.close(),
    lines: () => text.split('\n').length - 1,
    session,
  };
}

test('all that was said is on disk when a request leaves, when a tool starts, and when the run has ended', async () => {
  const { acted, writes, lines, close, session } = await runOn(false);
  assert.equal(acted.filter((what) => what === 'model').length, rounds + 1);
  assert.equal(acted.filter((what) => what === 'tool').length, rounds);
  assert.ok(writes <= 2 * rounds + 6, `${writes} writes`);
  // What follows the end is on disk a turn of the event loop later, and when the journal is closed.
  const ended = session.journal.events.find(({ type }) => type === 'run.ended');
  assert.ok(lines() > ended!.seq);
  close();
  assert.equal(lines(), session.journal.events.length);
});

test('all that was said is on disk when a pause is shown', async () => {
  const { acted } = await runOn(true);
  for (const kind of ['plan', 'reply', 'act', 'observe', 'end']) assert.ok(acted.includes(kind), kind);
});

test('what nobody acts on is on disk when the turn of the event loop is over', async () => {
  let text = '';
  const sink: JournalSink = {
    write: (lines) => (text += lines),
    sync: () => undefined,
    close: () => undefined,
  };
  const journal = createJournal({ clock: createFixedClock(), sink });
  journal.append({ type: 'round.started', round: 1 });
  journal.part('a text');
  assert.equal(text, '');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(text, journal.events.map((event) => `${JSON.stringify(event)}\n`).join(''));
});
