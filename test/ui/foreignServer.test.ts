/** The main path over HTTP: an OpenAI-compatible server that others wrote, streaming, two calls in a reply. */
import { LLMock } from '@copilotkit/aimock';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

test('the main path over a server that others wrote', async (t) => {
  const mock = await LLMock.create({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
  t.after(() => mock.stop());
  const goal = 'add the mail';
  mock.on(
    { userMessage: goal, turnIndex: 0 },
    {
      content: 'I add it, and add up.',
      toolCalls: [
        { name: 'add_todo', arguments: '{"content":"reply to mail","minutes":20}' },
        { name: 'calculator', arguments: '{"expression":"45+20"}' },
      ],
    },
    { chunkSize: 6 },
  );
  mock.on(
    { userMessage: goal, turnIndex: 1 },
    { content: 'It is on the list, 65 minutes in all.' },
    { chunkSize: 6 },
  );

  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-http-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const agent = {
    model_name: 'gpt-4o',
    api_base: `${mock.url}/v1`,
    system_prompt: 'Plan.',
    tools: ['add_todo', 'calculator'],
  };
  await writeFile(path.join(folder, 'http.agent.json'), JSON.stringify(agent));
  const vscode = await openWorkbench({ folder });
  t.after(() => vscode.close());

  await vscode.step(t, 'stops at plan before anything is sent', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickInput(goal, 'Enter');
    await vscode.whenStopped('plan');
    assert.equal(mock.getRequests().length, 0);
  });

  await vscode.step(t, 'the streamed reply holds two calls; one is edited, both run', async () => {
    await vscode.pressF10();
    await vscode.whenStopped('act · add_todo (1/2)');
    await vscode.pressF11();
    await vscode.whenStopped('act · calculator (2/2)');
    await vscode.expandVariable('Pending', 'call 1.1.2');
    await vscode.setVariable('arguments', '{"expression":"40+2"}');
    await vscode.pressF10();
    await vscode.whenStopped('observe');
    assert.equal(mock.getRequests().length, 1);
  });

  await vscode.step(
    t,
    'the next request carries the edit and its result, and the answer arrives',
    async () => {
      await vscode.pressF10();
      await vscode.whenStopped('plan');
      await vscode.pressF10();
      await vscode.whenStopped('observe');
      const [, second] = mock.getRequests();
      const { messages } = second?.body as {
        messages: { content?: string; tool_calls?: { function: { arguments: string } }[] }[];
      };
      assert.equal(messages[2]?.tool_calls?.[1]?.function.arguments, '{"expression":"40+2"}');
      assert.equal(messages[4]?.content, '{"success":true,"data":42}');
      await eventually(
        'the answer',
        () => vscode.debugConsoleText(),
        (text) => text.includes('It is on the list, 65 minutes in all.'),
      );
      // The provider reported its usage: the meter is anchored on it.
      const rounds = await vscode.frame('Rounds');
      await eventually(
        'the reply in Rounds',
        () => rounds.locator('body').innerText(),
        (text) => text.includes('65 minutes in all'),
      );
      await vscode.shot('http');
    },
  );
});
