/** Real processes: scripts that this test writes, run by Node or by the shell. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { taskkill } from '../../../../src/toolbox/process/endTree.ts';
import { processList } from '../../../../src/toolbox/process/processList.ts';
import {
  type ProcessEnded,
  type ProcessRequest,
  runProcess,
} from '../../../../src/toolbox/process/runProcess.ts';
import { ended, isRunning, pidIn, until } from './living.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'process-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const onPosix = { skip: process.platform === 'win32' };
let count = 0;

/** A file of its own for each use. */
const place = (name: string) => path.join(folder, `${count++}-${name}`);
function script(code: string): string {
  const file = place('script.cjs');
  writeFileSync(file, code);
  return file;
}
const tellPid = (file: string) =>
  `require('fs').writeFileSync(${JSON.stringify(file)}, process.pid + '\\n');`;
const forever = 'setInterval(() => {}, 1000);';

function run(command: ProcessRequest['command'], parts: Partial<ProcessRequest> = {}) {
  const { signal = new AbortController().signal } = parts;
  return runProcess({
    command,
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdin: '',
    ...parts,
    signal,
  });
}
async function runToEnd(...args: Parameters<typeof run>): Promise<ProcessEnded> {
  const result = await run(...args);
  assert.ok(result.started, result.started ? '' : result.error);
  return result;
}
const node = (code: string) => [process.execPath, script(code)];
const timeUp = () => new DOMException('the time is up', 'TimeoutError');

test('streams apart, the exit code, and what was given on stdin', async () => {
  const echo = node(`process.stdin.pipe(process.stdout); console.error('to stderr'); process.exitCode = 3;`);
  const { end, stdout, stderr, rest } = await runToEnd(echo, { stdin: '{"a":"é"}' });
  assert.deepEqual(end, { kind: 'exit', code: 3 });
  assert.deepEqual(stdout, { text: '{"a":"é"}', bytes: 10, left: 0 });
  assert.equal(stderr.text, 'to stderr\n');
  assert.equal(rest, 'nothing');
});

test('a text is a line for the shell, a list is a program that no shell reads', onPosix, async () => {
  assert.equal((await runToEnd('echo "$((1 + 1))" | tr 2 3; pwd')).stdout.text.split('\n')[0], '3');
  const { stdout } = await runToEnd([...node('console.log(process.argv[2])'), '$(pwd) && "x"']);
  assert.equal(stdout.text, '$(pwd) && "x"\n');
});

test('the environment is what was given, and nothing else', async () => {
  const { stdout } = await runToEnd(node('console.log(JSON.stringify(process.env))'), {
    env: { PATH: process.env['PATH'], ONLY: 'this' },
  });
  const seen = JSON.parse(stdout.text) as Record<string, string>;
  assert.equal(seen['ONLY'], 'this');
  assert.equal(seen['HOME'], undefined);
  const others = Object.keys(seen).filter((name) => !['PATH', 'ONLY', 'LOOPSCOPE_COMMAND'].includes(name));
  assert.deepEqual(
    others.filter((name) => !name.startsWith('__')),
    [],
  );
});

test('a signal is told by its name', onPosix, async () => {
  const { end, stdout } = await runToEnd(
    node(`process.stdout.write('half', () => process.kill(process.pid, 'SIGKILL'))`),
  );
  assert.deepEqual(end, { kind: 'signal', signal: 'SIGKILL' });
  assert.equal(stdout.text, 'half');
});

test('a command that does not read its stdin is fine, however much there is', async () => {
  const stdin = 'x'.repeat(10_000_000);
  assert.deepEqual((await runToEnd(node('process.exit(0)'), { stdin })).end, { kind: 'exit', code: 0 });
  const closing = node(`require('fs').closeSync(0); console.log('done')`);
  assert.equal((await runToEnd(closing, { stdin })).stdout.text, 'done\n');
});

test('output without measure is kept to its head and its tail, and counted', async () => {
  const { stdout } = await runToEnd(
    node(`const line = 'x'.repeat(999) + '\\n';
      require('fs').writeSync(1, 'first\\n');
      for (let i = 0; i < 20000; i++) require('fs').writeSync(1, line);
      require('fs').writeSync(1, 'last');`),
  );
  assert.equal(stdout.bytes, 20_000_010);
  assert.ok(stdout.text.startsWith('first\nxxx') && stdout.text.endsWith('x\nlast'));
  assert.ok(stdout.text.length < 300_000, String(stdout.text.length));
  assert.equal(stdout.left, 20_000_010 - 256 * 1024);
});

