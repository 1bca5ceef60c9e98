import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { parseAgentFile } from '../../../src/entry/agentFile.ts';
import { agentJsonSchema } from '../../../src/entry/agentSchema.ts';
import { toolNames } from '../../../src/toolbox/builtinTools.ts';

const parse = (text: string, overrides?: ReadonlyMap<string, unknown>) =>
  parseAgentFile(text, 'a.agent.json', toolNames, overrides);
const problems = (text: string) => {
  const file = parse(text);
  return file.ok ? [] : file.problems.map(({ message }) => message);
};
const warnings = (text: string) => {
  const file = parse(text);
  assert.ok(file.ok, file.ok ? '' : file.problems[0]?.message);
  return file.warnings.map(({ message }) => message);
};

test('defaults, comments and trailing commas', () => {
  const file = parse('{\n // the model\n "model_name": "demo",\n "system_prompt": "Be brief.",\n}');
  assert.ok(file.ok);
  assert.deepEqual(file.config, {
    model_name: 'demo',
    api_base: 'https://api.openai.com/v1',
    temperature: 0.3,
    max_iters: 8,
    max_history: 20,
    tool_timeout: 10,
    system_prompt: 'Be brief.',
    tools: [],
    todos: [],
    context: { max_tokens: 8192, policy: 'drop-oldest', reserve: 1000 },
  });
  assert.equal(file.systemLine, 4);
});

const wrong: readonly (readonly [string, string, RegExp])[] = [
  [
    'a value out of range',
    '{\n "model_name": "demo",\n "temperature": 3\n}',
    /^a\.agent\.json:3: "temperature" can not be 3\. It must be at most 2\.$/,
  ],
  [
    'a wrong type',
    '{\n "model_name": "demo",\n "max_iters": "eight"\n}',
    /^a\.agent\.json:3: "max_iters" can not be "eight"\. It must be of the type number\.$/,
  ],
  [
    'a wrong choice in a nested key',
    '{\n "model_name": "demo",\n "context": {\n  "policy": "oldest"\n }\n}',
    /^a\.agent\.json:4: "context\.policy" can not be "oldest"\. Allowed: "none", "drop-oldest", "window", "blank-results", "summarize", or the path of a module: "\.\/my-policy\.mjs"\.$/,
  ],
  [
    'a missing key',
    '{\n "temperature": 1\n}',
    /^a\.agent\.json:1: "model_name" is missing\. It must be of the type string\.$/,
  ],
  [
    'an unknown tool, with the nearest',
    '{"model_name":"demo",\n"tools":[\n"calculater"]}',
    /^a\.agent\.json:3: There is no tool "calculater"\. Did you mean "calculator"\? Tools: calculator, /,
  ],
  ['a tool twice', '{"model_name":"demo","tools":["calculator","calculator"]}', /listed twice/],
  [
    'a key in place of its variable',
    '{"model_name":"demo","api_key_env":"sk-123"}',
    /"api_key_env" can not be "sk-123"\. It must be the name of an environment variable, not the key itself\./,
  ],
  ['a base that is no URL', '{"model_name":"m","api_base":"localhost"}', /"api_base" can not be "localhost"/],
  [
    'broken JSON',
    '{\n "model_name": "demo"\n "tools": []\n}',
    /^a\.agent\.json:3: This is not valid JSON \(comma expected\) at "\\"tools\\""\.$/,
  ],
  ['an empty file', '', /The file is empty/],
  ['no object', '[1]', /An agent file must be a JSON object/],
  [
    'a to-do without content',
    '{"model_name":"demo",\n"todos":[{"minutes":5}]}',
    /^a\.agent\.json:2: "todos\.0\.content" is missing/,
  ],
];
for (const [name, text, expected] of wrong) {
  test(`a wrong file: ${name}`, () => assert.match(problems(text)[0] ?? 'no problem', expected));
}

test('all problems are reported, not only the first', () => {
  assert.equal(problems('{"model_name":1,"temperature":"x","max_iters":-1}').length, 3);
});

test('unknown keys are warned about with the nearest known key', () => {
  assert.deepEqual(warnings('{"model_name":"demo",\n"temprature":1,\n"context":{\n"max_token":5}}'), [
    'a.agent.json:2: Unknown key "temprature" is ignored. Did you mean "temperature"?',
    'a.agent.json:4: Unknown key "context.max_token" is ignored. Did you mean "max_tokens"?',
  ]);
  assert.deepEqual(warnings('{"$schema":"x","model_name":"demo"}'), []);
});

const command = { name: 'mine', description: 'Mine.', command: 'ls' };
const withTools = (...tools: readonly unknown[]) =>
  `{"model_name":"demo",\n"tools":${JSON.stringify(tools, undefined, 1)}}`;

test('tools of the user: a command, with defaults that change nothing unasked', () => {
  const file = parse(withTools('calculator', command));
  assert.ok(file.ok, file.ok ? '' : file.problems[0]?.message);
  assert.deepEqual(file.config.tools, [
    'calculator',
    {
      ...command,
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      effects: 'outside',
    },
  ]);
  const list = {
    ...command,
    command: ['node', 'a.mjs'],
    effects: 'none',
    timeout: 90,
    parameters: { type: 'object' },
  };
  assert.deepEqual(problems(withTools(list)), []);
});

