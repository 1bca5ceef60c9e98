import assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Observation } from '../../../src/core/messages.ts';
import { builtinTools, programTools } from '../../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { definedTasks } from '../../../src/toolbox/tasks/definedTasks.ts';
import { packageScripts } from '../../../src/toolbox/tasks/packageScripts.ts';
import { quoteForShell } from '../../../src/toolbox/tasks/quoteForShell.ts';
import { temporaryTree } from './temporaryTree.ts';
import { toolContext } from './toolContext.ts';

const skip = process.platform === 'win32' ? 'the commands are for sh' : false;
const env = { PATH: process.env['PATH'], WHO: 'me' };
const shown: string[] = [];
const show = (line: string, folder: string) => {
  shown.push(`${folder}> ${line}`);
  return { write: () => undefined, end: () => undefined };
};
const box = createToolbox([...builtinTools, ...programTools({ env, show })]);

async function call(root: string, name: string, input: object): Promise<Observation> {
  const context = toolContext({ workspace: createFolderWorkspace(root) });
  return (await box.perform({ name, arguments: JSON.stringify(input) }, context)).observation;
}

async function problem(root: string, input: object): Promise<string> {
  const result = await call(root, 'run_task', input);
  assert.ok(!result.success, JSON.stringify(result));
  return result.error;
}

async function run(root: string, input: object): Promise<{ exit: number; stdout: string; stderr: string }> {
  const result = await call(root, 'run_task', input);
  assert.ok(result.success, result.success ? '' : result.error);
  return result.data as { exit: number; stdout: string; stderr: string };
}

const manifest = JSON.stringify({ scripts: { test: 'echo tested', 'odd; touch evil': 'echo odd', bad: 7 } });
const definitions = `\ufeff{
  // as people write it
  "version": "2.0.0",
  "options": { "env": { "COMMON": "c" } },
  "tasks": [
    { "label": "say", "type": "shell", "command": "echo", "args": ["one two", "$WHO", { "value": "$WHO", "quoting": "strong" }, "it's"] },
    { "label": "line", "command": "echo \${workspaceFolderBasename} && pwd", "options": { "cwd": "\${workspaceFolder}/sub" }, "group": { "kind": "build", "isDefault": true } },
    { "label": "process", "type": "process", "command": "printf", "args": ["%s|", "a b", "$WHO", "; touch evil"] },
    { "label": "env", "command": "echo $COMMON $OWN \${env:WHO}", "options": { "env": { "OWN": "o" } } },
    { "label": "system", "command": "exit 9", "linux": { "command": "echo here" }, "osx": { "command": "echo here" } },
    { "label": "fails", "command": "echo out; echo err >&2; exit 3", "detail": "It fails." },
    { "label": "watch", "command": "sleep 100", "isBackground": true },
    { "label": "asks", "command": "echo \${input:what}" },
    { "label": "all", "dependsOn": ["say"] },
    { "label": "gulp", "type": "gulp", "task": "x" },
    { "label": "out", "command": "pwd", "options": { "cwd": "/" } },
    { "label": "up", "command": "pwd", "options": { "cwd": "\${workspaceFolder}/.." } },
    { "label": "link", "command": "pwd", "options": { "cwd": "link" } },
    { "label": "long", "command": "sleep 100" },
    { "label": "broken", "command": { "no": 1 } },
    { "command": 3 }, 7,
  ],
}`;

const tree = (t: Parameters<typeof temporaryTree>[0]) =>
  temporaryTree(t, { 'package.json': manifest, '.vscode/tasks.json': definitions, 'sub/': '' });

test('the tasks of a folder: those of its files, with why one can not be run', async (t) => {
  const result = await call(await tree(t), 'list_tasks', {});
  assert.ok(result.success);
  const { tasks, more } = result.data as { tasks: readonly Record<string, string>[]; more: boolean };
  assert.equal(more, false);
  const find = (name: string) => tasks.find(({ task }) => task === name);
  assert.deepEqual(find('npm: test'), { task: 'npm: test', command: 'npm run test', detail: 'echo tested' });
  assert.equal(find('npm: bad'), undefined);
  assert.equal(find('line')?.['group'], 'build');
  assert.deepEqual(find('fails'), {
    task: 'fails',
    detail: 'It fails.',
    command: 'echo out; echo err >&2; exit 3',
  });
  assert.equal(find('env')?.['command'], 'echo $COMMON $OWN ${env:WHO}');
  assert.match(find('watch')?.['problem'] ?? '', /does not end/);
  assert.match(find('asks')?.['problem'] ?? '', /\$\{input:what\}.*only VS Code/);
  assert.match(find('all')?.['problem'] ?? '', /other tasks/);
  assert.match(find('gulp')?.['problem'] ?? '', /extension.*"gulp"/);
  assert.match(find('broken')?.['problem'] ?? '', /not right/);
});

