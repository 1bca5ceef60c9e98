/** Journals of what sessions seldom have: summaries, memory, messages that come back, other agents' logs, a cut. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { JournalEvent } from '../../src/core/events.ts';
import { foreignJournal } from '../../src/core/foreignJournal.ts';
import { readForeignLog } from '../../src/core/foreignLog.ts';
import type { Op } from '../../src/core/ops.ts';
import { sha256 } from '../../src/entry/createAgent.ts';
import { remember } from '../../src/runner/remember.ts';
import { type Run, startRun } from '../../src/runner/run.ts';
import { dump } from './dumpTool.ts';
import { writeEditedJournal } from './editedJournal.ts';
import { exampleJournal } from './exampleJournal.ts';
import { longJournal } from './longJournal.ts';
import { writeRichJournal } from './richJournal.ts';
import { calls, createScriptedModel, says } from './scriptedModel.ts';
import { stepThrough } from './stepThrough.ts';
import { createTestAgent, createTestSession } from './testAgent.ts';

/** By name. Each is whole and sound. */
export async function oddJournals(): Promise<Readonly<Record<string, readonly JournalEvent[]>>> {
  return {
    example: exampleJournal(),
    rich: await writeRichJournal(),
    edited: await writeEditedJournal(),
    'messages that leave': longJournal({ rounds: 12, calls: 2, chars: 3000, window: 14 }),
    summaries: await writeSummaries(),
    memory: await writeMemory(),
    restored: await writeRestored(),
    foreign: foreign(),
  };
}

const dumps = (words: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    calls([{ name: 'dump', arguments: { words }, id: `call_${index}` }], `Dump ${index}.`),
  );

/** The oldest units are folded, twice. */
async function writeSummaries(): Promise<JournalEvent[]> {
  const rounds = [...dumps(300, 9), says('done')];
  const model = createScriptedModel(
    Array.from(
      { length: 16 },
      () => (text: string) =>
        (JSON.parse(text) as { tools?: unknown }).tools === undefined
          ? says('Goal: go. The dumps hold lorem. Still open: nothing.')
          : (rounds.shift() ?? says('done')),
    ),
  );
  const context = { policy: 'summarize', max_tokens: 2000, reserve: 200 } as const;
  const session = createTestSession();
  await startRun(await createTestAgent(model, { context, max_iters: 30 }, [dump]), session, { goal: 'go' })
    .done;
  assert.ok(session.state.folded.size > 0);
  return [...session.journal.events];
}

/** A session that begins with what was remembered, and ends with a request for its own summary. */
async function writeMemory(): Promise<JournalEvent[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'memory-'));
  const memory = { file: path.join(folder, 'm.json'), name: 'test.memory.json' };
  const model = createScriptedModel([
    says('It is 5.'),
    says('The user asked.'),
    says('Hi.'),
    says('Greeted.'),
  ]);
  const agent = { ...(await createTestAgent(model, { memory: 'on' })), memory };
  let session = createTestSession('s-one');
  for (const goal of ['What is 2+3?', 'Hi']) {
    session = createTestSession(`s ${goal}`);
    await startRun(agent, session, { goal }).done;
    assert.equal((await remember(agent, session, new AbortController().signal)).kind, 'saved');
  }
  rmSync(folder, { recursive: true });
  return [...session.journal.events];
}

/** Messages leave for want of room; by hand they are pinned, left out, sent all the same, and reworded for good. */
async function writeRestored(): Promise<JournalEvent[]> {
  const model = createScriptedModel([...dumps(120, 5), says('done')]);
  const context = { policy: 'drop-oldest', max_tokens: 700, reserve: 100 } as const;
  const session = createTestSession();
  const agent = await createTestAgent(model, { context, max_iters: 30 }, [dump]);
  const take = (run: Run, op: Op) => assert.ok(run.apply(op).ok, JSON.stringify(op));
  let isBack = false;
  await stepThrough(agent, session, 'Dump.', ({ kind }, run) => {
    if (kind !== 'plan') return;
    const round = session.state.runs[0]?.rounds.length;
    if (round === 2) take(run, { kind: 'drop', target: 'm3' });
    if (round === 3) take(run, { kind: 'set', target: 'm4/content', scope: 'history', value: 'short' });
    if (round === 4) take(run, { kind: 'pin', target: 'm3' });
    isBack ||= round !== undefined && round > 2 && !session.state.fates.has('m3');
  });
  assert.ok(isBack && session.state.fates.size > 0);
  return [...session.journal.events];
}

/** Bodies that another agent sent: it trimmed a result, took a message out, and began anew. */
function foreign(): JournalEvent[] {
  const [system, goal] = [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: 'What is 45 + 20, and what does the file say?' },
  ];
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: `{"path":"${id}"}` } }],
  });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const text = 'one line of the file that was read, '.repeat(90);
  const bodies = [
    [system, goal],
    [system, goal, call('a'), result('a', text)],
    [system, goal, call('a'), result('a', text.slice(0, 200)), call('b'), result('b', 'nothing')],
    [system, goal, call('b'), result('b', 'nothing'), { role: 'assistant', content: 'It is 65.' }],
    [system, { role: 'user', content: 'Something else entirely, please.' }],
  ].map((messages) => JSON.stringify({ model: 'm', messages }));
  return foreignJournal(readForeignLog(bodies.join('\n')).bodies, {
    session: 's-foreign',
    name: 'log.jsonl',
    digest: { sha256, byteLength: (one) => Buffer.byteLength(one) },
    count: (one) => Math.ceil(one.length / 4),
  });
}
