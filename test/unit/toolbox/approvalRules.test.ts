import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApprovalRules } from '../../../src/core/config.ts';
import type { ToolSpec } from '../../../src/core/ports.ts';
import { createPermit, type PermitOptions } from '../../../src/toolbox/approvalRules.ts';
import { builtinTools, programTools } from '../../../src/toolbox/builtinTools.ts';

const specs = [...builtinTools, ...programTools({ env: {} })].map(({ spec }) => spec);

function verdict(name: string, input: Record<string, unknown>, options: Partial<PermitOptions>): string {
  const spec = specs.find((one) => one.name === name) as ToolSpec;
  return createPermit({ agent: undefined, ...options })({ name, arguments: JSON.stringify(input) }, spec)
    .verdict;
}
const command = (line: string, agent: ApprovalRules, user?: ApprovalRules) =>
  verdict('run_command', { command: line }, { agent, user });
const edit = (path: string, agent?: ApprovalRules) => verdict('edit_file', { path }, { agent });

test('without rules the effects decide, and what steers the editor or an agent is asked for', () => {
  assert.equal(verdict('read_file', { path: 'a' }, {}), 'allow');
  assert.equal(verdict('run_command', { command: 'ls' }, {}), 'ask');
  assert.equal(edit('src/a.ts'), 'allow');
  for (const path of [
    '.vscode/settings.json',
    './.vscode/tasks.json',
    'sub/x/../.vscode/tasks.json',
    'a.agent.json',
    'X.CODE-WORKSPACE',
  ])
    assert.equal(edit(path), 'ask', path);
});

test('the last rule that fits holds, by tool and by what the call is about', () => {
  const rules: ApprovalRules = {
    '*_file': 'ask',
    edit_file: { '*': 'allow', 'secrets/*': 'deny' },
    run_command: { '*': 'ask', 'npm test*': 'allow', 'npm run build': 'allow', 'git push*': 'deny' },
  };
  assert.equal(edit('src/a.ts', rules), 'allow');
  assert.equal(edit('./src/../secrets/key', rules), 'deny');
  assert.equal(verdict('create_file', { path: 'x' }, { agent: rules }), 'ask');
  assert.equal(command('npm test', rules), 'allow');
  assert.equal(command(' npm test -- --grep "a b" ', rules), 'allow');
  assert.equal(command('npm run build', rules), 'allow');
  assert.equal(command('npm run build2', rules), 'ask');
  assert.equal(command('git push --force', rules), 'deny');
});

test('what allows one command allows no second one behind it', () => {
  const rules: ApprovalRules = { run_command: { '*': 'ask', 'npm test*': 'allow', 'a | b *': 'allow' } };
  const more = [
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    '\r',
    '`id`',
    '$(id)',
    '>',
    '<',
    '%PATH%',
    '^',
    '!',
    '\\',
    '(',
    '{',
  ];
  for (const operator of more) assert.equal(command(`npm test ${operator} rm -rf x`, rules), 'ask', operator);
  assert.equal(command('a | b c', rules), 'allow');
  assert.equal(command('a | b c | d', rules), 'ask');
  assert.equal(command('anything; at all', { run_command: 'allow' }), 'allow');
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...more), fc.string(), (a, operator, b) => {
      assert.equal(command(`npm test${a}${operator}x${b}`, rules), 'ask');
    }),
    { seed: 3, numRuns: 500 },
  );
});

test('what denies a command denies it wherever it stands in the line', () => {
  const rules: ApprovalRules = { run_command: { '*': 'allow', 'git push*': 'deny' } };
  for (const line of [
    'git push',
    'cd x && git push',
    'true;git push -f',
    'x | git push',
    '(git push)',
    'echo `git push`',
    'a\ngit push',
  ])
    assert.equal(command(line, rules), 'deny', line);
  assert.equal(command('git status', rules), 'allow');
});

test("the user's rule goes before the agent's, and what either denies is denied", () => {
  const line = 'npm test';
  assert.equal(command(line, { run_command: 'allow' }, { run_command: 'ask' }), 'ask');
  assert.equal(command(line, { run_command: 'ask' }, { 'run_*': { 'npm *': 'allow' } }), 'allow');
  assert.equal(command(line, { run_command: 'deny' }, { run_command: 'allow' }), 'deny');
  assert.equal(command(line, { run_command: 'allow' }, { '*': 'deny' }), 'deny');
});

test('what is read-only stays so, whatever the rules say', () => {
  const options = { agent: { '*': 'allow' }, user: { '*': 'allow' }, readOnly: 'not trusted' } as const;
  for (const name of ['edit_file', 'create_file', 'run_command'])
    assert.equal(verdict(name, { path: 'a', command: 'ls' }, options), 'deny', name);
  assert.equal(verdict('read_file', { path: 'a' }, options), 'allow');
  const harmless: ToolSpec = {
    name: 'mine',
    description: '',
    parameters: {},
    effects: 'none',
    command: true,
  };
  assert.equal(createPermit(options)({ name: 'mine', arguments: '{}' }, harmless).verdict, 'deny');
});
