import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { startDemo, stopAll, watchAdapter, type Watched } from './debugHelpers.ts';

describe('commands that edit what is paused', () => {
  let adapter: Watched;
  beforeEach(() => {
    adapter = watchAdapter();
  });
  afterEach(async () => {
    await stopAll();
    adapter.dispose();
  });

  const rows = async (session: vscode.DebugSession, scope: string) => {
    const { scopes } = (await session.customRequest('scopes', { frameId: 1 })) as {
      scopes: DebugProtocol.Scope[];
    };
    const variablesReference = scopes.find(({ name }) => name === scope)?.variablesReference ?? 0;
    const { variables } = (await session.customRequest('variables', { variablesReference })) as {
      variables: DebugProtocol.Variable[];
    };
    return { variables, variablesReference };
  };

  /** As VS Code calls a command of the context menu of a row. */
  const onRow = async (command: string, session: vscode.DebugSession, scope: string, name: string) => {
    const { variablesReference } = await rows(session, scope);
    const row = { sessionId: session.id, container: { variablesReference }, variable: { name } };
    await vscode.commands.executeCommand(command, row);
  };

  it('pins a message by its row, and asks again by the command of the toolbar', async () => {
    const session = await startDemo();
    await adapter.next('stopped');
    await onRow('loopscope.pinMessage', session, 'Messages', 'm2');
    const pinned = (await rows(session, 'Session')).variables.find(({ name }) => name === 'pinned');
    assert.equal(pinned?.value, 'm2');
    await session.customRequest('stepIn', { threadId: 1 });
    await adapter.next('stopped');
    await vscode.commands.executeCommand('loopscope.askAgain');
    const stop = await adapter.next<{ description: string }>('stopped');
    assert.match(stop.description, /before plan/);
    const pending = (await rows(session, 'Pending')).variables.map(({ name }) => name);
    assert.ok(
      pending.some((name) => /set aside/.test(name)),
      pending.join(),
    );
  });

  it('skips a call by its row', async () => {
    const session = await startDemo();
    await adapter.next('stopped');
    await session.customRequest('next', { threadId: 1 });
    await adapter.next('stopped');
    const call = (await rows(session, 'Pending')).variables[0]?.name ?? '';
    await onRow('loopscope.skipCall', session, 'Pending', call);
    const [row] = (await rows(session, 'Pending')).variables;
    const { variables } = (await session.customRequest('variables', {
      variablesReference: row?.variablesReference,
    })) as { variables: DebugProtocol.Variable[] };
    assert.match(variables.find(({ name }) => name === 'state')?.value ?? '', /skip/);
  });
});
