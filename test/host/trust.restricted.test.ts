/**
 * A folder that is not trusted, for real: the extension is there, its tools read and change nothing, and the settings of
 * the folder loosen nothing. (VS Code itself asks for trust before anything is debugged.)
 */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { callRules } from '../../src/entry/vscode/callRules.ts';
import { createDiagnosticsWatch } from '../../src/entry/vscode/diagnosticsWatch.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { loadTrusted } from '../../src/entry/vscode/loadTrusted.ts';
import { toolPlaceHere } from '../../src/entry/vscode/toolPlace.ts';
import { workspaceServices } from '../../src/entry/vscode/workspaceServices.ts';
import { absence } from '../../src/entry/absentTools.ts';
import { createPermit } from '../../src/toolbox/approvalRules.ts';
import { builtinTools, codeTools, editorTools, programTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { memoryFiles, toolContext } from '../unit/toolbox/toolContext.ts';

const box = createToolbox([...builtinTools, ...codeTools, ...editorTools, ...programTools({ env: {} })]);
const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');

describe('an untrusted workspace', () => {
  it('has the extension and its commands', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await vscode.extensions.getExtension('loopscope.loopscope')?.activate();
    const commands = await vscode.commands.getCommands(true);
    for (const command of ['loopscope.debugAgent', 'loopscope.showTools'])
      assert.ok(commands.includes(command), command);
  });

  it('loads no module that an agent file names, and no other agent is held up by that', async () => {
    const agent = vscode.Uri.joinPath(top, 'x.agent.json');
    const plain = { max_tokens: 1000, reserve: 0, policy: 'drop-oldest' } as const;
    assert.deepEqual(await loadTrusted(plain, agent), { ok: true, modules: {} });
    for (const context of [
      { ...plain, policy: './own.mjs' },
      { ...plain, retrieve: './own.mjs' },
    ] as const) {
      const loaded = await loadTrusted(context, agent);
      assert.ok(!loaded.ok);
      assert.match(loaded.message, /own\.mjs.*(trusted|受信任)/);
    }
  });

  it('its files are listed, searched and read', async () => {
    const ports = { workspace: createEditorWorkspace(vscode), files: memoryFiles() };
    const call = async (name: string, input: unknown) => {
      const request = { name, arguments: JSON.stringify(input) };
      return JSON.stringify((await box.perform(request, toolContext(ports))).observation);
    };
    assert.match(await call('list_files', {}), /"success":true.*notes\//);
    assert.match(await call('search_text', { query: 'todo' }), /"success":true/);
    assert.match(await call('read_file', { path: 'notes/today.md' }), /"success":true/);
  });

  it('its own settings do not count, and nothing is changed or run in it', async () => {
    const settings = vscode.Uri.joinPath(top, '.vscode/settings.json');
    const before = await vscode.workspace.fs.readFile(settings);
    const changed = new Promise<void>((resolve) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(top, '.vscode/*'));
      watcher.onDidChange(() => {
        watcher.dispose();
        resolve();
      });
    });
    const loose = { 'loopscope.approvals': { '*': 'allow' } };
    await vscode.workspace.fs.writeFile(settings, Buffer.from(JSON.stringify(loose)));
    try {
      await changed;
      const rules = callRules(vscode.Uri.joinPath(top, 'x.agent.json'));
      assert.ok(!('problem' in rules));
      assert.deepEqual(rules.user, {});
      const permit = createPermit({ ...rules, agent: { '*': 'allow' } });
      const verdict = (name: string, input: unknown) => {
        const spec = box.find(name) ?? assert.fail(name);
        return permit({ name, arguments: JSON.stringify(input) }, spec).verdict;
      };
      assert.equal(verdict('edit_file', { path: 'a.txt' }), 'deny');
      assert.equal(verdict('create_file', { path: 'a.txt' }), 'deny');
      assert.equal(verdict('run_command', { command: 'ls' }), 'deny');
      assert.equal(verdict('read_file', { path: 'a.txt' }), 'allow');
      assert.match(absence('run_command', toolPlaceHere()) ?? '', /only in a trusted workspace/);
    } finally {
      await vscode.workspace.fs.writeFile(settings, before);
    }
  });

  it('is read by the tools; git and tasks are not asked, and no dialog comes up for them', async () => {
    const watch = createDiagnosticsWatch(vscode);
    const workspace = createEditorWorkspace(vscode, undefined, workspaceServices(watch));
    const call = async (name: string, input: object) => {
      const { observation } = await box.perform(
        { name, arguments: JSON.stringify(input) },
        toolContext({ workspace }),
      );
      return observation.success ? JSON.stringify(observation.data) : observation.error;
    };
    assert.match(await call('read_file', { path: 'package.json' }), /"text":/);
    assert.match(await call('find_symbols', { path: 'package.json' }), /"name":"private"/);
    for (const name of ['git_status', 'git_diff', 'list_tasks'])
      assert.match(await call(name, {}), /not trusted/, name);
    assert.match(await call('run_task', { task: 'npm: test' }), /not trusted/);
    watch.dispose();
  }).timeout(30_000);
});
