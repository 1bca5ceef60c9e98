/** The dialog before a call: what it shows, what is remembered, and that it neutralises hostile text. */
import * as assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { FileLog } from '../../src/core/ports.ts';
import { createApproveCall } from '../../src/entry/vscode/approveCall.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { createCallPreview } from '../../src/entry/vscode/callPreview.ts';
import { createDiagnosticsWatch } from '../../src/entry/vscode/diagnosticsWatch.ts';
import { workspaceServices } from '../../src/entry/vscode/workspaceServices.ts';

interface Asked {
  readonly message: string;
  readonly detail: string;
  readonly labels: readonly string[];
  /** Differences and texts that were open beside while it was asked. */
  readonly beside: readonly string[];
}

const isOurs = (uri: vscode.Uri) => uri.scheme === 'loopscope-preview';
const beside = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) =>
        (input instanceof vscode.TabInputTextDiff && isOurs(input.modified)) ||
        (input instanceof vscode.TabInputText && isOurs(input.uri)),
    )
    .map(({ label }) => label);
const top = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
const at = (path: string) => vscode.Uri.joinPath(top, path);
const write = (path: string, text: string) => vscode.workspace.fs.writeFile(at(path), Buffer.from(text));

describe('the approval of a call', () => {
  const original = vscode.window.showWarningMessage;
  const watch = createDiagnosticsWatch(vscode);
  after(() => watch.dispose());
  const asked: Asked[] = [];
  let answer: string | undefined;
  /** What happens while the dialog stands. */
  let meanwhile: () => Promise<void>;

  beforeEach(() => {
    asked.length = 0;
    meanwhile = async () => undefined;
    const show = async (message: string, options: vscode.MessageOptions, ...labels: string[]) => {
      asked.push({ message, detail: options.detail ?? '', labels, beside: beside() });
      await meanwhile();
      return answer;
    };
    (vscode.window as { showWarningMessage: unknown }).showWarningMessage = show;
  });
  afterEach(() => {
    (vscode.window as { showWarningMessage: unknown }).showWarningMessage = original;
  });

  function approval(stored = new Map<string, unknown>(), seen: FileLog['seen'] = () => undefined) {
    const memory = {
      keys: () => [...stored.keys()],
      get: (key: string, otherwise?: unknown) => stored.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void stored.set(key, value),
    } as vscode.Memento;
    const preview = createCallPreview();
    const workspace = createEditorWorkspace(vscode, undefined, workspaceServices(watch));
    const approve = createApproveCall({ memory, workspace, preview, commandOf: () => undefined });
    const { signal } = new AbortController();
    return {
      ask: (name: string, input: unknown) =>
        approve({ name, arguments: JSON.stringify(input) }, signal, { seen }),
      preview,
      stored,
    };
  }

  it('shows a command on one line with its folder; closing is a no', async () => {
    answer = undefined;
    const { ask, preview } = approval();
    const hostile = 'npm test\nrm -rf ~ \u001b[2J\u202egnp.exe';
    assert.deepEqual(await ask('run_command', { command: hostile, folder: 'src' }), {
      ok: false,
      reason: 'the user said no',
    });
    const [{ detail, labels } = assert.fail()] = asked;
    assert.equal(
      detail,
      `Command: npm test\u240arm -rf ~ \u241b[2J\\u{202e}gnp.exe\nFolder: ${top.fsPath}/src`,
    );
    assert.equal(labels[0], 'Run');
    preview.dispose();
  });

  it('shows an edit as a difference beside, and closes it after the answer', async () => {
    answer = 'Apply';
    const { ask, preview } = approval();
    const input = { path: 'package.json', old_string: '"name"', new_string: '"title"' };
    assert.deepEqual(await ask('edit_file', input), { ok: true, by: 'user' });
    const [{ message, detail, beside: open } = assert.fail()] = asked;
    assert.equal(message, 'The agent wants to change package.json.');
    assert.equal(detail, 'File: package.json\nThe change is shown beside.');
    assert.deepEqual(open, ['package.json (proposed by the agent)']);
    assert.deepEqual(beside(), []);
    preview.dispose();
  });

  it('does not ask for an edit that the tool would refuse, and says why', async () => {
    answer = 'Apply';
    await write('approve-seen.txt', 'one');
    const stale = { hash: 'another', whole: true };
    const { ask, preview } = approval(undefined, (uri) =>
      uri.endsWith('approve-seen.txt') ? stale : undefined,
    );
    const reasons = [
      await ask('edit_file', { path: 'package.json', old_string: 'not in it', new_string: '' }),
      await ask('edit_file', { path: 'approve-seen.txt', old_string: 'one', new_string: 'two' }),
      await ask('edit_file', { path: '../out.txt', old_string: 'a', new_string: 'b' }),
      await ask('create_file', { path: 'package.json', content: '' }),
      await ask('create_file', { path: '../out.txt', content: '' }),
    ].map((approved) => (approved.ok ? 'approved' : approved.reason));
    const expected = [/old_string/, /read it again/, /leads out/, /it is there already/, /leads out/];
    expected.forEach((pattern, index) => assert.match(reasons[index] ?? '', pattern));
    assert.deepEqual(asked, []);
    preview.dispose();
  });

  it('a yes is for what was shown: not for the file as it is when it was changed meanwhile', async () => {
    answer = 'Apply, and Again in This Session';
    await write('approve-race.txt', 'one two');
    const { ask, preview } = approval();
    const input = { path: 'approve-race.txt', old_string: 'one', new_string: 'ONE' };
    meanwhile = async () => write('approve-race.txt', 'one three');
    const raced = await ask('edit_file', input);
    assert.match(raced.ok ? '' : raced.reason, /changed while the user was asked/);
    meanwhile = async () => undefined;
    assert.equal((await ask('edit_file', input)).ok, true);
    assert.deepEqual(await ask('edit_file', input), { ok: true, by: 'user, for the session' });
    await write('approve-race.txt', 'one four');
    await ask('edit_file', input);
    assert.equal(asked.length, 3, 'the same edit of another text is another change');
    preview.dispose();
  });

  it('says where a link leads', async function () {
    if (process.platform === 'win32') this.skip();
    answer = undefined;
    await vscode.workspace.fs.createDirectory(at('approve-real'));
    await symlink('approve-real', at('approve-link').fsPath);
    const { ask, preview } = approval();
    await ask('create_file', { path: 'approve-link/x.txt', content: 'x' });
    assert.match(asked[0]?.detail ?? '', /^File: approve-link\/x\.txt, which is approve-real\/x\.txt\n/);
    await rm(at('approve-link').fsPath);
    preview.dispose();
  });

  it('nothing in a call hides what will happen: it is shown whole beside where the dialog has no room', async () => {
    answer = undefined;
    const { ask, preview } = approval();
    const command = `echo ${'a'.repeat(3000)}; rm -rf ~; echo ${'b'.repeat(3000)}`;
    let whole = '';
    meanwhile = async () => {
      whole = vscode.workspace.textDocuments.findLast(({ uri }) => isOurs(uri))?.getText() ?? '';
    };
    await ask('run_command', { command });
    assert.match(asked[0]?.detail ?? '', /characters left out.*\nFolder: .*\nAll of it is shown beside\.$/s);
    assert.ok((asked[0]?.detail.length ?? 0) < 3000);
    assert.deepEqual(asked[0]?.beside, ['What the agent wants to run']);
    assert.ok(whole.replaceAll('\n\u21aa ', '') === command, 'all of the command is shown');
    assert.deepEqual(beside(), []);
    const hostile = `a${' '.repeat(500)};b\u00a0\u2028\u3164\u{e0041}\u200d\u00adc`;
    await ask('run_command', { command: hostile });
    assert.match(
      asked[1]?.detail ?? '',
      /^Command: a \u2420\u00d7500 ;b\\u\{a0\}\\u\{2028\}\\u\{3164\}\\u\{e0041\}\\u\{200d\}\\u\{ad\}c\n/,
    );
    await ask('deploy', { to: 'x'.repeat(100_000), then: '\u202eprod' });
    assert.match(asked[2]?.detail ?? '', /^Arguments: .*characters left out/);
    assert.match(whole.slice(-40), /\\u\{202e\}prod"\n\}$/);
    assert.deepEqual(beside(), []);
    preview.dispose();
  });

  it('shows what a task runs, and a yes to it is none to another task of its name', async () => {
    answer = 'Run, and Again in This Session';
    let script = 'echo "one"';
    const provider = vscode.tasks.registerTaskProvider('loopscopeapproved', {
      provideTasks: () => {
        const scope = vscode.workspace.workspaceFolders?.[0] ?? assert.fail();
        const definition = { type: 'loopscopeapproved' };
        return [new vscode.Task(definition, scope, 'say', 'approved', new vscode.ShellExecution(script), [])];
      },
      resolveTask: () => undefined,
    });
    const { ask, preview } = approval();
    await ask('run_task', { task: 'approved: say' });
    await ask('run_task', { task: 'approved: say' });
    assert.deepEqual(
      asked.map(({ detail }) => detail),
      [`Task: approved: say\nRuns: echo "one"\nFolder: ${top.fsPath}`],
    );
    script = 'echo two\nrm -rf ~';
    await ask('run_task', { task: 'approved: say' });
    assert.match(asked[1]?.detail ?? '', /\nRuns: echo two\u240arm -rf ~\n/);
    script = 'echo other';
    meanwhile = async () => void (script = 'echo three');
    assert.deepEqual(await ask('run_task', { task: 'approved: say' }), {
      ok: false,
      reason: 'the task was defined anew while the user was asked: look at it again',
    });
    provider.dispose();
    preview.dispose();
  });

  it('remembers a yes for that very call alone, for the session or for the workspace', async () => {
    answer = 'Run, and Again in This Session';
    const first = approval();
    await first.ask('run_command', { command: 'npm test' });
    await first.ask('run_command', { command: 'npm test' });
    assert.equal(asked.length, 1);
    await first.ask('run_command', { command: 'npm test ' });
    assert.equal(asked.length, 2);
    const second = approval();
    await second.ask('run_command', { command: 'npm test' });
    assert.equal(asked.length, 3, 'another session asks again');
    answer = 'Run, and Always in This Workspace';
    await second.ask('run_command', { command: 'make' });
    const third = approval(second.stored);
    assert.deepEqual(await third.ask('run_command', { command: 'make' }), {
      ok: true,
      by: 'user, for the workspace',
    });
    assert.equal(asked.length, 4);
    for (const { preview } of [first, second, third]) preview.dispose();
  });
});
