/** The built command line, as a script meets it: exit codes, streams, journals. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = path.join(root, 'dist/cli.js');
const folder = mkdtempSync(path.join(tmpdir(), 'cli-'));
after(() => rmSync(folder, { recursive: true }));

const agent = path.join(folder, 'a.agent.json');
const tools = [
  'calculator',
  'list_todos',
  'add_todo',
  'complete_todo',
  'list_files',
  'read_file',
  'search_text',
];
writeFileSync(
  agent,
  JSON.stringify({ model_name: 'demo', tools, todos: [{ content: 'weekly report', minutes: 45 }] }),
);
writeFileSync(path.join(folder, 'note.txt'), 'a fact\n');

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function loopscope(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const env = { PATH: process.env['PATH'] ?? '', ...options.env };
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  child.stdin.end(options.input ?? '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

test('run: log lines and the answer on stdout, nothing on stderr, exit 0', async () => {
  const { code, out, err } = await loopscope(['run', agent, 'What is 45 + 20?']);
  assert.equal(code, 0, err);
  assert.equal(err, '');
  assert.match(out, /^\[iter 1\]\[plan\] .*→ calculator$/m);
  assert.match(out, /^\[iter 1\]\[action\] calculator \{"expression":"45 \+ 20"\} \d\.\d\ds ok$/m);
  assert.match(out, /^\[iter 1\]\[observe\] \{"success":true,"data":65\}$/m);
  assert.match(out.trimEnd().split('\n').at(-1) ?? '', /65/);
});

test('run: the goal may come on stdin; without one it is bad input', async () => {
  const piped = await loopscope(['run', agent], { input: '45 加 20 等于多少？\n' });
  assert.equal(piped.code, 0, piped.err);
  assert.match(piped.out, /65/);
  const none = await loopscope(['run', agent]);
  assert.equal(none.code, 2);
  assert.match(none.err, /There is no goal/);
});

test('run: a journal is written, continued and proven', async () => {
  const journal = path.join(folder, 'deep/er/day.jsonl');
  const goals = ['I am busy, plan the rest of my day', 'What is left for today?'];
  for (const goal of goals) {
    const { code, err } = await loopscope(['run', agent, goal, '--journal', journal]);
    assert.equal(code, 0, err);
  }
  const checked = await loopscope(['check', journal]);
  assert.equal(checked.code, 0, checked.out);
  assert.match(checked.out, /2 run\(s\), \d+ request\(s\): every request body rebuilds to its hash/);
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll('weekly report', 'weekly rapport'));
  const forged = await loopscope(['check', journal]);
  assert.equal(forged.code, 1);
  assert.match(forged.out, /day\.jsonl:\d+: request r\d+, attempt 1: the body rebuilds to/);
});

test('check: the worked example', async () => {
  copyFileSync(path.join(root, 'test/fixtures/journal-example.jsonl'), path.join(folder, 'example.jsonl'));
  const { code, out } = await loopscope(['check', 'example.jsonl']);
  assert.equal(code, 0);
  assert.equal(out, '63 events, 2 run(s), 4 request(s): every request body rebuilds to its hash\n');
});

const bad: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['no command', [], /Usage: loopscope <command>/],
  ['an unknown command', ['walk'], /Unknown command "walk"/],
  ['no agent file named', ['run'], /Something is missing/],
  [
    'an agent file that is not there',
    ['run', 'nope.agent.json', 'x'],
    /Can not read the agent file nope\.agent\.json: there is no such file/,
  ],
  ['a folder as agent file', ['run', '.', 'x'], /it is a folder/],
  ['an unknown option', ['run', 'a.agent.json', 'x', '--fast'], /Unknown option '--fast'/],
  [
    'a setting without a value',
    ['run', 'a.agent.json', 'x', '--set', 'temperature'],
    /--set takes key=value/,
  ],
  [
    'a setting of the wrong kind',
    ['run', 'a.agent.json', 'x', '--set', 'max_iters=many'],
    /"max_iters" can not be "many"/,
  ],
  [
    'a workspace that is not there',
    ['run', 'a.agent.json', 'x', '--workspace', 'nowhere'],
    /nowhere is not a folder/,
  ],
  [
    'a journal that is none',
    ['run', 'a.agent.json', 'x', '--journal', 'note.txt'],
    /note\.txt:1: .*Name another journal file/,
  ],
  ['a check of nothing', ['check', 'nope.jsonl'], /Can not read nope\.jsonl/],
];
for (const [name, args, expected] of bad) {
  test(`bad input: ${name}: exit 2 and words on stderr`, async () => {
    const { code, out, err } = await loopscope(args);
    assert.equal(code, 2, out);
    assert.match(err, expected);
    assert.equal(out, '');
  });
}

for (const command of [[], ['run'], ['dap'], ['check']]) {
  test(`--help of ${command[0] ?? 'the whole'} goes to stdout, exit 0`, async () => {
    const { code, out, err } = await loopscope([...command, '--help']);
    assert.equal(code, 0);
    assert.equal(err, '');
    assert.match(out, /Usage: loopscope/);
  });
}

test('run: a round limit is exit 3 and the session can go on', async () => {
  const { code, err } = await loopscope(['run', agent, 'repeat yourself', '--set', 'max_iters=2']);
  assert.equal(code, 3);
  assert.match(err, /limit: round limit \(2\)/);
});

test('C28 run: --continue goes on with a run that a limit stopped, and refuses everything else', async () => {
  const journal = path.join(folder, 'limited.jsonl');
  const goal = 'I am busy, plan the rest of my day';
  const limited = await loopscope(['run', agent, goal, '--journal', journal, '--set', 'max_iters=1']);
  assert.equal(limited.code, 3, limited.err);
  const on = ['run', agent, '--journal', journal, '--continue'];
  for (const wrong of [['0'], ['x'], ['1.5'], ['3', 'another goal']]) {
    const refused = await loopscope(
      wrong.length > 1 ? ['run', agent, wrong[1]!, ...on.slice(2), '3'] : [...on, ...wrong],
    );
    assert.equal(refused.code, 2, wrong.join(' '));
    assert.match(refused.err, /--continue takes/);
  }
  const done = await loopscope([...on, '20']);
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^\[iter 2\]\[plan\]/m);
  assert.doesNotMatch(done.out, /^\[iter 1\]/m);
  const over = await loopscope([...on, '1']);
  assert.equal(over.code, 2);
  assert.match(over.err, /stopped by a limit/);
  assert.match((await loopscope(['check', journal])).out, /1 run\(s\)/);
  const missing = path.join(folder, 'not-there.jsonl');
  assert.equal((await loopscope(['run', agent, '--journal', missing, '--continue', '1'])).code, 2);
  assert.ok(!existsSync(missing));
});

test('run: a server that is not there is exit 4, names the address and what to check', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const base = `http://127.0.0.1:${port}/v1`;
  const { code, err } = await loopscope([
    'run',
    agent,
    'hi',
    '--set',
    'model_name=m',
    '--set',
    `api_base=${base}`,
  ]);
  assert.equal(code, 4);
  assert.match(err, new RegExp(`${port}.*api_base`));
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`run: ${signal} cancels with a legal journal, exit 130`, () => interrupted(signal));
}

async function interrupted(signal: NodeJS.Signals): Promise<void> {
  const silent = createServer((_request, response) => {
    // The head only: the model has begun and says nothing.
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': thinking\n\n');
    child.emitStarted();
  });
  const child = { emitStarted: () => undefined as void };
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const journal = path.join(folder, `cancelled-${signal}.jsonl`);
  const args = [
    'run',
    agent,
    'hi',
    '--set',
    'model_name=m',
    '--set',
    `api_base=http://127.0.0.1:${port}/v1`,
    '--journal',
    journal,
  ];
  const running = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  child.emitStarted = () => void running.kill(signal);
  const code = await new Promise((resolve) => running.on('close', resolve));
  silent.closeAllConnections();
  silent.close();
  assert.equal(code, 130);
  const checked = await loopscope(['check', journal]);
  assert.equal(checked.code, 0, checked.out);
  assert.match(readFileSync(journal, 'utf8'), /"outcome":"cancelled"/);
}

test('memory: a session that ended is told to the next one, shown and forgotten; ask wants --yes', async () => {
  const remembering = path.join(folder, 'm.agent.json');
  const file = path.join(folder, 'm.memory.json');
  const journal = path.join(folder, 'm.jsonl');
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      bodies.push(body);
      const content = body.includes('The session is over') ? 'It was about tea.' : 'Fine.';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const settings = { model_name: 'm', api_base: `http://127.0.0.1:${port}/v1`, memory: 'ask' };
  writeFileSync(remembering, JSON.stringify(settings));
  try {
    await loopscope(['run', remembering, 'tea?']);
    assert.ok(!existsSync(file));
    const { out, err } = await loopscope(['run', remembering, 'tea?', '--yes', '--journal', journal]);
    assert.equal(out.trimEnd().split('\n').at(-1), 'Fine.');
    assert.match(err, /^Remembered in .*m\.memory\.json\.$/m);
    assert.equal((await loopscope(['check', journal])).code, 0);
    await loopscope(['run', remembering, 'again', '--set', 'memory=on']);
    const begins = JSON.parse(bodies.at(-2) ?? '') as { messages: { role: string; content: string }[] };
    assert.match(begins.messages[0]?.content ?? '', /^Background: [^]*It was about tea\./);
    const shown = await loopscope(['memory', remembering]);
    assert.match(shown.out, /^\S+ \(s-\w+\): It was about tea\.$/m);
    assert.equal((await loopscope(['memory', remembering, '--forget'])).code, 0);
    assert.ok(!existsSync(file));
    assert.equal((await loopscope(['memory', remembering])).out, '');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('tools: one line each, with the total; --sent is the JSON of the request; what is wrong is exit 2', async () => {
  const { code, out, err } = await loopscope(['tools', agent]);
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^calculator · ships with Loopscope · changes nothing · runs without a question · \d+ tokens$/m,
  );
  assert.match(out, /^7 tools are sent with each request: \d+ tokens\.$/m);
  const sent = JSON.parse((await loopscope(['tools', agent, '--sent'])).out) as {
    function: { name: string };
  }[];
  assert.deepEqual(
    sent.map((tool) => tool.function.name),
    tools,
  );
  const wrong = path.join(folder, 'wrong.agent.json');
  writeFileSync(
    wrong,
    JSON.stringify({ model_name: 'demo', tools: ['read_file', 'read_fil', 'get_open_editors'] }),
  );
  const bad = await loopscope(['tools', wrong]);
  assert.equal(bad.code, 2);
  assert.match(bad.err, /wrong\.agent\.json:1: There is no tool "read_fil"/);
  assert.match(
    bad.out,
    /^get_open_editors · .*not sent\n {2}warning: The tool get_open_editors asks an editor/m,
  );
});
