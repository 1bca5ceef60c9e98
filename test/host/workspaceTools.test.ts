/** What tools learn from VS Code's own services: symbols, versions, tasks. In one folder, several, and none on disk. */
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { createDiagnosticsWatch } from '../../src/entry/vscode/diagnosticsWatch.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { workspaceServices } from '../../src/entry/vscode/workspaceServices.ts';
import { builtinTools, editorTools, programTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { OLDEST } from '../hosts/versions.mjs';
import { toolContext } from '../unit/toolbox/toolContext.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { eventually } from './ownAgent.ts';
import { pretend } from './pretend.ts';

const box = createToolbox([...builtinTools, ...editorTools, ...programTools({ env: process.env })]);
const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
const at = (path: string) => vscode.Uri.joinPath(top, path);
const write = (uri: vscode.Uri, text: string) =>
  vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'utf8'));

const watch = createDiagnosticsWatch(vscode);
after(() => watch.dispose());

async function call<T>(name: string, input: object, signal?: AbortSignal): Promise<T> {
  const workspace = createEditorWorkspace(vscode, undefined, workspaceServices(watch));
  const context = toolContext({ workspace, ...(signal ? { signal } : {}) });
  const { observation } = await box.perform({ name, arguments: JSON.stringify(input) }, context);
  return (observation.success ? observation.data : observation.error) as T;
}

