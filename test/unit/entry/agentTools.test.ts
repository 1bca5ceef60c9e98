import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as jsonc from 'jsonc-parser';
import type { ToolSpec } from '../../../src/core/ports.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';
import { toolsText } from '../../../src/planner/request.ts';
import { toolTokens } from '../../../src/planner/toolTokens.ts';
import { toolNames } from '../../../src/toolbox/builtinTools.ts';
import { pickyProblems } from '../../../src/toolbox/pickyProviders.ts';
import { parseAgentFile } from '../../../src/entry/agentFile.ts';
import { agentTools } from '../../../src/entry/agentTools.ts';
import { shippedSpecs } from '../../../src/entry/toolSpecs.ts';
import { toolWords } from '../../../src/entry/toolWords.ts';
import { toolsDocument } from '../../../src/entry/toolsDocument.ts';

const countTokens = await createTokenCounter();
const here = { isTrusted: true, hasEditor: true, hasFolder: true };

function toolsOf(agent: object, place = here, readOnly?: string) {
  const file = parseAgentFile(JSON.stringify(agent, null, 1), 'a.agent.json', toolNames);
  const known = file.ok ? file : file.known;
  assert.ok(known, 'the shape of the file is right');
  return agentTools({
    ...known,
    rules: { agent: known.config.approvals, ...(readOnly === undefined ? {} : { readOnly }) },
    place,
    countTokens,
    problems: file.ok ? [] : file.problems,
  });
}
const command = (name: string, more: object = {}) => ({
  name,
  description: 'Does.',
  command: 'true',
  ...more,
});

test('tools as they are sent: origin, effects, approval, cost that adds up', () => {
  const { tools, total } = toolsOf({
    model_name: 'demo',
    tools: [command('mine', { effects: 'none' }), 'run_command', 'read_file', 'edit_file'],
    approvals: { run_command: { '*': 'ask', 'npm test*': 'allow' }, read_file: 'deny' },
  });
  const sent = tools.filter(({ state }) => state === 'sent');
  assert.deepEqual(
    sent.map((tool) => [tool.name, ...toolWords(tool).slice(0, 3)]),
    [
      ['read_file', 'ships with Loopscope', 'changes nothing', 'is denied (by the agent file)'],
      [
        'edit_file',
        'ships with Loopscope',
        'changes files of the workspace',
        'runs without a question; .vscode/*, *.agent.json, *.code-workspace: asks first',
      ],
      [
        'run_command',
        'ships with Loopscope',
        'acts outside the workspace',
        'asks first (by the agent file); npm test*: runs without a question',
      ],
      ['mine', 'a command of the agent file', 'changes nothing', 'runs without a question'],
    ],
  );
  assert.equal(
    sent.reduce((sum, { tokens }) => sum + tokens, 0),
    total,
  );
  const text = toolsText(sent.map(({ spec }) => spec as ToolSpec));
  assert.equal(total, countTokens(text));
  assert.equal(`[${sent.map((tool) => tool.sent).join(',')}]`, text);
  assert.equal(tools.find(({ name }) => name === 'read_result')?.state, 'later');
  assert.equal(tools.find(({ name }) => name === 'calculator')?.state, 'not given');
});

