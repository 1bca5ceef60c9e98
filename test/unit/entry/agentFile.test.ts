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