const git = (folder: vscode.Uri, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder.fsPath,
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** Several folders of the demo's, as if they were the workspace. */
async function folders(...names: readonly string[]): Promise<vscode.Disposable> {
  for (const name of names) await vscode.workspace.fs.createDirectory(at(name));
  return pretend(
    'workspace',
    'workspaceFolders',
    names.map((name, index) => ({ uri: at(name), name: name.split('/').at(-1) ?? '', index })),
  );
}

interface Symbols {
  readonly symbols: readonly { readonly name: string; readonly path: string; readonly line: number }[];
  readonly note?: string;
  readonly outside_workspace?: number;
}

interface References {
  readonly references: readonly object[];
  readonly note?: string;
  readonly outside_workspace?: number;
}

describe('symbols and references', () => {
  it('of JavaScript, by the service that VS Code ships, also in a window where nothing was opened', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await write(at('symbols/shop.js'), 'export function priceOfBasket(items) {\n  return items.length;\n}\n');
    await write(
      at('symbols/use.js'),
      "import { priceOfBasket } from './shop.js';\n\nexport const two = priceOfBasket([1, 2]);\n",
    );
    const cold = await call<Symbols>('find_symbols', { name: 'priceOfBasket' });
    assert.deepEqual(
      cold.symbols.filter(({ path }) => path === 'symbols/shop.js').map(({ name, line }) => [name, line]),
      [['priceOfBasket', 1]],
      JSON.stringify(cold),
    );
    const found = await call<References>('find_references', {
      path: 'symbols/use.js',
      line: 3,
      symbol: 'priceOfBasket',
    });
    assert.deepEqual(found.references, [
      { path: 'symbols/shop.js', line: 1, column: 17, text: 'export function priceOfBasket(items) {' },
      { path: 'symbols/use.js', line: 1, column: 10, text: "import { priceOfBasket } from './shop.js';" },
      { path: 'symbols/use.js', line: 3, column: 20, text: 'export const two = priceOfBasket([1, 2]);' },
    ]);
  }).timeout(60_000);

  it('of one file: all of them in order with what they are a part of, or those of a name', async () => {
    await write(
      at('symbols/plant.json'),
      JSON.stringify({ plants: { fern: { water: 3 } }, place: 'window' }, undefined, 2),
    );
    const all = await call<Symbols>('find_symbols', { path: 'symbols/plant.json' });
    assert.deepEqual(
      all.symbols.map(({ name, line }) => [name, line]),
      [
        ['plants', 2],
        ['fern', 3],
        ['water', 4],
        ['place', 7],
      ],
    );
    const some = await call<Symbols>('find_symbols', { path: 'symbols/plant.json', name: 'fer' });
    assert.match(JSON.stringify(some.symbols), /"name":"fern".*"end":5,"container":"plants"/);
    const none = await call<Symbols>('find_symbols', { path: 'symbols/plant.json', name: 'zebra' });
    assert.deepEqual(none.symbols, []);
    assert.match(none.note ?? '', /none of that name/);
  }).timeout(30_000);

  it('where nobody answers it is not told as a fact; what leads out, or does not stand there, is refused', async () => {
    await write(at('symbols/quiet.txt'), 'quiet words\n');
    const silent = await call<Symbols>('find_symbols', { path: 'symbols/quiet.txt' });
    assert.deepEqual(silent.symbols, []);
    assert.match(silent.note ?? '', /no proof/);
    const target = { path: 'symbols/quiet.txt', line: 1, symbol: 'quiet' };
    assert.match((await call<References>('find_references', target)).note ?? '', /no proof/);
    assert.match(
      await call('find_references', { ...target, symbol: 'loud' }),
      /"loud" does not stand in line 1/,
    );
    assert.match(await call('find_references', { ...target, line: 9 }), /has 2 lines; line was 9/);
    assert.match(await call('find_symbols', { path: '../x.js' }), /leads out/);
    assert.match(await call('find_symbols', {}), /give a name, a path, or both/);
  }).timeout(30_000);

  it('places outside of the workspace are counted and left out, also by a link; twins are told once', async () => {
    await write(at('symbols/here.txt'), 'Thing\n');
    execFileSync('ln', ['-sfn', '/', at('symbols/out').fsPath]);
    const range = new vscode.Range(0, 0, 0, 5);
    const places = [
      at('symbols/here.txt'),
      at('symbols/here.txt'),
      vscode.Uri.file('/elsewhere/thing.txt'),
      at('symbols/out/etc/hostname'),
    ];
    const registered = [
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          query === 'Thing'
            ? places.map(
                (uri) =>
                  new vscode.SymbolInformation(
                    'Thing',
                    vscode.SymbolKind.TypeParameter,
                    '',
                    new vscode.Location(uri, range),
                  ),
              )
            : [],
      }),
      vscode.languages.registerReferenceProvider(
        { pattern: '**/here.txt' },
        { provideReferences: () => places.map((uri) => new vscode.Location(uri, range)) },
      ),
    ];
    try {
      const found = await call<Symbols>('find_symbols', { name: 'Thing' });
      const place = { path: 'symbols/here.txt', line: 1, column: 1 };
      assert.deepEqual(found.symbols, [{ name: 'Thing', kind: 'type parameter', ...place, end: 1 }]);
      assert.equal(found.outside_workspace, 2);
      const target = { path: 'symbols/here.txt', line: 1, symbol: 'Thing' };
      const { references, outside_workspace: outside } = await call<References>('find_references', target);
      assert.deepEqual(references, [{ ...place, text: 'Thing' }]);
      assert.equal(outside, 2);
    } finally {
      registered.forEach((one) => void one.dispose());
      await vscode.workspace.fs.delete(at('symbols/out'));
    }
  }).timeout(30_000);

  it('cancelling ends a service that does not answer', async () => {
    const never = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () => new Promise<never>(() => undefined),
    });
    const controller = new AbortController();
    const waiting = call<string>('find_symbols', { name: 'anything' }, controller.signal);
    controller.abort();
    assert.match(await waiting, /cancelled/);
    never.dispose();
  });

  it('several folders, and one that is on no disk: paths with the name of the folder', async () => {
    const scheme = 'loopscopetestcode';
    const provider = vscode.workspace.registerFileSystemProvider(
      scheme,
      createMemoryFiles({ '/proj/a.json': '{ "virtual": 1 }' }),
    );
    await write(at('several/api/a.json'), '{ "real": 1 }');
    const virtual = vscode.Uri.from({ scheme, path: '/proj' });
    const pretence = await pretend('workspace', 'workspaceFolders', [
      { uri: at('several/api'), name: 'api', index: 0 },
      { uri: virtual, name: 'proj', index: 1 },
    ]);
    try {
      const found = await call<Symbols>('find_symbols', { path: 'proj/a.json' });
      assert.deepEqual(
        found.symbols.map(({ name, path }) => [name, path]),
        [['virtual', 'proj/a.json']],
        JSON.stringify(found),
      );
      const real = await call<Symbols>('find_symbols', { path: 'api/a.json' });
      assert.equal(real.symbols[0]?.path, 'api/a.json');
      assert.match(await call('find_symbols', { path: 'a.json' }), /several folders are open/);
    } finally {
      pretence.dispose();
      provider.dispose();
    }
  }).timeout(30_000);
});