test('the costs of tools add up, whatever they are', () => {
  const spec = fc.record({
    name: fc.stringMatching(/^[a-z_]{1,20}$/),
    description: fc.string({ unit: 'grapheme', maxLength: 60 }),
    parameters: fc.constantFrom(
      { type: 'object' },
      { type: 'object', properties: { '"}}': { type: 'string' } } },
    ),
    effects: fc.constant('none' as const),
  });
  fc.assert(
    fc.property(fc.array(spec, { maxLength: 8 }), fc.constantFrom(1, 1.37), (specs, factor) => {
      const { each, total } = toolTokens(specs, countTokens, { factor });
      assert.equal(
        each.reduce((sum, one) => sum + one, 0),
        total,
      );
      assert.equal(total, specs.length === 0 ? 0 : Math.round(countTokens(toolsText(specs)) * factor));
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('what is wrong with a tool stands by it, and it is not sent', () => {
  const { tools, total } = toolsOf({
    model_name: 'demo',
    tools: [
      'read_fil',
      'read_file',
      'read_file',
      command('read file'),
      command('bad', { parameters: { type: 'object', oneOf: [] } }),
    ],
  });
  const problems = (name: string, nth = 0) =>
    tools
      .filter((tool) => tool.name === name)
      [nth]?.problems.map(({ severity, message }) => `${severity}: ${message}`);
  assert.match(
    String(problems('read_fil')),
    /^error: There is no tool "read_fil"\. Did you mean "read_file"/,
  );
  assert.deepEqual(problems('read_file'), []);
  assert.deepEqual(problems('read_file', 1), ['error: The tool "read_file" is listed twice.']);
  assert.match(
    String(problems('read file')),
    /^information: The model is told of this tool as read_file_[0-9a-f]{8}/,
  );
  assert.match(String(problems('bad')), /^error: The parameters of the tool "bad" can not be used: .*oneOf/);
  assert.equal(
    total,
    countTokens(toolsText(tools.flatMap(({ state, spec }) => (state === 'sent' && spec ? [spec] : [])))),
  );
  assert.deepEqual(
    tools.filter(({ state }) => state === 'sent').map(({ name }) => name),
    ['read_file', 'read file'],
  );
  assert.deepEqual(tools.find(({ name }) => name === 'bad')?.place, { line: 12, column: 3 });
});

test('a place that is not trusted, has no folder or no editor', () => {
  const agent = {
    model_name: 'demo',
    tools: ['get_open_editors', 'run_command', 'edit_file', command('mine')],
  };
  const said = (place: typeof here, readOnly?: string) =>
    toolsOf(agent, place, readOnly)
      .tools.filter(({ place: at }) => at)
      .map(({ name, state, problems, policy }) => [name, state, problems.length, policy?.verdict]);
  assert.deepEqual(said({ ...here, isTrusted: false }, 'read-only'), [
    ['edit_file', 'sent', 0, 'deny'],
    ['get_open_editors', 'sent', 0, 'allow'],
    ['run_command', 'unusable', 1, 'deny'],
    ['mine', 'unusable', 1, 'deny'],
  ]);
  assert.deepEqual(said({ ...here, hasEditor: false, hasFolder: false }), [
    ['edit_file', 'sent', 0, 'allow'],
    ['get_open_editors', 'unusable', 1, 'allow'],
    ['run_command', 'unusable', 1, 'ask'],
    ['mine', 'unusable', 1, 'ask'],
  ]);
});

test('what some providers refuse, and nothing of what ships', () => {
  for (const spec of shippedSpecs) assert.deepEqual(pickyProblems(spec), [], spec.name);
  const picky = (parameters: Record<string, unknown>, description = '') =>
    pickyProblems({ description, parameters });
  assert.match(String(picky({}, 'x'.repeat(1025))), /longer than 1024/);
  assert.match(String(picky({ properties: { 'a b': {} } })), /its input has the property "a b"/);
  const nested = { properties: { enum: { type: 'object', required: ['x'] } } };
  assert.match(String(picky(nested)), /its input at \/properties\/enum requires "x"/);
  assert.match(String(picky({ items: { enum: [] } })), /its input at \/items has an "enum" without a value/);
  assert.deepEqual(
    picky({ properties: { a: { enum: ['b'], default: { required: ['x'] } } }, required: ['a'] }),
    [],
  );
});

test('the document holds what is sent, and nothing in it breaks out of a comment', () => {
  const list = toolsOf({
    model_name: 'demo',
    tools: ['read_file', command('mine')],
    approvals: { mine: { 'x\n{"evil":1}\u202e': 'ask' } },
  });
  const { text, lines } = toolsDocument('a\nb', list);
  const errors: jsonc.ParseError[] = [];
  const value = jsonc.parse(text, errors) as unknown;
  assert.deepEqual(errors, []);
  assert.equal(
    JSON.stringify(value),
    `[${list.tools.flatMap(({ state, sent }) => (state === 'sent' ? [sent] : [])).join(',')}]`,
  );
  const rows = text.split('\n');
  list.tools.forEach(({ name }, index) => {
    assert.ok(rows[lines[index] ?? 0]?.startsWith(`  // ${name} · `), name);
  });
  assert.ok(!/[\u202e]/.test(text));
});