test('characters that come in pieces are whole', async () => {
  const { stdout } = await runToEnd(
    node(`const bytes = [...Buffer.from('中😀é')];
      const next = () => bytes.length && process.stdout.write(Buffer.from([bytes.shift()]), () => setImmediate(next));
      next();`),
  );
  assert.equal(stdout.text, '中😀é');
});

const unstartable: Readonly<Record<string, { parts?: Partial<ProcessRequest>; says: RegExp; posix?: true }>> =
  {
    'there is no such program': { says: /^could not be started: there is no program ".*none" \(ENOENT\)$/ },
    'there is no such folder': {
      parts: { command: 'echo', cwd: path.join(folder, 'gone') },
      says: /^could not be started: there is no folder .*gone$/,
    },
    'the folder is a file': {
      parts: { command: 'echo', cwd: fileURLToPath(import.meta.url) },
      says: /is not a folder$/,
    },
    'it may not be executed': {
      parts: { command: [script('1')] },
      says: /^could not be started: ".*script\.cjs" may not be executed, or not in .* \(EACCES\)$/,
      posix: true,
    },
    'an argument that can not be one': { parts: { command: ['node', 'a\0b'] }, says: /null bytes/ },
    'an argument that is too long': {
      parts: { command: ['node', 'a'.repeat(4_000_000)] },
      says: /the command line is too long/,
    },
    'an empty list': { parts: { command: [] }, says: /^could not be started: / },
  };
for (const [what, { parts, says, posix }] of Object.entries(unstartable))
  test(`nothing is started: ${what}`, posix ? onPosix : {}, async () => {
    const result = await run([path.join(folder, 'none')], parts);
    assert.ok(!result.started);
    assert.match(result.error, says);
  });

test('an abort before the start starts nothing', async () => {
  const file = place('never');
  const result = await run(node(tellPid(file)), { signal: AbortSignal.abort() });
  assert.deepEqual(result, { started: false, error: 'cancelled before start' });
  assert.equal(existsSync(file), false);
});

/** Aborts a command when the processes that it names in files are there; all of them must have ended with it. */
async function aborted(command: ProcessRequest['command'], files: readonly string[], reason: unknown) {
  const controller = new AbortController();
  const running = runToEnd(command, { signal: controller.signal });
  const pids: number[] = [];
  for (const file of files) pids.push(await pidIn(file));
  for (const pid of pids) assert.ok(await isRunning(pid));
  controller.abort(reason);
  const result = await running;
  for (const pid of pids) await ended(pid);
  return result;
}

test('C25 the time is up: the shell, its child and what that would do later', onPosix, async () => {
  const [late, pid] = [place('LATE'), place('pid')];
  const command = `sh -c 'echo $$ >${pid}; sleep 3; touch ${late}' & echo started; wait`;
  const { end, stdout, rest } = await aborted(command, [pid], timeUp());
  assert.deepEqual(end, { kind: 'timeout' });
  assert.equal(stdout.text, 'started\n');
  assert.equal(rest, 'ended');
  assert.equal(existsSync(late), false);
});

const stubborn = `process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); process.on('SIGINT', () => {});`;
const spawning = (code: string, options: string) =>
  `require('child_process').spawn(process.execPath, [${JSON.stringify(script(code))}], ${options})`;

const trees: Readonly<Record<string, (own: string, child: string) => string>> = {
  'ignores SIGTERM, as does its child': (own, child) =>
    `${stubborn} ${spawning(stubborn + tellPid(child) + forever, `{ stdio: 'inherit' }`)}; ${tellPid(own)} ${forever}`,
  'ends politely, its child does not': (own, child) =>
    `${spawning(stubborn + tellPid(child) + forever, `{ stdio: 'inherit' }`)}; ${tellPid(own)} ${forever}`,
  'has a child that holds no pipe': (own, child) =>
    `${spawning(tellPid(child) + forever, `{ stdio: 'ignore' }`)}; ${tellPid(own)} ${forever}`,
  'has a child in a session of its own': (own, child) =>
    `${spawning(stubborn + tellPid(child) + forever, `{ stdio: 'inherit', detached: true }`)}; ${tellPid(own)} ${forever}`,
  'never gives its event loop back': (own, child) =>
    `${spawning(tellPid(child) + 'for (;;);', `{ stdio: 'inherit' }`)}; ${tellPid(own)} for (;;);`,
};
for (const [what, code] of Object.entries(trees))
  test(`C25 an abort ends a command that ${what}`, onPosix, async () => {
    const [own, child] = [place('own'), place('child')];
    const { end, rest } = await aborted(node(code(own, child)), [own, child], new Error('by the user'));
    assert.deepEqual(end, { kind: 'cancelled' });
    assert.equal(rest, 'ended');
  });

