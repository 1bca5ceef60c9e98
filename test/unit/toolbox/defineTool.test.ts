import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import {
  builtinTools,
  codeTools,
  editorTools,
  programTools,
  toolNames,
} from '../../../src/toolbox/builtinTools.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { describeSchema } from '../../../src/toolbox/describeSchema.ts';

test('the schema that the model gets is derived from the input side, without noise', () => {
  const input = z.strictObject({
    n: z.int(),
    unit: z.enum(['m', 'km']).default('m'),
    tags: z.array(z.string()).optional(),
  });
  const { spec } = defineTool({
    name: 'convert',
    description: 'Converts.',
    effects: 'none',
    input,
    run: () => 0,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(spec)), {
    name: 'convert',
    description: 'Converts.',
    effects: 'none',
    parameters: {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        unit: { type: 'string', enum: ['m', 'km'], default: 'm' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['n'],
      additionalProperties: false,
    },
  });
  assert.equal(describeSchema(spec.parameters), '{n: integer, unit?: "m" | "km", tags?: (string)[]}');
});

test('run gets the output side: defaults filled in, transforms applied', () => {
  const input = z.object({
    unit: z
      .string()
      .default('m')
      .transform((unit) => unit.toUpperCase()),
  });
  const tool = defineTool({ name: 't', description: '', effects: 'none', input, run: ({ unit }) => unit });
  const prepared = tool.prepare({});
  assert.ok(prepared.ok);
  assert.equal(prepared.run(undefined as never), 'M');
});

test('definitions that no provider would take fail when they are made', () => {
  const define = (name: string, input: z.ZodType) =>
    defineTool({ name, description: '', effects: 'none', input, run: () => 0 });
  assert.throws(() => define('', z.object({})), /can't be named/);
  assert.throws(() => define('line\nbreak', z.object({})), /can't be named/);
  assert.throws(() => define('half\uD83D', z.object({})), /can't be named/);
  assert.throws(() => define('t', z.array(z.string())), /must be an object/);
  assert.throws(() => define('t', z.object({ when: z.date() })));
});

test("a check of the author's that throws is a problem with the arguments, not a crash", () => {
  const input = z.object({
    a: z.string().refine(() => {
      throw new Error('boom');
    }),
  });
  const prepared = defineTool({ name: 't', description: '', effects: 'none', input, run: () => 0 }).prepare({
    a: 'x',
  });
  assert.deepEqual(prepared, { ok: false, problem: 'they could not be checked: Error: boom' });
});

test('the built-in tools: names, effects, and descriptions of a few sentences', () => {
  assert.deepEqual(toolNames, [
    'calculator',
    'list_todos',
    'add_todo',
    'complete_todo',
    'list_files',
    'read_file',
    'search_text',
    'edit_file',
    'create_file',
    'git_status',
    'git_diff',
    'list_tasks',
    'run_command',
    'run_task',
    'find_symbols',
    'find_references',
    'get_diagnostics',
    'get_open_editors',
  ]);
  const all = [...builtinTools, ...programTools({ env: {} }), ...codeTools, ...editorTools];
  const effects = Object.fromEntries(all.map(({ spec }) => [spec.name, spec.effects]));
  assert.deepEqual(effects, {
    calculator: 'none',
    list_todos: 'none',
    add_todo: 'session',
    complete_todo: 'session',
    list_files: 'none',
    read_file: 'none',
    search_text: 'none',
    edit_file: 'workspace',
    create_file: 'workspace',
    git_status: 'none',
    git_diff: 'none',
    list_tasks: 'none',
    run_command: 'outside',
    run_task: 'outside',
    find_symbols: 'none',
    find_references: 'none',
    get_diagnostics: 'none',
    get_open_editors: 'none',
  });
  for (const { spec } of all) {
    assert.ok(spec.description.length < 420, spec.name);
    assert.equal(spec.parameters['additionalProperties'], false);
  }
});
