/** C13: what a provider would refuse for the whole request is found when the tools are put together, by name. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import * as z from 'zod';
import type { JsonSchema } from '../../../src/core/ports.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import type { Tool } from '../../../src/toolbox/tool.ts';
import { wireName } from '../../../src/toolbox/wireName.ts';
import { repliesCalls, repliesText } from '../../doubles/scriptedServer.ts';
import { eventsOf, runOnServer } from '../../doubles/serverRun.ts';
import { createTestSession } from '../../doubles/testAgent.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';
import { logLine } from '../../../src/core/logLine.ts';

const dotted = 'workspace.search/files_by_content_including_generated_and_vendored_dirs';
const almost = 'workspace_search/files_by_content_including_generated_and_vendored_dirs';

function named(name: string, ran: string[] = []): Tool {
  return defineTool({
    name,
    description: `Is ${name}.`,
    effects: 'none',
    input: z.object({ q: z.string(), max: z.int().optional() }),
    run: () => ran.push(name),
  });
}

function raw(parameters: JsonSchema, more: Partial<Tool['spec']> = {}): Tool {
  const spec = { name: 'odd', description: 'Odd.', parameters, effects: 'none', ...more } as const;
  return { spec, prepare: () => ({ ok: true, run: () => 1 }) };
}

const legal = /^[a-zA-Z0-9_-]{1,64}$/;

test('C13: names become legal, distinct and stable', () => {
  const names = [
    dotted,
    almost,
    'a b',
    'a.b',
    'a/b',
    'ż'.repeat(70),
    '🐢',
    '.',
    'x'.repeat(64),
    'x'.repeat(65),
    'x'.repeat(66),
  ];
  const wire = names.map(wireName);
  for (const name of wire) assert.match(name, legal);
  assert.equal(new Set(wire).size, names.length);
  assert.deepEqual(names.map(wireName), wire);
  // Journals and provider-side caches of other days know these: they must not change between versions.
  assert.equal(wireName(dotted), 'workspace_search_files_by_content_including_generated_a_7c064b86');
  assert.equal(wireName('read_file'), 'read_file');
});

test('C13: both tools are offered, and a call reaches the right one; the trace shows both names', async (t: TestContext) => {
  const ran: string[] = [];
  const lines: string[] = [];
  const calls = [dotted, almost].map((name, n) => ({
    name: wireName(name),
    id: `c${n}`,
    arguments: { q: 'x' },
  }));
  const session = createTestSession();
  session.journal.onEvent((event) => lines.push(logLine(session.state, event) ?? ''));
  const { outcome, sent } = await runOnServer(t, {
    session,
    script: [repliesCalls(calls), repliesText('done')],
    tools: [named(dotted, ran), named(almost, ran)],
    refuse: strictRefusal,
  });
  assert.equal(outcome, 'done');
  assert.deepEqual(ran, [dotted, almost]);
  assert.equal(sent.length, 2);
  assert.deepEqual(
    eventsOf(session, 'call.started').map(({ name, tool }) => [name, tool]),
    [dotted, almost].map((name) => [wireName(name), name]),
  );
  assert.ok(
    lines.some((line) => line.includes(`${wireName(dotted)} (${dotted})`)),
    lines.join('\n'),
  );
});

test('C13: an error at registration names the tool', () => {
  const property = (schema: unknown): JsonSchema => ({ type: 'object', properties: { p: schema } });
  const cyclic: Record<string, unknown> = { type: 'object', properties: {} };
  cyclic['properties'] = { again: cyclic };
  const refused: readonly (readonly [Tool, RegExp])[] = [
    [raw({ type: 'string' }), /"odd".*must be an object/],
    [raw({}), /"odd".*must be an object/],
    [raw({ type: 'object', anyOf: [] }), /"odd".*"anyOf" at the top/],
    [raw(property({ type: 'array' })), /"odd".*properties\/p is an array/],
    [raw(property({ type: 'object', properties: { q: { type: 'array' } } })), /properties\/q is an array/],
    [raw({ type: 'object', required: 'p' }), /"odd".*"required"/],
    [raw({ type: 'object', properties: [] }), /"odd".*"properties"/],
    [raw(property({ type: 'string', description: 'half \uD83D' })), /"odd".*surrogate/],
    [raw(property({ type: 'integer', default: 1n })), /"odd".*JSON/],
    [raw(cyclic), /"odd".*nested/],
    [raw({ type: 'object' }, { description: undefined as unknown as string }), /"odd".*description/],
    [raw({ type: 'object' }, { name: '' }), /name is empty/],
    [raw({ type: 'object' }, { name: 'a\u0000b' }), /control characters/],
  ];
  for (const [tool, message] of refused) assert.throws(() => createToolbox([tool]), message);
  assert.throws(() => createToolbox([named('twice'), named('twice')]), /"twice" and "twice"/);
  assert.throws(() => createToolbox([named(dotted), named(wireName(dotted))]), /on the wire/);
  // Data in a schema is no schema.
  createToolbox([raw(property({ enum: [{ type: 'array' }] }))]);
});

test('C13: strict is sent only where the schema qualifies', () => {
  const strict = (input: z.ZodType) =>
    createToolbox([
      defineTool({ name: 't', description: '', effects: 'none', strict: true, input, run: () => 1 }),
    ]).tools[0]?.strict;
  assert.equal(strict(z.strictObject({ a: z.string(), b: z.strictObject({ c: z.int() }) })), true);
  assert.equal(strict(z.strictObject({})), true);
  assert.equal(strict(z.strictObject({ a: z.string().optional() })), undefined);
  assert.equal(strict(z.object({ a: z.string() })), undefined);
  assert.equal(strict(z.strictObject({ a: z.object({ b: z.string() }) })), undefined);
  assert.equal(strict(z.strictObject({ a: z.array(z.object({ b: z.string() })) })), undefined);
  const silent = defineTool({
    name: 't',
    description: '',
    effects: 'none',
    input: z.strictObject({}),
    run: () => 1,
  });
  assert.equal(createToolbox([silent]).tools[0]?.strict, undefined);
});
