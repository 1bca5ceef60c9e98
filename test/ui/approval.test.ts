/** The question before a command acts outside the workspace, in VS Code's own dialog, answered by keyboard. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
