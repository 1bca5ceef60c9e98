/** The library from plain JavaScript: what is of the wrong kind is refused with what to pass instead, and nothing is begun. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { Agent, builtinTools, createDemoModel, defineTool } from '../../../src/entry/lib.ts';

const model = createDemoModel();
// As JavaScript sees them: nothing holds an argument to its type.
const create = (options?: unknown) => new (Agent as new (options: unknown) => Agent)(options);
const define = (definition?: unknown) => (defineTool as (definition: unknown) => unknown)(definition);
const echo = { name: 'echo', description: 'Says it.', effects: 'none', run: () => 0 };
const input = z.object({});

const agents: readonly (readonly [what: string, options: unknown, words: RegExp])[] = [
  ['no options', undefined, /options must be an object; got undefined/],
  ['null', null, /got null/],
  ['no model', {}, /createOpenAiClient.*got undefined/],
  ['a model by name', { model: 'gpt-4' }, /createOpenAiClient.*got the text "gpt-4"/],
  ['a model that can not send', { model: { url: 'x', label: 'y' } }, /with a send\(\)/],
  ['a model without a label', { model: { url: 'x', send: () => undefined } }, /label must be a text/],
  ['tools that are no list', { model, tools: {} }, /must be a list/],
  ['a tool by name', { model, tools: ['list_files'] }, /tools\[0\].*builtinTools/],
  ['a hole among the tools', { model, tools: [...builtinTools, undefined] }, /tools\[\d+\].*got undefined/],
  [
    'a tool as the API has it',
    { model, tools: [{ type: 'function', function: {} }] },
    /defineTool.*got an object with type, function/,
  ],
  [
    'two tools of one name',
    { model, tools: [define({ ...echo, input }), define({ ...echo, input })] },
    /same name: "echo" and "echo"\. Leave one out/,
  ],
  ['a setting that is none', { model, maxIters: 3 }, /new Agent\(\): Unrecognized key: "maxIters"/],
  ['a setting of another kind', { model, max_iters: 'many' }, /new Agent\(\): max_iters: .*number/],
  ['a workspace by its path', { model, workspace: '/tmp' }, /createFolderWorkspace/],
  ['approve: a word', { model, approve: 'yes' }, /approve.*must be a function/],
];
for (const [what, options, words] of agents)
  test(`new Agent: ${what}`, () => assert.throws(() => create(options), words));

const definitions: readonly (readonly [what: string, definition: unknown, words: RegExp])[] = [
  ['nothing', undefined, /needs a definition/],
  ['no schema', echo, /has no input: z\.object\(\{\}\)/],
  ['a schema of zod 3', { ...echo, input: z3.object({ a: z3.string() }) }, /echo .*schema of zod 3.*zod\/v4/],
  ['a JSON schema', { ...echo, input: { type: 'object', properties: {} } }, /echo .*JSON schema.*z\.object/],
  ['a function as its schema', { ...echo, input: () => input }, /schema of zod/],
  ['no run', { ...echo, input, run: undefined }, /run must be a function/],
  ['no description', { ...echo, input, description: undefined }, /description must be a text/],
  ['effects of its own', { ...echo, input, effects: 'write' }, /one of none, session, workspace, outside/],
  ['a time that is none', { ...echo, input, timeout: NaN }, /timeout must be seconds/],
  ['a time below zero', { ...echo, input, timeout: -1 }, /timeout must be seconds/],
  ['what no JSON schema says', { ...echo, input: z.object({ at: z.date() }) }, /echo .*Date/],
];
for (const [what, definition, words] of definitions)
  test(`defineTool: ${what}`, () => assert.throws(() => define(definition), words));

test('defineTool: a time that turns out to be none leaves the limit of the agent', () => {
  for (const seconds of [NaN, -1, 0, '5', undefined]) {
    const tool = defineTool({ ...echo, effects: 'none', input, timeout: () => seconds as number });
    const prepared = tool.prepare({});
    assert.ok(prepared.ok);
    assert.equal(prepared.timeoutMs, undefined, String(seconds));
  }
});

const agent = new Agent({ model, tools: builtinTools });
type Loose = (...values: readonly unknown[]) => Promise<unknown>;
const chat: Loose = (...values) => (agent.chat as Loose).call(agent, ...values);

const chats: readonly (readonly [what: string, values: readonly unknown[], words: RegExp])[] = [
  ['no goal', [], /goal must be a text that says what to do; got undefined/],
  ['a goal of blanks', ['  \n'], /goal must be a text/],
  ['a message as the goal', [{ role: 'user', content: 'x' }], /goal must be a text.*role, content/],
  [
    'a listener in place of the options',
    ['x', () => undefined],
    /options must be an object, \{ session, onEvent, signal \}/,
  ],
  ['a session by its id', ['x', { session: 's-1' }], /const \{ session \} = await agent\.chat/],
  [
    'a result as the session',
    ['x', { session: { session: {}, message: 'y' } }],
    /result\.session and not the result itself/,
  ],
  ['a listener that is none', ['x', { onEvent: 'log' }], /onEvent must be a function/],
  ['a controller as the signal', ['x', { signal: new AbortController() }], /pass controller\.signal/],
];
for (const [what, values, words] of chats)
  test(`chat: ${what}`, () =>
    assert.rejects(chat(...values), (error) => error instanceof TypeError && words.test(error.message)));

test('continue and remember want a session too', async () => {
  const loose = agent as unknown as Record<'continue' | 'remember', Loose>;
  await assert.rejects(loose.continue(), /continue\(session, rounds\): the session/);
  const remembering = new Agent({ model, memoryFile: 'memory.json' }) as unknown as Record<'remember', Loose>;
  await assert.rejects(remembering.remember('s-1'), /remember\(session\): the session/);
});

test('null says as much as nothing, as JavaScript has it', async () => {
  const answer = await chat('What is 45 + 20?', null);
  assert.equal((answer as { message: string }).message, '45 + 20 = 65');
  await chat('What is 45 + 20?', { session: null, onEvent: null, signal: null });
});
