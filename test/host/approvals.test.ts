/** The dialog before a call: what it shows, what is remembered, and that it neutralises hostile text. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createApproveCall } from '../../src/entry/vscode/approveCall.ts';
import { createEditorWorkspace } from '../../src/entry/vscode/editorWorkspace.ts';
import { createEditPreview } from '../../src/entry/vscode/editPreview.ts';

interface Asked {
  readonly message: string;
  readonly detail: string;
  readonly labels: readonly string[];
  /** Differences that were open while it was asked. */
  readonly diffs: readonly string[];
}

const diffs = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff)
    .map(({ label }) => label);

describe('the approval of a call', () => {
  const original = vscode.window.showWarningMessage;
  const asked: Asked[] = [];
  let answer: string | undefined;

  beforeEach(() => {
    asked.length = 0;
    const show = (message: string, options: vscode.MessageOptions, ...labels: string[]) => {
      asked.push({ message, detail: options.detail ?? '', labels, diffs: diffs() });
      return Promise.resolve(answer);
    };
    (vscode.window as { showWarningMessage: unknown }).showWarningMessage = show;
  });
  afterEach(() => {
    (vscode.window as { showWarningMessage: unknown }).showWarningMessage = original;
  });

  function approval(stored = new Map<string, unknown>()) {
    const memory = {
      keys: () => [...stored.keys()],
      get: (key: string, otherwise?: unknown) => stored.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void stored.set(key, value),
    } as vscode.Memento;
    const preview = createEditPreview();
    const workspace = createEditorWorkspace(vscode);
    const approve = createApproveCall({ memory, workspace, preview, commandOf: () => undefined });
    const { signal } = new AbortController();
    return {
      ask: (name: string, input: unknown) => approve({ name, arguments: JSON.stringify(input) }, signal),
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
    const top = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.equal(detail, `Command: npm test\u240arm -rf ~ \u241b[2J\\u{202e}gnp.exe\nFolder: ${top}/src`);
    assert.equal(labels[0], 'Run');
    preview.dispose();
  });

  it('shows an edit as a difference beside, and closes it after the answer', async () => {
    answer = 'Run';
    const { ask, preview } = approval();
    const input = { path: 'package.json', old_string: '"name"', new_string: '"title"' };
    assert.deepEqual(await ask('edit_file', input), { ok: true, by: 'user' });
    assert.deepEqual(asked[0]?.diffs, ['package.json (proposed by the agent)']);
    assert.deepEqual(diffs(), []);
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