test(
  'they run as they are defined: words stay words, the shell reads what is for it',
  { skip },
  async (t) => {
    const root = await tree(t);
    assert.equal((await run(root, { task: 'say' })).stdout, "one two me $WHO it's\n");
    assert.equal((await run(root, { task: 'process' })).stdout, 'a b|$WHO|; touch evil|');
    assert.equal((await run(root, { task: 'env' })).stdout, 'c o me\n');
    assert.equal((await run(root, { task: 'system' })).stdout, 'here\n');
    assert.match((await run(root, { task: 'line' })).stdout, /^loopscope-tree-\w+\n.*\/sub\n$/);
    assert.match((await run(root, { task: 'npm: test' })).stdout, /tested/);
    assert.match((await run(root, { task: 'npm: odd; touch evil' })).stdout, /odd/);
    assert.ok(!(await fs.readdir(root)).includes('evil'));
    assert.ok(shown.includes(`${root}> npm run test`));
  },
);

test('a failure says how it ended, and both streams', { skip }, async (t) => {
  const root = await tree(t);
  assert.equal(await problem(root, { task: 'fails' }), 'exit code 3\nstdout: out\nstderr: err');
  const began = performance.now();
  assert.match(await problem(root, { task: 'long', timeout: 0.2 }), /^timed out after 0\.2 s.*was ended/s);
  assert.ok(performance.now() - began < 5000);
});

test('what can not be run is not, and says why', async (t) => {
  const root = await tree(t);
  await fs.symlink('/', join(root, 'link'));
  assert.match(await problem(root, { task: 'watch' }), /"watch" was not run: it runs in the background/);
  assert.match(await problem(root, { task: 'asks' }), /"asks" was not run/);
  for (const task of ['out', 'up', 'link'])
    assert.match(await problem(root, { task }), /leads out|absolute/, task);
  assert.match(
    await problem(root, { task: 'proces' }),
    /no task "proces"\. Did you mean "process".*\? There are: "say", "line"/,
  );
  assert.match(await problem(root, { task: 'say', folder: 'x' }), /no task "say" in the folder "x"/);
  const empty = await temporaryTree(t, {});
  assert.match(await problem(empty, { task: 'x' }), /there are no tasks here/);
  const result = await call(empty, 'list_tasks', {});
  assert.deepEqual(result.success && result.data, {
    tasks: [],
    more: false,
    note: 'no task is defined here',
  });
});

test('two tasks of one name are none', async (t) => {
  const tasks = JSON.stringify({ tasks: [1, 2].map((n) => ({ label: 'twice', command: `echo ${n}` })) });
  const root = await temporaryTree(t, { '.vscode/tasks.json': tasks });
  assert.match(await problem(root, { task: 'twice' }), /there are 2 tasks "twice": nothing was run/);
});

test('definitions that are not right at all are no tasks, and break nothing', () => {
  const variables = { workspaceFolder: '/w', userHome: '/h', env: {} };
  for (const text of ['', '{', '[]', 'null', '{"tasks":{}}', '{"tasks":[null,[],{}]}', '\0']) {
    assert.doesNotThrow(() => definedTasks(text, variables), text);
    assert.deepEqual(packageScripts(text, 'npm'), [], text);
  }
  const windows = definedTasks(
    '{"tasks":[{"label":"a","command":"x","args":["a b"],"windows":{"command":"y"}}]}',
    variables,
    'win32',
  );
  assert.equal(windows[0]?.command, 'y "a b"');
});

test('one word for the shell stays one', () => {
  assert.equal(quoteForShell('plain-1.0', 'linux'), 'plain-1.0');
  assert.equal(quoteForShell("it's $(x)", 'linux'), String.raw`'it'\''s $(x)'`);
  assert.equal(quoteForShell('', 'linux'), "''");
  assert.equal(quoteForShell('a "b" & %PATH%', 'win32'), '"a ""b"" & "^%"PATH"^%""');
});

test('the lock file says which program runs scripts', async (t) => {
  const root = await temporaryTree(t, { 'package.json': manifest, 'pnpm-lock.yaml': '' });
  const result = await call(root, 'list_tasks', {});
  assert.match(JSON.stringify(result), /"command":"pnpm run test"/);
});
