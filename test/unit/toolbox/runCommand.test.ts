import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { createRunCommand } from '../../../src/toolbox/runCommand.ts';
import { ended, pidIn } from './process/living.ts';
import { temporaryTree } from './temporaryTree.ts';
import { toolContext } from './toolContext.ts';

const env = { PATH: process.env['PATH'] };
const node = JSON.stringify(process.execPath);
/** A shell line that runs a script. */
const script = (text: string) => `${node} -e ${JSON.stringify(text)}`;
const onPosix = { skip: process.platform === 'win32' };

function commandsIn(root: string) {
  const shown: string[] = [];
  const tool = createRunCommand(env, (line, folder) => {
    shown.push(`${folder}> ${line}`);
    return { write: (text) => shown.push(text), end: (words) => shown.push(`[${words}]`) };
  });
  const box = createToolbox([tool]);
  const workspace = createFolderWorkspace(root);
  const run = async (input: Record<string, unknown>, signal = new AbortController().signal) => {
    const call = { name: 'run_command', arguments: JSON.stringify(input) };
    const { outcome, observation } = await box.perform(call, toolContext({ workspace, signal }));
    return { outcome, said: observation.success ? observation.data : observation.error };
  };
  return { run, shown, tool };
}

test('run_command: both streams and the exit code, in the folder that is named, shown as it comes', async (t) => {
  const root = await temporaryTree(t, { 'sub/x.txt': '' });
  const { run, shown, tool } = commandsIn(root);
  assert.deepEqual([tool.spec.effects, tool.spec.command], ['outside', true]);
  const line = script("console.log(process.cwd()); console.error('beside')");
  assert.deepEqual(await run({ command: line, folder: 'sub' }), {
    outcome: 'ok',
    said: { exit: 0, stdout: `${join(root, 'sub')}\n`, stderr: 'beside\n' },
  });
  assert.equal(shown[0], `${join(root, 'sub')}> ${line}`);
  assert.equal(shown.at(-1), '[exit code 0]');
  assert.ok(shown.join('').includes('beside') && shown.join('').includes(root));
  const failed = await run({ command: script("console.log('1 failing'); process.exitCode = 3") });
  assert.deepEqual(failed, { outcome: 'error', said: 'exit code 3\nstdout: 1 failing\nstderr: no output' });
});

test(
  'run_command: a signal is told, stdin is at its end, and the environment is what it was given',
  onPosix,
  async (t) => {
    const { run } = commandsIn(await temporaryTree(t, {}));
    assert.match(String((await run({ command: 'kill -9 $$' })).said), /ended by the signal SIGKILL/);
    assert.deepEqual((await run({ command: 'cat; echo "[$HOME$OPENAI_API_KEY]"' })).said, {
      exit: 0,
      stdout: '[]\n',
      stderr: '',
    });
  },
);

test('C32 a command runs nowhere but in the workspace', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': '' });
  symlinkSync(tmpdir(), join(root, 'out'));
  const { run, shown } = commandsIn(root);
  for (const folder of ['..', '/', 'out', 'out/x', 'none', 'a.txt', 'file:///', 'C:\\', 'a\0b']) {
    const { outcome, said } = await run({ command: 'echo x', folder });
    assert.equal(outcome, 'error', folder);
    assert.match(String(said), /^nothing was run: /, folder);
  }
  assert.deepEqual(shown, []);
});

test('C25 its time is up, or the run is cancelled: all that it started has ended', onPosix, async (t) => {
  const root = await temporaryTree(t, {});
  const { run } = commandsIn(root);
  const pidFile = join(root, 'pid');
  const endless = script(
    `require('fs').writeFileSync('pid', process.pid + '\\n'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`,
  );
  // The shell alone: it has written the file long before the time is up, however busy the machine is.
  const late = await run({ command: `trap '' TERM; sleep 1000 & echo $! > pid; wait`, timeout: 1 });
  assert.equal(late.outcome, 'timeout');
  assert.match(
    String(late.said),
    /timed out after 1 s.*the command was ended, with all that it had started/s,
  );
  await ended(await pidIn(pidFile));
  rmSync(pidFile, { force: true });
  const controller = new AbortController();
  const running = run({ command: `${endless} & echo started; wait` }, controller.signal);
  const pid = await pidIn(pidFile);
  controller.abort();
  assert.equal((await running).outcome, 'cancelled');
  await ended(pid);
});

test('an output without end is bounded, and what is left out is told', onPosix, async (t) => {
  const { run } = commandsIn(await temporaryTree(t, {}));
  const { said } = await run({ command: script("process.stdout.write('x'.repeat(5_000_000))") });
  const { stdout } = said as { stdout: string };
  assert.ok(stdout.length < 300_000);
  assert.match(stdout, /bytes left out/);
});

test('arguments that are no command are refused before anything runs', async (t) => {
  const { run } = commandsIn(await temporaryTree(t, {}));
  for (const input of [
    {},
    { command: ' ' },
    { command: 'x', timeout: 0 },
    { command: 'x', timeout: 601 },
    { command: ['ls'] },
  ])
    assert.equal((await run(input)).outcome, 'invalid', JSON.stringify(input));
});