interface Status {
  readonly repositories: readonly {
    readonly path: string;
    readonly branch: string | null;
    readonly changes: readonly object[];
  }[];
}

describe('versions, by the git of the extension that VS Code ships', () => {
  before(async () => {
    for (const name of ['api', 'web']) {
      await write(at(`versions/${name}/a.txt`), 'one\n');
      git(at(`versions/${name}`), 'init', '--quiet', '--initial-branch=main');
      git(at(`versions/${name}`), 'add', '--all');
      git(at(`versions/${name}`), 'commit', '--quiet', '--message=first');
      await write(at(`versions/${name}/a.txt`), `${name}\n`);
    }
  });

  it('one folder: the same answers as without an editor', async () => {
    const pretence = await folders('versions/api');
    try {
      const { repositories } = await call<Status>('git_status', {});
      assert.deepEqual(repositories[0]?.changes, [{ path: 'a.txt', unstaged: 'modified' }]);
      assert.equal(repositories[0]?.branch, 'main');
      const { diff } = await call<{ diff: string }>('git_diff', { path: 'a.txt' });
      assert.match(diff, /^diff --git a\/a\.txt b\/a\.txt\n.*-one\n\+api\n/s);
      assert.match(await call('git_diff', { path: '../web/a.txt' }), /leads out/);
    } finally {
      pretence.dispose();
    }
  });

  it('several folders: each repository, with the names of the folders; one that is on no disk has none', async () => {
    const pretence = await pretend('workspace', 'workspaceFolders', [
      { uri: at('versions/api'), name: 'api', index: 0 },
      { uri: at('versions/web'), name: 'web', index: 1 },
      { uri: vscode.Uri.parse('loopscopetestgit:/proj'), name: 'proj', index: 2 },
    ]);
    try {
      const { repositories } = await call<Status>('git_status', {});
      assert.deepEqual(
        repositories.map(({ path, changes }) => [path, changes]),
        ['api', 'web'].map((name) => [name, [{ path: `${name}/a.txt`, unstaged: 'modified' }]]),
      );
      const { files, diff } = await call<{ files: object[]; diff: string }>('git_diff', {});
      assert.equal(files.length, 2);
      assert.match(diff, /--- a\/api\/a\.txt.*--- a\/web\/a\.txt/s);
      assert.match(
        (await call<{ diff: string }>('git_diff', { path: 'web' })).diff,
        /^diff --git a\/web\/a\.txt/,
      );
      assert.match(await call('git_status', { path: 'proj/x' }), /virtual/);
    } finally {
      pretence.dispose();
    }
  });

  it('only a virtual folder, no repository, no trust: said as such', async () => {
    const virtual = await pretend('workspace', 'workspaceFolders', [
      { uri: vscode.Uri.parse('loopscopetestgit:/proj'), name: 'proj', index: 0 },
    ]);
    assert.match(await call('git_status', {}), /virtual/);
    virtual.dispose();
    const none = await folders('versions');
    assert.match(await call('git_status', {}), /no git repository here|"path":"api"/);
    none.dispose();
    const untrusted = await pretend('workspace', 'isTrusted', false);
    assert.match(await call('git_status', {}), /not trusted/);
    assert.match(await call('git_diff', {}), /not trusted/);
    assert.match(await call('list_tasks', {}), /not trusted/);
    assert.match(await call('run_task', { task: 'x' }), /not trusted/);
    untrusted.dispose();
  });
});

interface Tasks {
  readonly tasks: readonly { readonly task: string; readonly command?: string; readonly problem?: string }[];
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

  it('one that does not end is ended when its time is up, and is not started twice', async () => {
    const began = performance.now();
    const running = call<string>('run_task', { task: 'pretended: endless', timeout: 2 });
    await new Promise<void>((resolve) => {
      const registration = vscode.tasks.onDidStartTask(() => {
        registration.dispose();
        resolve();
      });
    });
    assert.match(await call('run_task', { task: 'pretended: endless' }), /running already/);
    assert.match(await running, /timed out after 2 s.*had not ended and was ended/s);
    assert.ok(performance.now() - began < 15_000);
    assert.equal(vscode.tasks.taskExecutions.length, 0);
  }).timeout(30_000);
});
