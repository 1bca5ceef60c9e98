import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkingState } from '../../../src/core/ports.ts';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { memoryState, toolContext } from './toolContext.ts';

const box = createToolbox(builtinTools);

async function call(state: WorkingState, name: string, input: unknown = {}): Promise<unknown> {
  const { observation } = await box.perform(
    { name, arguments: JSON.stringify(input) },
    toolContext({ state }),
  );
  return observation.success ? observation.data : { error: observation.error };
}

test('add, list, complete: ids count on and stay, each change is one set of the state', async () => {
  const state = memoryState();
  assert.deepEqual(await call(state, 'list_todos'), { items: [], open: 0, done: 0 });
  assert.deepEqual(await call(state, 'add_todo', { content: ' Write report ', minutes: 45 }), {
    id: 1,
    total: 1,
  });
  assert.deepEqual(await call(state, 'add_todo', { content: '回复邮件' }), { id: 2, total: 2 });
  assert.deepEqual(await call(state, 'complete_todo', { id: 1 }), { id: 1, open: 1 });
  assert.deepEqual(await call(state, 'list_todos'), {
    items: [
      { id: 1, content: 'Write report', minutes: 45, done: true },
      { id: 2, content: '回复邮件', done: false },
    ],
    open: 1,
    done: 1,
  });
  assert.equal(state.sets.length, 3);
});

test('a new id is above all others, also where some were taken away by hand', async () => {
  const state = memoryState({ todos: [{ id: 7, content: 'a', done: false }] });
  assert.deepEqual(await call(state, 'add_todo', { content: 'b' }), { id: 8, total: 2 });
});

test('an unknown id names the open ones and changes nothing', async () => {
  const state = memoryState({
    todos: [
      { id: 3, content: 'a', done: false },
      { id: 4, content: 'b', done: true },
    ],
  });
  assert.deepEqual(await call(state, 'complete_todo', { id: 9 }), { error: 'there is no to-do 9; open: 3' });
  assert.deepEqual(state.sets, []);
});

test('to-dos that an edit has broken are named, not overwritten', async () => {
  for (const todos of ['x', [{ id: 'a' }], { items: [] }]) {
    const state = memoryState({ todos });
    for (const [name, input] of [
      ['list_todos', {}],
      ['add_todo', { content: 'a' }],
      ['complete_todo', { id: 1 }],
    ] as const) {
      assert.match(JSON.stringify(await call(state, name, input)), /not a list of/);
    }
    assert.deepEqual(state.sets, []);
  }
});

test('empty contents and impossible minutes are refused before anything runs', () => {
  for (const input of [
    {},
    { content: '  ' },
    { content: 'a', minutes: 0 },
    { content: 'a', minutes: '45' },
    { content: 'a', when: 1 },
  ]) {
    assert.equal(box.problem({ name: 'add_todo', arguments: JSON.stringify(input) })?.outcome, 'invalid');
  }
});
