/** Long-term memory: made when a session ends, told to the next one, and changed by nothing but a usable summary. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { legal } from '../../../src/core/legal.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import type { ModelOutcome } from '../../../src/core/ports.ts';
import { remember } from '../../../src/runner/remember.ts';
import { type Agent, startRun } from '../../../src/runner/run.ts';
import { addMemory, readMemories } from '../../../src/session/memoryFile.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'memory-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

async function agentWith(
  steps: readonly ModelStep[],
  settings: Parameters<typeof createTestAgent>[1] = {},
  file = path.join(folder, `${++files}.json`),
): Promise<Agent & { readonly bodies: readonly string[]; readonly file: string }> {
  const model = createScriptedModel(steps);
  const agent = await createTestAgent(model, { memory: 'on', ...settings });
  return { ...agent, bodies: model.bodies, file, memory: { file, name: 'test.memory.json' } };
}

const never = new AbortController().signal;
const messagesOf = (body: string | undefined) =>
  (JSON.parse(body ?? '{}') as { messages: readonly WireMessage[] }).messages;
const codes = (session: ReturnType<typeof createTestSession>) =>
  session.state.anomalies.map(({ code }) => code);

test('a session is summed up by a bounded request without tools, and the next one begins with it', async () => {
  const agent = await agentWith([
    calls([{ name: 'calculator', arguments: { expression: '2+3' } }]),
    says('It is 5.'),
    says('The user asked for 2+3.\n\n- The calculator gave 5. It was reported.'),
    says('Hello again.'),
    says('Once more.'),
  ]);
  const first = createTestSession('s-one');
  await startRun(agent, first, { goal: 'What is 2+3?' }).done;
  const remembered = await remember(agent, first, never);
  assert.equal(remembered.kind, 'saved');
  assert.deepEqual(problemsOf(first), []);
  const aside = JSON.parse(agent.bodies[2] ?? '') as { messages: WireMessage[] };
  assert.ok(!('tools' in aside));
  assert.deepEqual(
    aside.messages.map(({ role }) => role),
    ['system', 'user'],
  );
  const transcript = contentText(aside.messages[1]!);
  assert.match(transcript, /^user: What is 2\+3\?\nassistant called calculator/);
  assert.ok(!transcript.includes('You are a test.'));
  assert.equal([...first.state.requests.values()].at(-1)?.attempts[0]?.sent.purpose, 'memory');

  const second = createTestSession('s-two');
  await startRun(agent, second, { goal: 'Hi' }).done;
  const sent = messagesOf(agent.bodies[3]);
  assert.deepEqual(
    sent.map(({ role }) => role),
    ['system', 'system', 'user'],
  );
  assert.equal(contentText(sent[0]!), 'You are a test.');
  assert.match(
    contentText(sent[1]!),
    /^Background: [^]*\n- 2025-\S+ \(s-one\): The user asked for 2\+3\. - The calculator gave 5\. It was reported\.$/,
  );
  assert.deepEqual(legal(sent), []);
  const [, id = ''] = second.state.history;
  assert.deepEqual(second.state.messages.get(id)?.origin, {
    kind: 'memory',
    location: { path: 'test.memory.json', line: 1 },
  });
  // Told once: a further run of the same session adds nothing.
  await startRun(agent, second, { goal: 'And?' }).done;
  assert.equal(messagesOf(agent.bodies[4]).filter(({ role }) => role === 'system').length, 2);
  assert.deepEqual(problemsOf(second), []);
});

test('a prompt that changed is edited where it stands, and the background stays what it is', async () => {
  for (const before of ['You are a test.', '']) {
    const agent = await agentWith([says('one'), says('two')], { system_prompt: before });
    await addMemory(agent.file, { session: 's-0', at: '2026-01-01T00:00:00Z', summary: 'A fact.' });
    const session = createTestSession();
    await startRun(agent, session, { goal: 'a' }).done;
    const changed = { ...agent, config: { ...agent.config, system_prompt: 'You are another.' } };
    await startRun(changed, session, { goal: 'b' }).done;
    const system = messagesOf(agent.bodies[1]).filter(({ role }) => role === 'system');
    const texts = system.map(contentText);
    assert.equal(texts.filter((text) => text.includes('A fact.')).length, 1, before);
    assert.equal(texts.includes('You are another.'), before !== '');
    assert.deepEqual(problemsOf(session), []);
  }
});

const useless: Readonly<Record<string, ModelOutcome>> = {
  'calls only': calls([{ name: 'calculator' }]),
  blank: says(' \n'),
  markup: says('<tool_call>{"name":"calculator","arguments":{}}</tool_call>'),
  'a call as text': says('{"name":"calculator","arguments":{}}'),
  'a failure': fails('server', { status: 500, retryable: true }),
};
for (const [name, outcome] of Object.entries(useless))
  test(`a summary that is none changes nothing and is in the journal: ${name}`, async () => {
    const agent = await agentWith([says('done'), outcome]);
    await addMemory(agent.file, { session: 's-0', at: '2026-01-01T00:00:00Z', summary: 'A fact.' });
    const before = readFileSync(agent.file, 'utf8');
    const session = createTestSession();
    await startRun(agent, session, { goal: 'a' }).done;
    assert.equal((await remember(agent, session, never)).kind, 'failed');
    assert.equal(readFileSync(agent.file, 'utf8'), before);
    const failed = session.journal.events.some(({ type }) => type === 'model.failed');
    assert.equal(failed || codes(session).includes('memory-rejected'), true);
    assert.deepEqual(problemsOf(session), []);
  });

test('a run that was cancelled, crashed or failed leaves nothing, and no request is made', async () => {
  const agent = await agentWith([fails('auth'), says('never sent')]);
  const session = createTestSession();
  await startRun(agent, session, { goal: 'a' }).done;
  const cancelled = createTestSession();
  const run = startRun(agent, cancelled, { goal: 'a' });
  run.cancel();
  await run.done;
  for (const one of [session, cancelled])
    assert.deepEqual(await remember(agent, one, never), { kind: 'nothing' });
  assert.equal(agent.bodies.length, 1);
  assert.deepEqual(readMemories(agent.file), { ok: true, memories: [] });
});

test('a cancelled request leaves the file as it was', async () => {
  const abort = new AbortController();
  const agent = await agentWith([
    says('done'),
    () => {
      abort.abort();
      return says('A summary that came too late.');
    },
  ]);
  const session = createTestSession();
  await startRun(agent, session, { goal: 'a' }).done;
  assert.equal((await remember(agent, session, abort.signal)).kind, 'failed');
  assert.deepEqual(readMemories(agent.file), { ok: true, memories: [] });
});

const unusable = {
  'no JSON': '{"v": 1, "memories": [',
  'another version': '{"v": 2, "memories": []}',
  'no list': '{"v": 1, "memories": {}}',
  'no summary': '{"v": 1, "memories": [{"session": "s", "at": "now", "summary": 5}]}',
  'an empty file': '',
};
for (const [name, text] of Object.entries(unusable))
  test(`a file that can not be used is reported and never written over: ${name}`, async () => {
    const agent = await agentWith([says('done'), says('never sent')]);
    writeFileSync(agent.file, text);
    const session = createTestSession();
    assert.equal(await startRun(agent, session, { goal: 'a' }).done, 'done');
    assert.deepEqual(codes(session), ['memory-unreadable']);
    assert.match(session.state.anomalies[0]?.detail ?? '', /can not be used/);
    assert.equal((await remember(agent, session, never)).kind, 'failed');
    assert.equal(readFileSync(agent.file, 'utf8'), text);
    assert.equal(agent.bodies.length, 1);
  });

test('secrets stay out of the file', async () => {
  const agent = await agentWith([says('done'), says('The password is hunter2-hunter2.')]);
  const secrets = { values: [{ name: 'pw', value: 'hunter2-hunter2' }], patterns: [] };
  const session = createTestSession();
  await startRun({ ...agent, secrets }, session, { goal: 'a' }).done;
  await remember({ ...agent, secrets }, session, never);
  const text = readFileSync(agent.file, 'utf8');
  assert.match(text, /The password is \[redacted:pw:/);
  assert.ok(!text.includes('hunter2'));
});

test('the file is bounded: the newest sessions, each cut, and one entry a session', async () => {
  const file = path.join(folder, 'deep/er/bounded.json');
  for (let n = 0; n < 9; n++)
    await addMemory(file, {
      session: `s-${n}`,
      at: '2026-01-01T00:00:00Z',
      summary: `${n} ${'😀'.repeat(5000)}`,
    });
  const large = readMemories(file);
  assert.ok(large.ok && large.memories.length > 0 && large.memories.at(-1)?.summary.startsWith('8 '));
  assert.ok(large.memories.reduce((sum, { summary }) => sum + summary.length, 0) <= 4000);
  for (let n = 0; n < 9; n++)
    await addMemory(file, { session: `t-${n % 7}`, at: '2026-01-01T00:00:00Z', summary: `short ${n}` });
  const small = readMemories(file);
  assert.ok(small.ok);
  assert.deepEqual(
    small.memories.map(({ summary }) => summary),
    [4, 5, 6, 7, 8].map((n) => `short ${n}`),
  );
  assert.deepEqual(readdirSync(path.dirname(file)), ['bounded.json']);
});

test('in a small window the background is cut, so that a run is still possible', async () => {
  const agent = await agentWith([says('done')], { context: { max_tokens: 600, reserve: 100 } });
  for (let n = 0; n < 5; n++)
    await addMemory(agent.file, {
      session: `s-${n}`,
      at: '2026-01-01T00:00:00Z',
      summary: 'word '.repeat(150),
    });
  const plain = { ...agent, toolbox: { ...agent.toolbox, tools: [] } };
  const session = createTestSession();
  assert.equal(await startRun(plain, session, { goal: 'a' }).done, 'done');
  const [, background] = messagesOf(agent.bodies[0]);
  assert.ok(agent.countTokens(contentText(background!)) <= 500 / 8);
});

test('the transcript is counted elsewhere before it is counted here', async () => {
  const goals = Array.from({ length: 20 }, (_, index) => `${index}: ${'once upon a time '.repeat(100)}`);
  const agent = await agentWith([...goals.map(() => says('Noted.')), says('The user told a long story.')], {
    context: { max_tokens: 100_000 },
  });
  const handedOut = new Set<string>();
  const surprises: number[] = [];
  const count = (text: string) => {
    if (text.length > 8192 && !handedOut.has(text)) surprises.push(text.length);
    return agent.countTokens(text);
  };
  const ahead = (texts: readonly string[]) => {
    for (const text of texts) handedOut.add(text);
    return agent.countTokens.ahead(texts);
  };
  const session = createTestSession('s-long');
  const watched = { ...agent, countTokens: Object.assign(count, { ahead }) };
  for (const goal of goals) await startRun(watched, session, { goal }).done;
  assert.equal((await remember(watched, session, never)).kind, 'saved');
  assert.deepEqual(surprises, []);
});

/** Another window: a process that says it is there, and adds a session when it is told to. */
const writer = `
process.stdin.once('data', async () => {
  const { addMemory } = await import(process.argv[1]);
  const [file, session] = process.argv.slice(2);
  const added = await addMemory(file, { session, at: '2026-01-01T00:00:00Z', summary: 'One of several.' });
  process.exit(added.ok ? 0 : 1);
});
process.stdout.write('ready');
`;

