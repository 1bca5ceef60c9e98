/** Disks that fill up, break and lose files under a run: told once, nothing acted on unrecorded, nothing written twice. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import * as z from 'zod';
import type { JournalSink } from '../../../src/core/ports.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { readJournalText } from '../../../src/session/journalText.ts';
import { openSession } from '../../../src/session/session.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../../doubles/testAgent.ts';

const folder = fs.mkdtempSync(path.join(tmpdir(), 'disk-'));
after(() => fs.rmSync(folder, { recursive: true }));

/** Takes `whole` writes, then throws `failing` times, then works again. */
function createBreakingSink(whole: number, failing: number) {
  let text = '';
  let writes = 0;
  const sink: JournalSink = {
    write(lines) {
      writes++;
      if (writes > whole && writes <= whole + failing) throw new Error('ENOSPC: no space left on device');
      text += lines;
    },
    sync: () => undefined,
    close: () => undefined,
  };
  return { ...sink, text: () => text, writes: () => writes };
}

async function runOn(sink: JournalSink) {
  let effects = 0;
  const act = defineTool({
    name: 'act',
    description: 'Does something in the world.',
    effects: 'outside',
    input: z.object({}),
    run: () => ++effects,
  });
  const session = openSession(createJournal({ clock: createFixedClock(), sink }), { id: 's', agent: 'a' });
  const model = createScriptedModel([calls([{ name: 'act' }, { name: 'act' }]), says('done'), says('again')]);
  const told: string[] = [];
  session.journal.onTrouble((why) => told.push(why));
  const agent = await createTestAgent(model, {}, [act]);
  const outcome = await startRun(agent, session, { goal: 'go' }).done;
  return { agent, session, outcome, told, effects: () => effects, asked: model.bodies.length };
}

async function writesOfAWholeRun(): Promise<number> {
  const sink = createBreakingSink(Infinity, 0);
  const { outcome } = await runOn(sink);
  assert.equal(outcome, 'done');
  assert.ok(sink.writes() > 5);
  return sink.writes();
}

test('writing that fails at any event, for good: the run ends as failed, and nothing is done unrecorded', async () => {
  const writes = await writesOfAWholeRun();
  for (let at = 1; at < writes; at++) {
    const sink = createBreakingSink(at, Infinity);
    const { session, outcome, told, effects, asked } = await runOn(sink);
    const ended = session.state.runs.at(-1)?.ended;
    if (outcome === 'done') {
      // All was done and is on record but the end itself: that is said, and changes no outcome.
      assert.equal(at, writes - 1);
      const said = session.journal.events.some(
        (event) => event.type === 'anomaly' && event.code === 'not-synced',
      );
      assert.equal(said, !sink.text().includes('"type":"run.ended"'));
      continue;
    }
    assert.equal(outcome, 'failed', `write ${at}`);
    assert.match(ended?.limit ?? '', /The journal can not be written \(ENOSPC: no space left on device\)/);
    assert.equal(told.length, 1, `told once, write ${at}`);
    const written = readJournalText(sink.text());
    assert.ok(written.ok);
    const started = written.events.filter(({ type }) => type === 'call.started').length;
    assert.equal(effects(), started, `calls executed and on record, write ${at}`);
    assert.equal(
      asked,
      written.events.filter(({ type }) => type === 'model.requested').length,
      `requests, write ${at}`,
    );
    assert.deepEqual(problemsOf(session), []);
  }
});

test('writing that works again: every event is there once, and the session goes on', async () => {
  const writes = await writesOfAWholeRun();
  for (let at = 1; at < writes; at++) {
    const sink = createBreakingSink(at, 2);
    const { session, agent, outcome } = await runOn(sink);
    assert.ok(outcome === 'failed' || outcome === 'done');
    session.journal.flush();
    const read = readJournalText(sink.text());
    assert.ok(read.ok, read.ok ? '' : `write ${at}, line ${read.line}: ${read.message}`);
    assert.deepEqual(read.events, session.journal.events, `write ${at}`);
    if (outcome === 'done') continue;
    const model = createScriptedModel([says('back')]);
    assert.equal(await startRun({ ...agent, model }, session, { goal: 'go on' }).done, 'done', `write ${at}`);
    assert.deepEqual(problemsOf(session), []);
  }
});

test('a fault of ours with a full disk still ends the run, once', async () => {
  const { session, agent } = await runOn(createBreakingSink(Infinity, 0));
  const broken = {
    ...agent,
    countTokens: Object.assign(() => assert.fail('counter'), {
      ahead: (texts: readonly string[]) => agent.countTokens.ahead(texts),
    }),
  };
  assert.equal(await startRun(broken, session, { goal: 'go' }).done, 'crashed');
  assert.equal(session.journal.events.filter(({ type }) => type === 'run.ended').length, 2);
});

test('a journal file that is deleted under a run is noticed', async () => {
  const file = path.join(folder, 'gone.jsonl');
  const opened = openSessionFile({ file, id: 's', agent: 'a', clock: createFixedClock() });
  assert.ok(opened.ok);
  fs.rmSync(file);
  const agent = await createTestAgent(createScriptedModel([]));
  assert.equal(await startRun(agent, opened.session, { goal: 'go' }).done, 'failed');
  assert.match(opened.session.state.runs[0]?.ended?.limit ?? '', /the journal file was deleted/);
  opened.session.journal.close();
  assert.deepEqual(fs.readdirSync(folder), []);
});

test('a stopped run that is being debugged is released when an edit can not be written', async () => {
  const sink = createBreakingSink(8, Infinity);
  const session = openSession(createJournal({ clock: createFixedClock(), sink }), { id: 's', agent: 'a' });
  const agent = await createTestAgent(createScriptedModel([]));
  const stops: string[] = [];
  const run = startRun(agent, session, {
    goal: 'go',
    rules: { hits: async () => ({ faults: [], breakpoints: ['b'], phases: [] }) },
    onStopped: (stop) => {
      stops.push(stop.kind);
      if (stop.kind === 'plan')
        queueMicrotask(() => {
          while (!session.journal.trouble) run.apply({ kind: 'pin', target: 'm2' });
        });
    },
  });
  assert.equal(await run.done, 'failed');
  assert.deepEqual(stops, ['plan']);
});
