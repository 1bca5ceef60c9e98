/**
 * C35: a folder of a file system that is on no disk. Its provider is real; that it is the workspace's folder is only
 * said here, since VS Code starts its extensions anew for another first folder.
 */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createScriptedServer, repliesCalls, repliesText } from '../doubles/scriptedServer.ts';
import { stopAll } from './debugHelpers.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { refusalOf, runThrough } from './ownAgent.ts';
import { pretend } from './pretend.ts';

const scheme = 'loopscope-test-memory';
const at = (path: string) => vscode.Uri.from({ scheme, path });
const deploy = {
  name: 'deploy',
  description: 'Deploys.',
  parameters: { type: 'object' },
  command: ['node', '-e', ''],
  effects: 'none',
};

describe('a virtual folder', () => {
  const files = createMemoryFiles({ '/proj/notes/today.md': 'Water the plants.\n' });
  const folders = [{ uri: at('/proj'), name: 'proj', index: 0 }];
  let provider: vscode.Disposable;
  let pretence: vscode.Disposable;
  before(async () => {
    provider = vscode.workspace.registerFileSystemProvider(scheme, files);
    pretence = await pretend('workspace', 'workspaceFolders', folders);
  });
  after(() => {
    pretence.dispose();
    provider.dispose();
  });
  afterEach(stopAll);

  const write = async (name: string, settings: object) => {
    const uri = at(`/proj/${name}`);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(settings)));
    return uri;
  };

  it('is read by the tools of an agent whose file lies in it', async () => {
    const server = await createScriptedServer([
      repliesCalls([
        { name: 'list_files', arguments: {}, id: 'call_1' },
        { name: 'read_file', arguments: { path: 'notes/today.md' }, id: 'call_2' },
      ]),
      repliesText('Done.'),
    ]);
    const tools = ['list_files', 'read_file'];
    await runThrough(
      await write('a.agent.json', { model_name: 'm', api_base: server.apiBase, tools }),
      'Look.',
    );
    const { messages } = JSON.parse(server.requests[1]?.body ?? '') as { messages: { content: string }[] };
    await server.close();
    assert.match(messages.at(-2)?.content ?? '', /"success":true.*notes\//);
    assert.match(messages.at(-1)?.content ?? '', /"success":true.*Water the plants/);
  });

  it('runs no commands: an agent that has some is refused, with the reason', async () => {
    const agent = await write('deploy.agent.json', { model_name: 'demo', tools: [deploy] });
    assert.match(await refusalOf(agent), /The tools deploy are commands: .* no folder on disk is open/);
  });
});