test('windows that end their sessions at the same time lose none of them', async () => {
  const file = path.join(folder, 'several.json');
  const module = new URL('../../../src/session/memoryFile.ts', import.meta.url).href;
  const sessions = ['s-1', 's-2', 's-3', 's-4'];
  const windows = sessions.map((session) =>
    spawn(process.execPath, ['--import', 'tsx', '-e', writer, module, file, session]),
  );
  await Promise.all(windows.map(({ stdout }) => once(stdout, 'data')));
  for (const { stdin } of windows) stdin.end('go');
  const codes = await Promise.all(windows.map((window) => once(window, 'exit')));
  assert.deepEqual(
    codes.map(([code]) => code as unknown),
    [0, 0, 0, 0],
  );
  const known = readMemories(file);
  assert.ok(known.ok);
  assert.deepEqual(known.memories.map(({ session }) => session).sort(), sessions);
});

test('a memory file that is a link stays one', async () => {
  const target = path.join(folder, 'target.json');
  const file = path.join(folder, 'link.json');
  writeFileSync(target, '{"v":1,"memories":[]}');
  symlinkSync(target, file);
  const added = await addMemory(file, { session: 's-1', at: '2026-01-01T00:00:00Z', summary: 'A fact.' });
  assert.ok(added.ok);
  assert.ok(lstatSync(file).isSymbolicLink());
  assert.match(readFileSync(target, 'utf8'), /A fact/);
});