const onLinux = { skip: process.platform !== 'linux' };
for (const [what, leaves] of [
  ['a double fork into a session of its own', (code: string) => `(setsid sh -c '${code}' &)`],
  [
    'a double fork that holds no pipe',
    (code: string) => `(setsid sh -c '${code}' >/dev/null 2>&1 </dev/null &)`,
  ],
  ['nohup in the background of the background', (code: string) => `(nohup setsid sh -c '${code}' &) &`],
] as const)
  test(`C25 the time is up: ${what} ends too`, onLinux, async () => {
    const [late, pid] = [place('LATE'), place('pid')];
    const code = `trap "" TERM; echo $$ >${pid}; while :; do sleep 0.2; echo >${late}; done`;
    const { end, rest } = await aborted(`${leaves(code)}\nsleep 100`, [pid], timeUp());
    assert.deepEqual([end.kind, rest], ['timeout', 'ended']);
  });

test('C25 an abort when the command has all but ended still finds what it left', onLinux, async () => {
  const pid = place('pid');
  // The shell is gone by then: only a daemon is left of it, and holds the pipes.
  const command = `exec 2>&1; (setsid sh -c 'echo $$ >${pid}; exec sleep 100' &); kill -STOP $$`;
  const { rest } = await aborted(command, [pid], timeUp());
  assert.equal(rest, 'ended');
});

test('C25 a child that goes on, and holds the pipes, when the command has ended', onPosix, async () => {
  const file = place('child');
  const code = `${spawning(stubborn + tellPid(file) + forever, `{ stdio: 'inherit' }`)}.unref();
    const wait = () => require('fs').existsSync(${JSON.stringify(file)}) ? process.exit(0) : setTimeout(wait, 5);
    console.log('ready'); wait();`;
  const { end, stdout, rest } = await runToEnd(node(code));
  assert.deepEqual([end, stdout.text, rest], [{ kind: 'exit', code: 0 }, 'ready\n', 'ended']);
  await ended(await pidIn(file));
});

test('C25 a job of the shell that holds no pipe ends with it', onPosix, async () => {
  const file = place('job');
  const { rest } = await runToEnd(
    `sh -c 'echo $$ >${file}; exec sleep 100' >/dev/null 2>&1 & while ! [ -s ${file} ]; do :; done`,
  );
  assert.equal(rest, 'ended');
  await ended(await pidIn(file));
});

test('C25 a daemon that holds the pipes is not waited for', onPosix, async () => {
  const file = place('daemon');
  const code = `${spawning(tellPid(file) + forever, `{ stdio: 'inherit', detached: true }`)}.unref();
    const wait = () => require('fs').existsSync(${JSON.stringify(file)}) ? process.exit(0) : setTimeout(wait, 5);
    wait();`;
  const { end } = await runToEnd(node(code));
  assert.deepEqual(end, { kind: 'exit', code: 0 });
  const pid = await pidIn(file);
  assert.ok(await isRunning(pid), 'who makes a session of its own means to stay');
  process.kill(pid, 'SIGKILL');
  await ended(pid);
});

const host = fileURLToPath(new URL('./host.ts', import.meta.url));
for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(`C25 no orphan when the process that runs it ends by ${signal}`, onPosix, async () => {
    const [own, child] = [place('own'), place('child')];
    const code = `${stubborn} ${spawning(stubborn + tellPid(child) + forever, `{ stdio: 'inherit' }`)}; ${tellPid(own)} ${forever}`;
    const running = spawn(process.execPath, ['--import', 'tsx', host, ...node(code)], { stdio: 'inherit' });
    const gone = new Promise((resolve) => running.once('exit', (_, by) => resolve(by)));
    const pids = [await pidIn(own), await pidIn(child)];
    running.kill(signal);
    assert.equal(await gone, signal);
    for (const pid of pids) await ended(pid);
  });

test('on Windows a tree is ended by the system, by its full path', () => {
  assert.deepEqual(taskkill(42, { SystemRoot: 'D:\\Win' }), [
    'D:\\Win\\System32\\taskkill.exe',
    ['/PID', '42', '/T', '/F'],
  ]);
  assert.equal(taskkill(42, {})[0], 'C:\\Windows\\System32\\taskkill.exe');
});

test('nothing is left of a command that has ended: no guard, no listener', onPosix, async () => {
  const children = async () =>
    (await processList()).filter((one) => one.parent === process.pid && !one.isZombie).length;
  const before = await children();
  const { signal } = new AbortController();
  await runToEnd(node(''), { signal });
  await until('the guard has ended', async () => (await children()) <= before);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});