const wrongCommands: readonly (readonly [string, readonly unknown[], RegExp])[] = [
  [
    'no tool at all',
    [5],
    /^a\.agent\.json:3: "tools\.0" can not be 5\. It must be the name of a tool, or an object with name, description, parameters, command, effects, timeout\.$/,
  ],
  [
    'a command that is none',
    [{ ...command, command: 5 }],
    /^a\.agent\.json:6: "tools\.0\.command" can not be 5\. It must be a line for the shell, or a list of a program and its arguments\.$/,
  ],
  [
    'an empty list',
    [{ ...command, command: [] }],
    /"tools\.0\.command" can not be \[\]\. It must be a line for the shell/,
  ],
  [
    'a list without a program',
    [{ ...command, command: [''] }],
    /"tools\.0\.command" can not be \[""\]\. It must be a line for the shell/,
  ],
  [
    'effects that there are not',
    [{ ...command, effects: 'all' }],
    /^a\.agent\.json:7: "tools\.0\.effects" can not be "all"\. Allowed: "none", "session", "workspace", "outside"\.$/,
  ],
  ['no command', [{ name: 'x', description: 'y' }], /^a\.agent\.json:3: "tools\.0\.command" is missing\./],
  [
    'a key that there is not',
    [{ ...command, run: 1 }],
    /Unknown keys: run\. Known keys: name, description, /,
  ],
  [
    'the name of a tool that there is',
    [{ ...command, name: 'calculator' }],
    /^a\.agent\.json:4: "calculator" is the name of a tool that Loopscope has/,
  ],
  [
    'the name of the pager',
    [{ ...command, name: 'read_result' }],
    /^a\.agent\.json:4: "read_result" is the name/,
  ],
  ['a name twice', [command, command], /^a\.agent\.json:9: The tool "mine" is listed twice\.$/],
  [
    'a name that is none',
    [{ ...command, name: 'a\nb' }],
    /^a\.agent\.json:4: A tool can not be named "a\\nb": its name holds control/,
  ],
  [
    'parameters that are no object',
    [{ ...command, parameters: 5 }],
    /"tools\.0\.parameters" can not be 5\. It must be of the type object\.$/,
  ],
  [
    'parameters that are no schema',
    [{ ...command, parameters: { type: 'object', properties: { a: { type: 'text' } } } }],
    /^a\.agent\.json:7: The parameters of the tool "mine" can not be used: its input at \/properties\/a has the "type" "text"/,
  ],
];
for (const [name, tools, expected] of wrongCommands)
  test(`a wrong tool: ${name}`, () => {
    const found = problems(withTools(...tools));
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', expected);
  });

test('max_history is warned about where it is not used', () => {
  assert.match(warnings('{"model_name":"demo","max_history":5}')[0] ?? '', /policy "window" only/);
  assert.deepEqual(warnings('{"model_name":"demo","max_history":5,"context":{"policy":"window"}}'), []);
});

test('overrides win over the file and are checked like it', () => {
  const file = parse('{"model_name":"demo","context":{"reserve":7}}', new Map([['context.max_tokens', 99]]));
  assert.ok(file.ok);
  assert.deepEqual(file.config.context, { max_tokens: 99, policy: 'drop-oldest', reserve: 7 });
  const bad = parse('{"model_name":"demo"}', new Map([['max_iters', 'x']]));
  assert.ok(!bad.ok);
});

test('the published schema is the one that is checked', () => {
  const file = fileURLToPath(new URL('../../../media/agent.schema.json', import.meta.url));
  const text = `${JSON.stringify(agentJsonSchema(toolNames), undefined, 2)}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'run with UPDATE_GOLDEN=1 to write media/agent.schema.json');
});

test('prices: their keys, and that a limit in dollars needs them, at the line of it', () => {
  const read = (...lines: string[]) =>
    parseAgentFile(['{', '"model_name": "demo",', ...lines, '}'].join('\n'), 'a.agent.json', toolNames);
  const priced = read('"price": { "input": 0.4, "output": 1.6, "cached_input": 0.1 },', '"max_cost": 0.5');
  assert.ok(priced.ok);
  assert.deepEqual(priced.config.price, { input: 0.4, output: 1.6, cached_input: 0.1 });
  const problems = (...lines: string[]) => {
    const file = read(...lines);
    return file.ok ? [] : file.problems.map(({ message }) => message);
  };
  assert.match(
    problems('"tools": [],', '"max_cost": 1')[0] ?? '',
    /^a\.agent\.json:4: "max_cost" needs "price"/,
  );
  assert.match(problems('"price": { "input": -1, "output": 1 }')[0] ?? '', /at least 0/);
  assert.match(
    problems('"price": { "input": 1, "output": 1, "cachedInput": 1 }')[0] ?? '',
    /cachedInput\. Known keys: input, output, cached_input\./,
  );
  assert.match(problems('"price": { "input": 1 }')[0] ?? '', /"price\.output" is missing/);
});
