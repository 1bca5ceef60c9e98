/** Command tools through the toolbox, with real processes. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import type { CommandToolConfig } from '../../../src/core/config.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { defineCommandTool } from '../../../src/toolbox/defineCommandTool.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { ended, pidIn } from './process/living.ts';
import { toolContext } from './toolContext.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'command-tool-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const workspace = createFolderWorkspace(folder);
const onPosix = { skip: process.platform === 'win32' };
let count = 0;

function tool(code: string, parts: Partial<CommandToolConfig> = {}) {
  const file = path.join(folder, `${count++}.cjs`);
  writeFileSync(file, code);
  const config: CommandToolConfig = {
    name: 'mine',
    description: 'A tool of mine.',
    parameters: {
      type: 'object',
      properties: { a: { type: 'string' }, n: { type: 'integer' } },
      required: ['a'],
    },
    command: [process.execPath, file],
    effects: 'none',
    ...parts,
  };
  return createToolbox([defineCommandTool(config, { PATH: process.env['PATH'], GIVEN: 'yes' })]);
}
const perform = (
  toolbox: ReturnType<typeof tool>,
  input: unknown,
  context: Parameters<typeof toolContext>[0] = {},
) =>
  toolbox.perform({ name: 'mine', arguments: JSON.stringify(input) }, toolContext({ workspace, ...context }));

const echo = `let text = '';
  process.stdin.on('data', (data) => (text += data)).on('end', () =>
    console.log(JSON.stringify({ input: JSON.parse(text), cwd: process.cwd(), given: process.env.GIVEN, home: process.env.HOME })));`;

test('arguments come as JSON on stdin, in the workspace folder, with the environment that was given', async () => {
  const input = { a: 'é "quoted" $(pwd) \n', n: 5, other: [null] };
  const { outcome, observation } = await perform(tool(echo), input);
  assert.equal(outcome, 'ok');
  assert.deepEqual(observation, { success: true, data: { input, cwd: folder, given: 'yes' } });
});

test('a line for the shell gets the same', onPosix, async () => {
  const { observation } = await perform(tool('', { command: 'cat | tr a-z A-Z' }), { a: 'x' });
  assert.deepEqual(observation, { success: true, data: { A: 'X' } });
});

test('arguments are checked by the schema, and nothing runs that does not pass', async () => {
  const mark = path.join(folder, 'ran');
  const strict = {
    type: 'object',
    properties: {
      a: { $ref: '#/$defs/short' },
      list: { type: 'array', items: { type: 'object', required: ['x'] } },
      // Where only one part of a schema is understood, what does not pass would run.
      b: { if: { type: 'string' }, then: { minLength: 3 } },
    },
    required: ['a', 'later'],
    additionalProperties: { not: { type: 'boolean' } },
    $defs: { short: { type: 'string', maxLength: 3 } },
  };
  const toolbox = tool(`require('fs').writeFileSync(${JSON.stringify(mark)}, '')`, { parameters: strict });
  const { outcome, observation } = await perform(toolbox, { a: 'long', list: [{}], b: 'x', extra: true });
  assert.equal(outcome, 'invalid');
  const error = observation.success ? '' : observation.error;
  for (const words of [
    /required property "later"/,
    /a: String is too long/,
    /list\.0: .*required property "x"/,
    /b: String is too short/,
    /"extra" does not match additional/,
  ])
    assert.match(error, words);
  assert.match(error, /Nothing was executed/);
  assert.equal(existsSync(mark), false);
  assert.equal((await perform(toolbox, { a: 'ok', later: 1 })).outcome, 'ok');
  assert.equal(existsSync(mark), true);
});

test('a schema that leads round in circles takes nothing, and throws nothing', async () => {
  const parameters = {
    type: 'object',
    properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } },
  };
  const { outcome, observation } = await perform(tool('', { parameters }), { a: 1 });
  assert.equal(outcome, 'invalid');
  assert.match(observation.success ? '' : observation.error, /could not be checked/);
});

test('a definition that no provider takes is refused by its name', () => {
  const wrong: readonly (readonly [Partial<CommandToolConfig>, RegExp])[] = [
    [{ name: '' }, /its name is empty/],
    [{ parameters: { type: 'string' } }, /its input must be an object/],
    [
      { parameters: { type: 'object', properties: { a: { type: 'text' } } } },
      /\/properties\/a has the "type" "text"/,
    ],
    [
      { parameters: { type: 'object', properties: { a: { pattern: '(' } } } },
      /"pattern" that is no regular expr/,
    ],
    [
      { parameters: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } },
      /"\$ref" to "#\/\$defs\/none"/,
    ],
    [
      { parameters: { type: 'object', properties: { a: { $ref: 'https://x.test/s' } } } },
      /"\$ref" to "https/,
    ],
  ];
  for (const [parts, words] of wrong) assert.throws(() => tool('', parts), words);
  // A parameter may be called as a keyword is.
  const named = { type: 'object', properties: { type: { type: 'string' }, pattern: { type: 'string' } } };
  assert.doesNotThrow(() => tool('', { parameters: named }));
});

test('an exit code, a signal and a command that is not there are failures', async () => {
  const code = await perform(tool(`console.error('line 1\\nno luck'); process.exitCode = 2`), { a: '' });
  assert.deepEqual(
    [code.outcome, code.observation],
    ['error', { success: false, error: 'exit code 2\nstdout: no output\nstderr: line 1\nno luck' }],
  );
  const gone = await perform(tool('', { command: ['/nowhere/none'] }), { a: '' });
  assert.deepEqual(
    [gone.outcome, gone.observation],
    [
      'error',
      { success: false, error: 'could not be started: there is no program "/nowhere/none" (ENOENT)' },
    ],
  );
});

test('without a folder on disk nothing runs, and the reason is told', async () => {
  const nowhere = {
    ...workspace,
    folder: () => ({ ok: false, error: 'this workspace is virtual' }) as const,
  };
  const { observation } = await perform(tool(echo), { a: '' }, { workspace: nowhere });
  assert.deepEqual(observation, { success: false, error: 'nothing was run: this workspace is virtual' });
});

const talking = (pid: string) =>
  `process.on('SIGTERM', () => {});
  console.log('so far');
  require('fs').writeFileSync(${JSON.stringify(pid)}, process.pid + '\\n');
  setInterval(() => {}, 1000);`;

test('C25 its time is up: one answer, with the output so far, when the tree has ended', onPosix, async () => {
  const pid = path.join(folder, 'late.pid');
  const { outcome, observation } = await perform(tool(talking(pid), { timeout: 2 }), { a: '' });
  assert.equal(outcome, 'timeout');
  assert.match(
    observation.success ? '' : observation.error,
    /^timed out after 2 s while running, effects unknown: the command was ended, with all that it had started\nstdout: /,
  );
  if (existsSync(pid)) await ended(await pidIn(pid));
});

test('C25 the user cancels: the answer waits until the tree has ended', onPosix, async () => {
  const pid = path.join(folder, 'cancelled.pid');
  const controller = new AbortController();
  const running = perform(tool(talking(pid)), { a: '' }, { signal: controller.signal });
  const id = await pidIn(pid);
  controller.abort();
  const { outcome, observation } = await running;
  await ended(id);
  assert.equal(outcome, 'cancelled');
  assert.deepEqual(observation, {
    success: false,
    error:
      'cancelled while running, effects unknown: the command was ended, with all that it had started\n' +
      'stdout: so far\nstderr: no output',
  });
});

test(
  'nothing of the arguments reaches the line that is run: what they hold stays text',
  onPosix,
  async () => {
    const command = 'printf %s "$a" && cat > /dev/null; echo " {a} ${a} $1 done"';
    const { observation } = await perform(tool('', { command }), { a: '$(touch stolen); `touch stolen`' });
    assert.deepEqual(observation, { success: true, data: ' {a}   done' });
    assert.equal(existsSync(path.join(folder, 'stolen')), false);
  },
);

test('a megabyte goes in and comes out, without a line end; what is no UTF-8 is told as such', async () => {
  const long = 'é'.repeat(500_000);
  const size = tool(`let n = 0; process.stdin.on('data', (data) => (n += data.length)).on('end', () =>
    process.stdout.write(String(n)));`);
  const sent = Buffer.byteLength(JSON.stringify({ a: long })) + 1;
  assert.deepEqual((await perform(size, { a: long })).observation, { success: true, data: sent });
  const raw = tool(
    `process.stdin.resume(); process.stdout.write(Buffer.from([0x61, 0xff, 0x62, 0xe2, 0x82]));`,
  );
  assert.deepEqual((await perform(raw, { a: '' })).observation, { success: true, data: 'a\ufffdb\ufffd' });
  const unread = tool(`process.stdin.destroy(); process.stdout.write('done', () => process.exit(0));`);
  assert.deepEqual((await perform(unread, { a: long })).observation, { success: true, data: 'done' });
});
