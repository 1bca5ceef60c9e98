/** The question before a task is run: what the task runs is shown, and a yes runs it in VS Code's own terminal. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { createScriptedServer, repliesCalls, repliesText } from '../doubles/scriptedServer.ts';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

/** One task of the folder's own, and an agent that may run tasks. */
async function writeFolder(folder: string, apiBase: string): Promise<void> {
  await mkdir(path.join(folder, '.vscode'));
  const task = { label: 'check', type: 'shell', command: 'node', args: ['check.js'], problemMatcher: [] };
  await writeFile(
    path.join(folder, '.vscode/tasks.json'),
    JSON.stringify({ version: '2.0.0', tasks: [task] }),
  );
  await writeFile(path.join(folder, 'check.js'), 'console.log(`all is ${"well"}`);\n');
  const agent = { model_name: 'm', api_base: apiBase, tools: ['list_tasks', 'run_task'] };
  await writeFile(path.join(folder, 'check.agent.json'), JSON.stringify(agent));
}

test('a task is asked for with what it runs, and the answer counts', async (t) => {
  const runs = repliesCalls([{ name: 'run_task', arguments: { task: 'check' }, id: 'call_1' }]);
  const server = await createScriptedServer([
    runs,
    repliesText('It was not run.'),
    runs,
    repliesText('All is checked.'),
  ]);
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-task-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFolder(folder, server.apiBase);
  const vscode = await openWorkbench({ folder });
  t.after(async () => {
    await vscode.close();
    await server.close();
  });
  const { page } = vscode;
  const dialog = page.locator('.monaco-dialog-box');
  const chat = async (goal: string) => {
    await vscode.runCommand('Loopscope: Chat…');
    await vscode.quickInput(goal, 'Enter');
    await dialog.getByText('The agent wants to run run_task.').waitFor();
    await dialog.getByText(/Task: check\s*Runs: node check\.js\s*Folder: /).waitFor();
  };
  const told = (request: number) =>
    eventually(
      `request ${request}`,
      async () => server.requests[request]?.body ?? '',
      (body) => body !== '',
    );

  await vscode.step(t, 'it shows what the task runs; Escape is a no', async () => {
    await chat('Check it.');
    const rounds = await vscode.frame('Rounds');
    await rounds.getByText('asking whether run_task may run').first().waitFor();
    await vscode.shot('approval-task');
    await page.keyboard.press('Escape');
    assert.match(await told(1), /not approved, nothing was run: the user said no/);
  });

  await vscode.step(t, 'Enter runs it in a terminal, and the model is told how it ended', async () => {
    await eventually(
      'the end of the run',
      () => vscode.debugConsoleText(),
      (text) => text.includes('It was not run.'),
    );
    await chat('Check it now.');
    await page.keyboard.press('Enter');
    assert.match(await told(3), /\\"exit\\":0/);
    await page.locator('.terminal-wrapper').first().waitFor();
    await vscode.shot('approval-task-ran');
  });
});
