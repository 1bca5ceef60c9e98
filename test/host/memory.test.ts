/** Long-term memory in VS Code: off, ask, on; its file, its commands. */
import * as assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { answering } from './answering.ts';
import { startDemo, stopAll, watchAdapter } from './debugHelpers.ts';
import { eventually, runThrough, writeAgent } from './ownAgent.ts';

const goal = 'What is 45 + 20?';
const agentWith = (memory: string | undefined) =>
  writeAgent(`memory-${memory ?? 'none'}.agent.json`, {
    model_name: 'demo',
    tools: ['calculator'],
    ...(memory === undefined ? {} : { memory }),
  });

/** What the command shows: the file that is open, or the word that there is none. */
async function showMemory(agent: vscode.Uri): Promise<{ readonly file?: string; readonly told?: string }> {
  const told = await answering('showInformationMessage', undefined);
  try {
    await vscode.window.showTextDocument(agent);
    await vscode.commands.executeCommand('loopscope.showMemory');
  } finally {
    told.dispose();
  }
  const active = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
  if (active.endsWith('.memory.json')) return { file: active };
  return { told: told.shown[0]?.message ?? '' };
}

const savedFor = (agent: vscode.Uri) => eventually(async () => (await showMemory(agent)).file);

describe('long-term memory', () => {
  afterEach(stopAll);

  for (const memory of [undefined, 'off']) {
    it(`is off where an agent file ${memory === undefined ? 'says nothing' : 'says so'}`, async () => {
      const agent = await agentWith(memory);
      const asked = await answering('showInformationMessage', 'Remember');
      await runThrough(agent, goal);
      asked.dispose();
      assert.deepEqual(asked.shown, []);
      assert.match((await showMemory(agent)).told ?? '', /Nothing is remembered of memory-\w+\.agent\.json/);
    });
  }

  it('on: the session is kept in a JSON file, the next one begins with it, and it can be forgotten', async () => {
    const agent = await agentWith('on');
    await runThrough(agent, goal);
    const file = await savedFor(agent);
    const { v, memories } = JSON.parse(readFileSync(file, 'utf8')) as {
      v: number;
      memories: { session: string; at: string; summary: string }[];
    };
    assert.equal(v, 1);
    assert.deepEqual(
      memories.map((one) => Object.keys(one)),
      [['session', 'at', 'summary']],
    );
    assert.ok((memories[0]?.summary ?? '').length > 20);

    const adapter = watchAdapter();
    const session = await startDemo({ agent: agent.toString(), goal, stopOnEntry: true });
    await adapter.next('stopped');
    adapter.dispose();
    const { stackFrames } = (await session.customRequest('stackTrace', { threadId: 1 })) as {
      stackFrames: DebugProtocol.StackFrame[];
    };
    const round = await vscode.workspace.openTextDocument(
      vscode.Uri.parse(stackFrames[1]?.source?.path ?? ''),
    );
    assert.match(round.getText(), /Background: what earlier sessions of this agent came to/);
    await stopAll();

    const kept = await answering('showWarningMessage', undefined);
    await vscode.window.showTextDocument(agent);
    await vscode.commands.executeCommand('loopscope.forgetMemory');
    kept.dispose();
    assert.deepEqual(
      kept.shown.map(({ options, buttons }) => [options.modal, buttons]),
      [[true, ['Forget']]],
    );
    assert.ok(kept.shown[0]?.options.detail?.includes(file));
    assert.ok(existsSync(file));
    const forgotten = await answering('showWarningMessage', 'Forget');
    await vscode.window.showTextDocument(agent);
    await vscode.commands.executeCommand('loopscope.forgetMemory');
    forgotten.dispose();
    assert.equal(existsSync(file), false);
    assert.match((await showMemory(agent)).told ?? '', /Nothing is remembered/);
  });

  it('ask: a no keeps nothing, a yes keeps it', async () => {
    const agent = await agentWith('ask');
    const no = await answering('showInformationMessage', 'No');
    await runThrough(agent, goal);
    await eventually(async () => no.shown[0]);
    no.dispose();
    assert.deepEqual(
      no.shown.map(({ buttons }) => buttons),
      [['Remember', 'No']],
    );
    assert.match(no.shown[0]?.message ?? '', /Remember the session “What is 45 \+ 20\?”\?/);
    assert.match((await showMemory(agent)).told ?? '', /Nothing is remembered/);

    const yes = await answering('showInformationMessage', 'Remember');
    await runThrough(agent, goal);
    await eventually(async () => yes.shown[0]);
    yes.dispose();
    assert.ok(existsSync(await savedFor(agent)));
  });
});
