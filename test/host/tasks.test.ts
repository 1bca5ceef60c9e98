/** VS Code's tasks: listed, run to their end, ended. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { OLDEST } from '../hosts/versions.mjs';
import { at, call, write } from './editorCalls.ts';
import { eventually } from './ownAgent.ts';
import { pretend } from './pretend.ts';

interface Tasks {
  readonly tasks: readonly {
    readonly task: string;
    readonly folder?: string;
    readonly command?: string;
    readonly problem?: string;
  }[];
}

/** A task of an extension's own making that writes, and ends with this code, or does not end. */
function pretendTask(name: string, code: number | undefined, isBackground = false): vscode.Task {
  const scope = vscode.workspace.workspaceFolders?.[0] ?? assert.fail();
  const execution = new vscode.CustomExecution(async () => {
    const wrote = new vscode.EventEmitter<string>();
    const closed = new vscode.EventEmitter<number>();
    return {
      onDidWrite: wrote.event,
      onDidClose: closed.event,
      open() {
        wrote.fire('words\r\n');
        if (code !== undefined) closed.fire(code);
      },
      close: () => undefined,
    };
  });
  const task = new vscode.Task({ type: 'loopscopetest', name }, scope, name, 'pretended', execution, []);
  task.isBackground = isBackground;
  task.detail = 'of the test';
  return task;
}

describe('tasks', () => {
  const collection = vscode.languages.createDiagnosticCollection('pretended');
  let provider: vscode.Disposable;
  before(() => {
    provider = vscode.tasks.registerTaskProvider('loopscopetest', {
      provideTasks: () => [
        pretendTask('good', 0),
        pretendTask('bad', 3),
        pretendTask('endless', undefined),
        pretendTask('watch', undefined, true),
      ],
      resolveTask: () => undefined,
    });
  });
  after(() => {
    provider.dispose();
    collection.dispose();
  });

  it('are listed: what extensions find and what package.json has, and which of them do not end', async () => {
    await write(
      at('package.json'),
      JSON.stringify({ name: 'day', private: true, type: 'module', scripts: { hello: 'echo hello' } }),
    );
    // The extension for npm looks at the file again when it hears of its change.
    const { tasks } = await eventually(async () => {
      const listed = await call<Tasks>('list_tasks', {});
      return listed.tasks.some(({ task }) => task === 'npm: hello') ? listed : undefined;
    });
    const find = (name: string) => tasks.find(({ task }) => task === name);
    assert.deepEqual(find('pretended: good'), { task: 'pretended: good', detail: 'of the test' });
    assert.match(find('pretended: watch')?.problem ?? '', /does not end/);
    assert.match(find('npm: hello')?.command ?? '', /npm.*hello/, JSON.stringify(tasks));
    assert.deepEqual(
      tasks.map(({ task }) => task),
      tasks.map(({ task }) => task).sort(),
    );
  }).timeout(30_000);

  it('of several folders are told apart by their folder', async () => {
    const real = vscode.workspace.workspaceFolders?.[0] ?? assert.fail();
    const pretence = await pretend('workspace', 'workspaceFolders', [
      { uri: real.uri, name: 'day', index: 0 },
      { uri: at('notes'), name: 'notes', index: 1 },
    ]);
    try {
      const { tasks } = await call<Tasks>('list_tasks', {});
      assert.ok(tasks.some(({ task, folder }) => task === 'pretended: good' && folder === 'day'));
      const wanted = { task: 'pretended: good', folder: 'notes' };
      assert.match(await call('run_task', wanted), /no task "pretended: good" in the folder "notes"/);
      assert.match(JSON.stringify(await call('run_task', { ...wanted, folder: 'day' })), /"exit":0/);
    } finally {
      pretence.dispose();
    }
  }).timeout(30_000);

  it('run to their end: the exit code, and that the output is in the terminal', async () => {
    const done = await call<{ exit: number; note: string }>('run_task', { task: 'pretended: good' });
    assert.equal(done.exit, 0, JSON.stringify(done));
    assert.match(done.note, /in its terminal/);
    assert.match(await call('run_task', { task: 'pretended: bad' }), /^exit code 3; what it wrote/);
    assert.match(await call('run_task', { task: 'pretended: watch' }), /was not run: .*background/);
    assert.match(await call('run_task', { task: 'pretended: god' }), /Did you mean "pretended: good"/);
  }).timeout(30_000);

  it('a script in a real terminal', async function () {
    // The older server build comes without the module that terminals need.
    if (process.env['LOOPSCOPE_VSCODE'] === OLDEST) this.skip();
    const done = await call<{ exit: number }>('run_task', { task: 'npm: hello' });
    assert.equal(done.exit, 0, JSON.stringify(done));
  }).timeout(60_000);

  it('problems that were found while it ran come with it', async () => {
    const uri = at('problem.txt');
    await write(uri, 'x\n');
    const started = vscode.tasks.onDidStartTask(() => {
      collection.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'found by the task')]);
    });
    try {
      assert.match(
        await call('run_task', { task: 'pretended: bad' }),
        /\nproblem\.txt:1:1 error: found by the task$/,
      );
    } finally {
      started.dispose();
      collection.clear();
    }
  }).timeout(30_000);

  it('one that does not end is ended, and is not started twice', async () => {
    const controller = new AbortController();
    const begun = new Promise<void>((resolve) => {
      const registration = vscode.tasks.onDidStartTask(() => {
        registration.dispose();
        resolve();
      });
    });
    const running = call<string>('run_task', { task: 'pretended: endless', timeout: 600 }, controller.signal);
    await begun;
    assert.match(await call('run_task', { task: 'pretended: endless' }), /running already/);
    controller.abort();
    assert.match(await running, /cancelled while running.*had not ended and was ended/s);
    assert.equal(vscode.tasks.taskExecutions.length, 0);
  }).timeout(60_000);
});
