import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { startDemo, stopAll, watchAdapter, type Watched } from './debugHelpers.ts';
import { picking, type Picking } from './picking.ts';

const loopscope = (name: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`loopscope.${name}`, ...args);

/** Commands that a row of Variables or the palette can be asked for, and that need a paused agent. */
const editing = [
  ...['addMessage', 'removeMessage', 'dropMessage', 'restoreMessage', 'pinMessage', 'unpinMessage'],
  ...['setParameter', 'resetParameter', 'addCall', 'removeCall', 'mockCall', 'skipCall', 'rejectCall'],
  ...['askAgain', 'editHere'],
];

describe('commands that edit what is paused', () => {
  let adapter: Watched;
  let user: Picking;
  beforeEach(async () => {
    adapter = watchAdapter();
    user = await picking();
  });
  afterEach(async () => {
    user.dispose();
    await stopAll();
    adapter.dispose();
  });

  const begin = async () => {
    const session = await startDemo({ stopOnEntry: true });
    await adapter.next('stopped');
    return session;
  };
  const step = async (session: vscode.DebugSession, verb: string) => {
    await session.customRequest(verb, { threadId: 1 });
    await adapter.next('stopped');
  };
  const children = async (session: vscode.DebugSession, variablesReference: number) =>
    (
      (await session.customRequest('variables', { variablesReference })) as {
        variables: DebugProtocol.Variable[];
      }
    ).variables;
  const reference = async (session: vscode.DebugSession, [scope, ...path]: readonly string[]) => {
    const { scopes } = (await session.customRequest('scopes', { frameId: 1 })) as {
      scopes: DebugProtocol.Scope[];
    };
    let found = scopes.find(({ name }) => name === scope)?.variablesReference ?? 0;
    for (const name of path)
      found = (await children(session, found)).find((row) => row.name === name)?.variablesReference ?? 0;
    return found;
  };
  const rows = async (session: vscode.DebugSession, ...path: readonly string[]) =>
    (await children(session, await reference(session, path))).map(({ name, value }) => `${name}: ${value}`);
  /** As VS Code calls a command of the context menu of a row. */
  const onRow = async (command: string, session: vscode.DebugSession, ...path: readonly string[]) => {
    const variablesReference = await reference(session, path.slice(0, -1));
    const row = { sessionId: session.id, container: { variablesReference }, variable: { name: path.at(-1) } };
    await loopscope(command, row);
  };

  it('at plan, from rows: pins, drops, adds, removes, restores and sets', async () => {
    const session = await begin();
    await onRow('pinMessage', session, 'Messages', 'm2');
    assert.ok((await rows(session, 'Session')).includes('pinned: m2'));
    await onRow('unpinMessage', session, 'Messages', 'm2');
    assert.ok((await rows(session, 'Session')).includes('pinned: none by you'));
    user.answer('this request only', 'user', 'In minutes, please.');
    await onRow('addMessage', session, 'Messages', 'm2');
    assert.match(
      (await rows(session, 'Pending', 'messages')).at(-1) ?? '',
      /^m3: user: In minutes, please\.$/,
    );
    await onRow('removeMessage', session, 'Pending', 'messages', 'm3');
    assert.equal((await rows(session, 'Pending', 'messages')).length, 2);
    user.answer('0.9');
    await onRow('setParameter', session, 'Pending', 'temperature');
    assert.ok((await rows(session, 'Pending')).includes('temperature: 0.9'));
    await onRow('resetParameter', session, 'Pending', 'temperature');
    assert.ok(!(await rows(session, 'Pending')).includes('temperature: 0.9'));
    await onRow('dropMessage', session, 'Messages', 'm1');
    assert.equal((await rows(session, 'Pending', 'messages')).length, 2);
    assert.match(user.told.join(), /m1/, 'the system message stays, and why is told');
    user.assertDone();
  });

  it('at plan of a later round: a block is dropped and restored, by row and from the palette', async () => {
    const session = await begin();
    await step(session, 'stepOut');
    const sent = async () => (await rows(session, 'Pending', 'messages')).length;
    const all = await sent();
    await onRow('dropMessage', session, 'Messages', 'm3');
    assert.equal(await sent(), all - 2, 'a call leaves with its result');
    await onRow('restoreMessage', session, 'Messages', 'm3');
    assert.equal(await sent(), all);
    user.answer('m3');
    await loopscope('dropMessage');
    assert.equal(await sent(), all - 2);
    user.answer('m3');
    await loopscope('restoreMessage');
    assert.equal(await sent(), all);
    user.answer('m3');
    await loopscope('pinMessage');
    user.answer('m3');
    await loopscope('unpinMessage');
    user.answer('for good', 'Behind m4', 'user', 'Go on.');
    await loopscope('addMessage');
    assert.equal((await rows(session, 'Messages')).length, all + 1);
    user.answer('m5');
    await loopscope('removeMessage');
    assert.equal((await rows(session, 'Messages')).length, all);
    user.answer('seed', '7');
    await loopscope('setParameter');
    assert.ok((await rows(session, 'Pending')).includes('seed: 7'));
    user.answer('seed');
    await loopscope('resetParameter');
    assert.ok(!(await rows(session, 'Pending')).includes('seed: 7'));
    assert.deepEqual(user.told, []);
    user.assertDone();
  });

  it('at reply and act: adds and removes calls, answers, skips, rejects, asks again', async () => {
    const session = await begin();
    await step(session, 'stepIn');
    user.answer('calculator', '{"expression":"1+1"}');
    await loopscope('addCall');
    user.answer('add_todo', '{"content":"nap"}');
    await onRow('addCall', session, 'Pending', 'reply');
    user.answer('list_todos', '{');
    await loopscope('addCall');
    assert.match(user.told.at(-1) ?? '', /bad-arguments/);
    const calls = async () => (await rows(session, 'Pending')).filter((row) => row.startsWith('call '));
    assert.equal((await calls()).length, 3);
    user.answer('1.1.3');
    await loopscope('removeCall');
    await onRow('removeCall', session, 'Pending', 'call 1.1.2');
    assert.equal((await calls()).length, 1);
    user.answer('calculator', '{"expression":"2+2"}');
    await loopscope('addCall');
    await onRow('skipCall', session, 'Pending', 'call 1.1.2');
    assert.match((await calls()).join(), /skip/);
    user.answer('1.1.1', '[]');
    await loopscope('mockCall');
    assert.match((await calls()).join(), /mock/);
    await onRow('removeCall', session, 'Pending', 'call 1.1.2');
    assert.match(user.told.at(-1) ?? '', /once one of them was answered/);
    await loopscope('askAgain');
    assert.match((await adapter.next<{ description: string }>('stopped')).description, /before plan/);
    assert.match((await rows(session, 'Pending')).join(), /set aside/);
    await step(session, 'next');
    user.answer('1.1.1', 'not now');
    await loopscope('rejectCall');
    assert.match((await calls()).join(), /reject/);
    user.answer('7');
    await onRow('mockCall', session, 'Pending', 'call 1.1.1');
    user.answer('');
    await onRow('rejectCall', session, 'Pending', 'call 1.1.1');
    user.answer('1.1.1');
    await loopscope('skipCall');
    user.answer('Skip a Call', undefined);
    await loopscope('editHere');
    assert.match(user.asked.at(-2) ?? '', /Answer for the Tool \| Skip a Call \| Reject a Call/);
    user.assertDone();
  });

  it('Escape at any question does nothing', async () => {
    const session = await begin();
    await step(session, 'stepIn');
    const events = async () => (await rows(session, 'Pending')).join();
    const before = await events();
    for (const command of editing.filter((one) => one !== 'askAgain')) {
      user.answer(undefined);
      await loopscope(command);
      // Where there is nothing to choose from, no question is asked.
      user.clear();
    }
    assert.ok(user.asked.length > 9, user.asked.join('\n'));
    assert.equal(await events(), before);
  });

  it('in a wrong state each says why, and none throws', async () => {
    for (const command of editing) await loopscope(command);
    assert.deepEqual(new Set(user.told), new Set(['No agent is paused.']));
    assert.equal(user.told.length, editing.length);
    const session = await begin();
    const told = async (act: () => unknown) => {
      const before = user.told.length;
      await act();
      return user.told.slice(before).join();
    };
    assert.match(await told(() => loopscope('askAgain')), /only at reply/);
    assert.match(await told(() => loopscope('unpinMessage')), /nothing here/);
    assert.match(await told(() => loopscope('mockCall')), /nothing here/);
    assert.match(
      await told(() => onRow('pinMessage', session, 'Session', 'runs')),
      /no message, call or parameter/,
    );
    assert.match(await told(() => onRow('editInEditor', session, 'Session', 'runs')), /can not be edited/);
    user.answer('1');
    assert.match(await told(() => loopscope('runToRound')), /round after this one/);
    await step(session, 'stepIn');
    await step(session, 'stepBack');
    assert.match(await told(() => onRow('pinMessage', session, 'Messages', 'm2')), /the past/);
    assert.match(await told(() => loopscope('askAgain')), /the past/);
    await step(session, 'stepIn');
    user.answer('2');
    await loopscope('runToRound');
    assert.match((await adapter.next<{ description: string }>('stopped')).description, /before plan/);
    user.assertDone();
  });

  it('stops at each call of a tool, by the row of a call', async () => {
    const session = await begin();
    await step(session, 'next');
    await onRow('stopOnTool', session, 'Pending', 'call 1.1.1');
    await session.customRequest('setExceptionBreakpoints', { filters: [] });
    await step(session, 'continue');
    assert.match((await rows(session, 'Pending'))[0] ?? '', /list_todos/, 'at the next call of list_todos');
    await loopscope('stopOnTool');
    await onRow('stopOnTool', session, 'Messages', 'm1');
    assert.match(user.told.join(), /on a call\..*no call of a tool/);
  });
});
