/** The question before a command acts outside the workspace, in VS Code's own dialog, answered by keyboard. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { createScriptedServer, repliesCalls, repliesText } from '../doubles/scriptedServer.ts';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

const question = 'The agent wants to run deploy.';

test('a command that acts outside is asked for, and the answer counts', async (t) => {
  const asks = repliesCalls([
    { name: 'deploy', arguments: { to: 'production', at: '<b>9:00</b>' }, id: 'call_1' },
  ]);
  const server = await createScriptedServer([
    asks,
    repliesText('It was not run.'),
    asks,
    repliesText('It is out.'),
  ]);
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-approval-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const deploy = {
    name: 'deploy',
    description: 'Deploys.',
    parameters: { type: 'object', properties: { to: { type: 'string' }, at: { type: 'string' } } },
    command: ['node', '-e', 'console.log("deployed")'],
    effects: 'outside',
  };
  const agent = { model_name: 'm', api_base: server.apiBase, tools: [deploy] };
  await writeFile(path.join(folder, 'deploy.agent.json'), JSON.stringify(agent));
  const vscode = await openWorkbench({ folder });
  t.after(async () => {
    await vscode.close();
    // It fails where something was not asked for: behind it nothing would be let go of.
    await server.close();
  });
  const dialog = vscode.page.locator('.monaco-dialog-box');

  const chat = async (goal: string) => {
    await vscode.runCommand('Loopscope: Chat…');
    await vscode.quickInput(goal, 'Enter');
    await dialog.getByText(question).waitFor();
  };
  const told = (request: number) =>
    eventually(
      `request ${request}`,
      async () => server.requests[request]?.body ?? '',
      (body) => body !== '',
    );

  await vscode.step(t, 'it shows what is about to run, as text; Escape is a no', async () => {
    await chat('Deploy it.');
    await dialog.getByText(/Command: "node" "-e".*{"to":"production","at":"<b>9:00<\/b>"}/s).waitFor();
    await vscode.shot('approval');
    await vscode.page.keyboard.press('Escape');
    assert.match(await told(1), /not approved, nothing was run: the user said no/);
  });

  await vscode.step(t, 'Enter runs it', async () => {
    await eventually(
      'the end of the run',
      () => vscode.debugConsoleText(),
      (text) => text.includes('It was not run.'),
    );
    await chat('Deploy it now.');
    await vscode.page.keyboard.press('Enter');
    assert.match(await told(3), /deployed/);
  });
});

test('an edit that is asked for is shown as a difference, and the answer counts', async (t) => {
  const edits = repliesCalls([
    {
      name: 'edit_file',
      arguments: { path: 'total.js', old_string: 'a - b', new_string: 'a + b' },
      id: 'call_1',
    },
  ]);
  const server = await createScriptedServer([
    edits,
    repliesText('It was not changed.'),
    edits,
    repliesText('It is repaired.'),
  ]);
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-approval-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const before = 'export const total = (a, b) => a - b;\n';
  await writeFile(path.join(folder, 'total.js'), before);
  const agent = {
    model_name: 'm',
    api_base: server.apiBase,
    tools: ['edit_file'],
    approvals: { edit_file: 'ask' },
  };
  await writeFile(path.join(folder, 'repair.agent.json'), JSON.stringify(agent));
  const vscode = await openWorkbench({ folder });
  t.after(async () => {
    await vscode.close();
    await server.close();
  });
  const { page } = vscode;
  const dialog = page.locator('.monaco-dialog-box');
  const proposed = page.locator('.tab', { hasText: 'proposed by the agent' });
  const onDisk = () => readFile(path.join(vscode.folder ?? '', 'total.js'), 'utf8');
  const chat = async (goal: string) => {
    await vscode.runCommand('Loopscope: Chat…');
    await vscode.quickInput(goal, 'Enter');
    await dialog.getByText('The agent wants to change total.js.').waitFor();
    await proposed.waitFor();
    await page.locator('.monaco-diff-editor .view-line', { hasText: 'a + b' }).first().waitFor();
  };
  const told = (request: number) =>
    eventually(
      `request ${request}`,
      async () => server.requests[request]?.body ?? '',
      (body) => body !== '',
    );

  await vscode.step(t, 'the difference stands beside; Escape is a no, and nothing is touched', async () => {
    await chat('Repair it.');
    await dialog.getByText('The change is shown beside.').waitFor();
    await vscode.shot('approval-edit');
    await page.keyboard.press('Escape');
    assert.match(await told(1), /not approved, nothing was run: the user said no/);
    await proposed.waitFor({ state: 'detached' });
    assert.equal(await onDisk(), before);
  });

  await vscode.step(t, 'Enter applies it, the difference is closed, and one undo takes it back', async () => {
    await eventually(
      'the end of the run',
      () => vscode.debugConsoleText(),
      (text) => text.includes('It was not changed.'),
    );
    await chat('Repair it now.');
    await page.keyboard.press('Enter');
    assert.match(await told(3), /replaced/);
    await proposed.waitFor({ state: 'detached' });
    assert.equal(await onDisk(), before.replace('a - b', 'a + b'));
    await vscode.openFile('total.js');
    const shown = page.locator('.editor-instance .view-line', { hasText: 'export const total' });
    await shown.filter({ hasText: 'a + b' }).waitFor();
    await vscode.shot('approval-applied');
    await shown.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await shown.filter({ hasText: 'a - b' }).waitFor();
  });
});

test('a command that is too long for the dialog stands beside it whole, with nothing hidden', async (t) => {
  // What is left out of the dialog is still in view beside it: an editor draws no line that is not.
  const command = `echo ${'quiet '.repeat(160)}\n\u202e\u200b; echo hidden ${'blind '.repeat(400)}`;
  const runs = repliesCalls([{ name: 'run_command', arguments: { command }, id: 'call_1' }]);
  const no = repliesText('It was not run.');
  const server = await createScriptedServer([runs, no, runs, no]);
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-approval-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const agent = { model_name: 'm', api_base: server.apiBase, tools: ['run_command'] };
  await writeFile(path.join(folder, 'long.agent.json'), JSON.stringify(agent));
  const vscode = await openWorkbench({ folder });
  t.after(async () => {
    await vscode.close();
    await server.close();
  });
  const { page } = vscode;
  const tab = page.locator('.tab', { hasText: 'What the agent wants to run' });

  await vscode.step(t, 'the dialog says what it leaves out, and Escape closes both', async () => {
    await vscode.runCommand('Loopscope: Chat…');
    await vscode.quickInput('Go.', 'Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText(/characters left out.*All of it is shown beside\./s).waitFor();
    await tab.waitFor();
    await page.locator('.view-lines', { hasText: '; echo hidden' }).waitFor();
    await vscode.shot('approval-long');
    const buttons = await dialog.getByRole('button', { name: 'Run', exact: true }).boundingBox();
    assert.ok((buttons?.y ?? Infinity) < 880, 'its buttons are in view');
    await page.keyboard.press('Escape');
    await tab.waitFor({ state: 'detached' });
  });

  await vscode.step(t, 'whoever reads first is asked by a notification, and scrolls meanwhile', async () => {
    await eventually(
      'the end of the run',
      () => vscode.debugConsoleText(),
      (text) => text.includes('It was not run.'),
    );
    await vscode.runCommand('Loopscope: Chat…');
    await vscode.quickInput('Go on.', 'Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'Read First' }).click();
    await dialog.waitFor({ state: 'detached' });
    const notice = (await vscode.openNotifications()).filter({
      hasText: 'The agent wants to run run_command.',
    });
    await notice.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await tab.waitFor();
    await vscode.shot('approval-read-first');
    await notice
      .getByRole('button', { name: /Clear Notification/ })
      .first()
      .click();
    await tab.waitFor({ state: 'detached' });
    const { body = '' } = await eventually(
      'request 3',
      async () => server.requests[3] ?? { body: '' },
      (one) => one.body !== '',
    );
    assert.match(body, /the user said no/);
  });
});
