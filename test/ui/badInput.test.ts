/** What can go wrong, as a person meets it: each a clear message that says what to do. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

async function folderWith(t: TestContext, agents: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-bad-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [name, value] of Object.entries(agents)) {
    await writeFile(
      path.join(folder, `${name}.agent.json`),
      typeof value === 'string' ? value : JSON.stringify(value),
    );
  }
  return folder;
}

/** A server that answers as it is told, or says nothing after its headers. */
async function serve(t: TestContext, answer: 'refuse-key' | 'silence'): Promise<string> {
  const server = createServer((_request, response) => {
    if (answer === 'refuse-key') {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }),
      );
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"I begin and"}}]}\n\n');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('faults that a person meets', async (t) => {
  const base = { system_prompt: 'x', tools: [] };
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const nobody = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1`;
  await new Promise((resolve) => closed.close(resolve));
  const folder = await folderWith(t, {
    wrong: '{\n  "model_name": "demo",\n  "temperatur": 1,\n  "tools": ["calculatr"]\n}\n',
    unreachable: { ...base, model_name: 'm', api_base: nobody },
    refused: { ...base, model_name: 'm', api_base: await serve(t, 'refuse-key') },
    silent: { ...base, model_name: 'm', api_base: await serve(t, 'silence') },
    mistakes: { ...base, model_name: 'demo', tools: ['calculator', 'read_file', 'list_todos'] },
  });
  const vscode = await openWorkbench({ folder });
  t.after(() => vscode.close());
  let sessions = 0;
  const debug = async (agent: string, goal: string) => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    // After a session it would go on with that one.
    if (sessions++ > 0)
      await vscode.page.locator('.quick-input-widget').getByRole('button', { name: 'New Session' }).click();
    await vscode.quickPick(`${agent}.agent.json`);
    await vscode.quickInput(goal, 'Enter');
  };
  const stop = async () => {
    await vscode.debugToolbar('stop');
    await vscode.whenNotDebugging();
  };

  await vscode.step(t, 'a wrong agent file is refused with its line and the nearest name', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickPick('wrong.agent.json');
    await vscode.quickInput('hi', 'Enter');
    const dialog = vscode.page.getByRole('dialog').filter({ hasText: 'calculatr' });
    await dialog.waitFor();
    assert.match(
      await dialog.innerText(),
      /wrong\.agent\.json:4: There is no tool "calculatr"\. Did you mean "calculator"\?/,
    );
    await vscode.shot('wrong-agent-file');
    await vscode.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  await vscode.step(t, 'a server that refuses the key stops as a fault that says what to do', async () => {
    await debug('refused', 'hi');
    await vscode.whenStopped('plan');
    await vscode.pressF5();
    await vscode.whenStopped('reply');
    const widget = vscode.page.locator('.exception-widget');
    await widget.waitFor();
    const text = await widget.innerText();
    assert.match(text, /auth/);
    assert.match(text, /Set API Key|api_key_env/);
    await vscode.shot('wrong-key');
    await stop();
  });

  await vscode.step(
    t,
    'a server that is not there names its address, after three more attempts',
    async () => {
      await debug('unreachable', 'hi');
      await vscode.whenStopped('plan');
      await vscode.pressF5();
      await vscode.whenStopped('reply');
      const text = await vscode.page.locator('.exception-widget').innerText();
      assert.match(text, /api_base/);
      assert.ok(text.includes(nobody));
      await stop();
    },
  );

  await vscode.step(
    t,
    'stopped in the middle of a stream: the text that had come stays, the session ends',
    async () => {
      await debug('silent', 'hi');
      await vscode.whenStopped('plan');
      await vscode.pressF5();
      await eventually(
        'streamed text',
        () => vscode.debugConsoleText(),
        (text) => text.includes('I begin and'),
      );
      await stop();
      const rounds = await vscode.frame('Rounds');
      await eventually(
        'the cancel in Rounds',
        () => rounds.locator('body').innerText(),
        (text) => /cancel/i.test(text),
      );
      await vscode.shot('stopped-in-stream');
    },
  );

  await vscode.step(t, 'a tool that fails stops as a fault with its words', async () => {
    await debug('mistakes', 'use a failing tool');
    await vscode.whenStopped('plan');
    await vscode.pressF10();
    await vscode.whenStopped(/^act · read_file/);
    await vscode.pressF5();
    await vscode.whenStopped('observe');
    const text = await vscode.page.locator('.exception-widget').innerText();
    assert.match(text, /toolFailure/);
    assert.match(text, /read_file/);
    await vscode.shot('tool-failure');
    await stop();
  });
});

test('no folder open', async (t) => {
  const vscode = await openWorkbench({ folder: null });
  t.after(() => vscode.close());
  await vscode.step(
    t,
    'Debug Agent… says so and offers New Agent, which opens a commented file',
    async () => {
      await vscode.runCommand('Loopscope: Debug Agent…');
      const notices = await eventually(
        'a notice',
        () => vscode.notifications(),
        (all) => all.join().includes('No folder is open'),
      );
      assert.match(notices.join('\n'), /agent file/);
      const list = await vscode.openNotifications();
      await list.getByRole('button', { name: 'New Agent' }).first().click();
      const editor = vscode.page.locator('.editor-group-container.active .view-lines');
      await eventually(
        'the template',
        () => editor.innerText(),
        (text) => text.includes('model_name'),
      );
      await vscode.shot('new-agent-no-folder');
    },
  );
});
