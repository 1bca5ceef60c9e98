/** Tools that are commands: the question before one acts outside, and where none is run at all. */
import * as assert from 'node:assert/strict';
import { createScriptedServer, repliesCalls, repliesText } from '../doubles/scriptedServer.ts';
import { answering } from './answering.ts';
import { stopAll } from './debugHelpers.ts';
import { refusalOf, runThrough, writeAgent } from './ownAgent.ts';
import { pretend } from './pretend.ts';

const tool = (effects: string) => ({
  name: 'deploy',
  description: 'Deploys.',
  parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  command: [
    'node',
    '-e',
    'process.stdin.on("data", (data) => console.log(`deployed ${JSON.parse(data).to}`))',
  ],
  effects,
});

/** One run in which the model calls it; what the model is told of it, and what was asked. */
async function deploy(effects: string, button: string | undefined) {
  const server = await createScriptedServer([
    repliesCalls([{ name: 'deploy', arguments: { to: 'prod\u001b[2J' }, id: 'call_1' }]),
    repliesText('Done.'),
  ]);
  const agent = await writeAgent('deploy.agent.json', {
    model_name: 'm',
    api_base: server.apiBase,
    tools: [tool(effects)],
  });
  const asked = await answering('showWarningMessage', button);
  await runThrough(agent, 'Deploy it.');
  asked.dispose();
  const { messages } = JSON.parse(server.requests[1]?.body ?? '') as { messages: { content: string }[] };
  await server.close();
  return { asked: asked.shown, result: messages.at(-1)?.content ?? '' };
}

describe('command tools', () => {
  afterEach(stopAll);

  it('ask before they act outside, with all that is about to happen made visible', async () => {
    const { asked, result } = await deploy('outside', 'Run');
    assert.equal(asked.length, 1);
    const [{ message = '', options = {}, buttons = [] } = {}] = asked;
    assert.equal(message, 'The agent wants to run deploy.');
    assert.equal(options.modal, true);
    assert.match(options.detail ?? '', /^Command: .*\nArguments: .*"to": ?"prod.*\nFolder: .*demo$/);
    assert.ok(!(options.detail ?? '').includes('\u001b'));
    assert.deepEqual(buttons, ['Run', 'Run, and Again in This Session', 'Run, and Always in This Workspace']);
    assert.match(result, /deployed prod/);
  });

  it('are not run when the question is closed, and the model is told', async () => {
    const { asked, result } = await deploy('outside', undefined);
    assert.equal(asked.length, 1);
    assert.match(result, /"success":false.*not approved, nothing was run: the user said no/);
  });

  it('do not ask for what stays in the workspace', async () => {
    const { asked, result } = await deploy('workspace', undefined);
    assert.deepEqual(asked, []);
    assert.match(result, /deployed prod/);
  });

  it('are refused where the workspace is not trusted', async () => {
    // VS Code itself lets nobody debug there before it is trusted; what is tried is that we do not rely on it.
    const untrusted = await pretend('workspace', 'isTrusted', false);
    try {
      const agent = await writeAgent('untrusted.agent.json', { model_name: 'demo', tools: [tool('none')] });
      assert.match(
        await refusalOf(agent),
        /The tools deploy are commands: they are run only in a trusted workspace/,
      );
    } finally {
      untrusted.dispose();
    }
  });

  it('no server is asked where the workspace is not trusted', async () => {
    const server = await createScriptedServer([]);
    const untrusted = await pretend('workspace', 'isTrusted', false);
    try {
      const agent = await writeAgent('untrusted.agent.json', {
        model_name: 'm',
        api_base: server.apiBase,
        tools: [],
      });
      assert.match(await refusalOf(agent), /is asked only in a trusted workspace/);
      assert.equal(server.requests.length, 0);
    } finally {
      untrusted.dispose();
      await server.close();
    }
  });
});
