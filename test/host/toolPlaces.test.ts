/**
 * Every tool in every kind of workspace: one folder on disk, several (also of one name), a virtual one, a virtual one
 * beside one on disk; and in one that is not trusted. The providers are real; which folders are open is said here, since
 * VS Code starts its extensions anew for another first folder.
 */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { callRules } from '../../src/entry/vscode/callRules.ts';
import { createDiagnosticsWatch } from '../../src/entry/vscode/diagnosticsWatch.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { workspaceServices } from '../../src/entry/vscode/workspaceServices.ts';
import { createPermit } from '../../src/toolbox/approvalRules.ts';
import { builtinTools, codeTools, editorTools, programTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { defineCommandTool } from '../../src/toolbox/defineCommandTool.ts';
import { memoryFiles, toolContext } from '../unit/toolbox/toolContext.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { pretend } from './pretend.ts';

const scheme = 'loopscope-test-places';
const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
const onDisk = (path: string) => vscode.Uri.joinPath(top, 'places', path);
const inMemory = (path: string) => vscode.Uri.from({ scheme, path: `/${path}` });
const { env } = process;
const where = defineCommandTool(
  {
    name: 'where',
    description: 'Says where it runs.',
    parameters: { type: 'object' },
    command: ['node', '-e', 'console.log(process.cwd())'],
    effects: 'none',
  },
  env,
);
const tools = [...builtinTools, ...programTools({ env }), ...codeTools, ...editorTools, where];
const box = createToolbox(tools);

const tree: Readonly<Record<string, string>> = {
  '.gitignore': 'ignored/\n*.log\n',
  'a.txt': 'needle one\n',
  'b/c.txt': 'two\nneedle three\n',
  'b/s.json': '{ "inner": 1 }\n',
  'ignored/d.txt': 'needle ignored\n',
  'e.log': 'needle logged\n',
  'f.excluded': 'needle excluded\n',
};

interface Place {
  readonly kind: string;
  readonly folders: readonly { readonly name: string; readonly uri: vscode.Uri }[];
  /** In front of each path; of the last folder. */
  readonly prefix: string;
  /** Where commands run; undefined: nowhere. */
  readonly folder: vscode.Uri | undefined;
}

const disk = { name: 'one', uri: onDisk('one') };
const virtual = { name: 'memory', uri: inMemory('proj') };
const places: readonly Place[] = [
  { kind: 'one folder on disk', folders: [disk], prefix: '', folder: disk.uri },
  {
    kind: 'several folders, two of one name',
    folders: [disk, { name: 'web', uri: onDisk('x/web') }, { name: 'web', uri: onDisk('y/web') }],
    prefix: 'web@y/',
    folder: disk.uri,
  },
  { kind: 'a virtual folder', folders: [virtual], prefix: '', folder: undefined },
  {
    kind: 'a virtual folder beside one on disk',
    folders: [disk, virtual],
    prefix: 'memory/',
    folder: disk.uri,
  },
];

describe('the tools, in every kind of workspace', () => {
  const watch = createDiagnosticsWatch(vscode);
  const collection = vscode.languages.createDiagnosticCollection('places');
  const files = createMemoryFiles({});
  const configuration = vscode.workspace.getConfiguration('files');
  let provider: vscode.Disposable;
  let taskProvider: vscode.Disposable;

  before(async () => {
    taskProvider = vscode.tasks.registerTaskProvider('placed', {
      provideTasks: () => [
        new vscode.Task(
          { type: 'placed' },
          vscode.TaskScope.Workspace,
          'greet',
          'placed',
          new vscode.CustomExecution(() => assert.fail('it is run')),
          [],
        ),
      ],
      resolveTask: () => undefined,
    });
    provider = vscode.workspace.registerFileSystemProvider(scheme, files);
    await configuration.update('exclude', { '**/*.excluded': true }, vscode.ConfigurationTarget.Workspace);
    const all = new Map(places.flatMap(({ folders }) => folders).map(({ uri }) => [uri.toString(), uri]));
    for (const uri of all.values())
      for (const [path, text] of Object.entries(tree))
        await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(uri, path), Buffer.from(text));
  });
  after(async () => {
    await configuration.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(onDisk(''), { recursive: true });
    collection.dispose();
    watch.dispose();
    provider.dispose();
    taskProvider.dispose();
  });

  function caller(folders: readonly Place['folders'][number][], signal = new AbortController().signal) {
    const workspaceFolders = folders.map((folder, index) => ({ ...folder, index }));
    const workspace = new Proxy(vscode.workspace, {
      get: (target, key) =>
        key === 'workspaceFolders' ? workspaceFolders : (Reflect.get(target, key) as unknown),
    });
    const ports = {
      workspace: createEditorWorkspace({ ...vscode, workspace }, undefined, workspaceServices(watch)),
      files: memoryFiles(),
      signal,
    };
    return async (name: string, input: unknown = {}): Promise<unknown> => {
      const request = { name, arguments: JSON.stringify(input) };
      const { observation } = await box.perform(request, toolContext(ports));
      return observation.success ? observation.data : observation.error;
    };
  }

  for (const { kind, folders, prefix, folder } of places) {
    const last = folders.at(-1)?.uri ?? assert.fail('a place has a folder');
    const call = caller(folders);

    it(`${kind}: lists and searches in order, without what is ignored or excluded`, async () => {
      const listed = (await call('list_files', { path: prefix === '' ? '.' : prefix })) as {
        entries: string[];
      };
      assert.deepEqual(
        listed.entries,
        ['.gitignore', 'a.txt', 'b/'].map((name) => prefix + name),
      );
      const globbed = (await call('list_files', { glob: '**/*.txt' })) as { entries: string[] };
      const own = globbed.entries.filter((path) => path.startsWith(prefix));
      assert.deepEqual(own, [`${prefix}a.txt`, `${prefix}b/c.txt`]);
      assert.deepEqual(globbed.entries, globbed.entries.toSorted());
      const found = (await call('search_text', { query: 'needle' })) as {
        matches: { path: string; line: number }[];
      };
      assert.equal(found.matches.length, 2 * folders.length);
      assert.deepEqual(
        found.matches
          .filter(({ path }) => path.startsWith(prefix))
          .map(({ path, line }) => `${path}:${line}`),
        [`${prefix}a.txt:1`, `${prefix}b/c.txt:2`],
      );
      const asked = (await call('list_files', { path: `${prefix}ignored` })) as { entries: string[] };
      assert.deepEqual(asked.entries, [`${prefix}ignored/d.txt`], 'what is asked for by name is shown');
    });

    it(`${kind}: a listing or search that was cancelled before is none`, async () => {
      const cancelled = caller(folders, AbortSignal.abort());
      for (const [name, input] of [
        ['list_files', { glob: '**/*' }],
        ['search_text', { query: 'needle' }],
      ] as const)
        assert.match(String(await cancelled(name, input)), /cancelled/, name);
    });

    it(`${kind}: reads, edits and makes the same file by the same path`, async () => {
      const path = `${prefix}b/c.txt`;
      assert.match(JSON.stringify(await call('read_file', { path })), /needle three/);
      assert.match(
        JSON.stringify(await call('edit_file', { path, old_string: 'three', new_string: 'four' })),
        /"replaced":1/,
      );
      await call('create_file', { path: `${prefix}new/g.txt`, content: 'made\n' });
      const read = async (inner: string) =>
        Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(last, inner))).toString();
      assert.equal(await read('b/c.txt'), 'two\nneedle four\n');
      assert.equal(await read('new/g.txt'), 'made\n');
      await call('edit_file', { path, old_string: 'four', new_string: 'three' });
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(last, 'new'), { recursive: true });
      for (const out of [`${prefix}../x.txt`, '../x.txt', '/etc/hostname'])
        assert.equal(typeof (await call('read_file', { path: out })), 'string', out);
    });

    it(`${kind}: knows what is open and what is diagnosed, by the same path`, async () => {
      const uri = vscode.Uri.joinPath(last, 'a.txt');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      const { editors } = (await call('get_open_editors')) as { editors: { path: string; active?: true }[] };
      assert.deepEqual(editors, [{ path: `${prefix}a.txt`, active: true }]);
      collection.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 6), 'sharp')]);
      const said = JSON.stringify(await call('get_diagnostics', { path: `${prefix}a.txt` }));
      assert.match(said, /"message":"sharp"/);
      assert.ok(said.includes(`"path":"${prefix}a.txt"`), said);
    });

    it(`${kind}: commands run in a folder on disk, or say that there is none`, async () => {
      const line = 'node -p "process.cwd()"';
      const said = [await call('run_command', { command: line }), await call('where')].map((one) =>
        JSON.stringify(one),
      );
      for (const one of said)
        assert.ok(folder ? one.includes(folder.fsPath) : /nothing was run: .*virtual/.test(one), one);
      const within = await call('run_command', { command: line, folder: `${prefix}b` });
      const real = last.scheme === 'file' ? vscode.Uri.joinPath(last, 'b').fsPath : 'virtual';
      assert.ok(JSON.stringify(within).includes(real), JSON.stringify(within));
    });

    it(`${kind}: git where a folder is on disk; tasks and symbols in each`, async () => {
      const none = /there is no git repository here/;
      for (const name of ['git_status', 'git_diff']) {
        assert.match(String(await call(name)), folder ? none : /virtual/, name);
        const within = String(await call(name, { path: `${prefix}a.txt` }));
        assert.match(within, last.scheme === 'file' ? none : /a\.txt: git needs a folder on disk/, name);
      }
      const { tasks } = (await call('list_tasks')) as { tasks: { task: string }[] };
      assert.deepEqual(
        tasks.filter(({ task }) => task.startsWith('placed')),
        [{ task: 'placed: greet' }],
      );
      const path = `${prefix}b/s.json`;
      const { symbols } = (await call('find_symbols', { path })) as { symbols: Record<string, unknown>[] };
      assert.deepEqual(
        symbols.map((one) => [one['name'], one['path'], one['line'], one['column']]),
        [['inner', path, 1, 3]],
      );
    }).timeout(30_000);
  }

  it('several folders: a path that could be of any is refused with those it could be', async () => {
    const call = caller(places[1]?.folders ?? []);
    for (const [name, input] of [
      ['read_file', { path: 'a.txt' }],
      ['edit_file', { path: 'web/a.txt', old_string: 'one', new_string: '1' }],
      ['create_file', { path: 'n.txt', content: '' }],
      ['get_diagnostics', { path: 'a.txt' }],
      ['git_status', { path: 'a.txt' }],
      ['git_diff', { path: 'a.txt' }],
      ['find_symbols', { path: 'b/s.json' }],
    ] as const)
      assert.match(String(await call(name, input)), /several folders are open; say which: .*web@/, name);
  });

  it('not trusted: what changes or runs is denied, whatever the rules say; what reads is not', async () => {
    const untrusted = await pretend('workspace', 'isTrusted', false);
    try {
      const rules = callRules(onDisk('a.agent.json'));
      assert.ok(!('problem' in rules));
      const permit = createPermit({ ...rules, agent: { '*': 'allow' }, user: { '*': 'allow' } });
      const verdicts = box.tools.map((spec) => [
        spec.name,
        permit({ name: spec.name, arguments: '{"path":"a.txt","command":"ls"}' }, spec).verdict,
      ]);
      const denied = verdicts.filter(([, verdict]) => verdict === 'deny').map(([name]) => name);
      const changing = box.tools.filter(
        ({ effects, command }) => command || effects === 'workspace' || effects === 'outside',
      );
      assert.deepEqual(
        denied,
        changing.map(({ name }) => name),
      );
      for (const name of ['edit_file', 'create_file', 'run_command', 'where'])
        assert.ok(denied.includes(name), name);
      const call = caller([disk]);
      for (const name of ['git_status', 'git_diff', 'list_tasks'])
        assert.match(String(await call(name)), /the workspace is not trusted/, name);
      assert.match(JSON.stringify(await call('find_symbols', { path: 'b/s.json' })), /"name":"inner"/);
    } finally {
      untrusted.dispose();
    }
  });
});
