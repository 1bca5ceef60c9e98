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

test('a task is judged by its name; a tool of the user that has such an argument by all of them', () => {
  const agent: ApprovalRules = { '*': { '*': 'ask', 'npm: test': 'allow', '*deploy*': 'deny' } };
  const task = (input: Record<string, unknown>) => verdict('run_task', input, { agent });
  assert.equal(task({ task: 'npm: test' }), 'allow');
  assert.equal(task({ task: 'npm: test', timeout: 5 }), 'allow');
  assert.equal(task({ task: 'npm: test2' }), 'ask');
  assert.equal(task({ task: 'npm: deploy' }), 'deny');
  assert.equal(verdict('run_task', { task: 'npm: test' }, {}), 'ask');
  assert.equal(verdict('list_tasks', {}, {}), 'allow');
  assert.equal(verdict('git_diff', {}, { readOnly: 'no' }), 'allow');
  assert.equal(verdict('run_task', { task: 'x' }, { agent, readOnly: 'no' }), 'deny');
  const spec: ToolSpec = { name: 'mine', description: '', parameters: {}, effects: 'outside', command: true };
  const call = { name: 'mine', arguments: JSON.stringify({ task: 'npm: test', then: 'more' }) };
  assert.equal(createPermit({ agent })(call, spec).verdict, 'ask');
});

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

test('what denies a command denies it in whatever it is written', () => {
  const rules: ApprovalRules = { run_command: { '*': 'allow', 'git push*': 'deny', 'cat /etc/*': 'deny' } };
  for (const line of [
    'sh -c "git push"',
    "bash -lc 'git push -f'",
    'env A=1 B=2 git push',
    'A=1 git push',
    'xargs -n1 git push',
    'sudo -u root git push',
    'npx -y cross-env X=1 git push',
    'timeout 5 /usr/bin/git push',
    '/usr/bin/git push',
    'GIT.EXE push',
    'Git Push',
    'git  push',
    'git\tpush',
    '"git" push',
    "g''it push",
    '\\git push',
    'git$IFS push',
    'cmd /c git push',
    'if true; then git push; fi',
    'find . -exec git push {} +',
    'true && sh -c "cat /etc/passwd"',
    'gi\\\nt push',
    'git \\\r\n push',
    '{git,push}',
    "$'git' push",
    '<x git push',
    '2>/dev/null git push',
    'echo git push | sh',
    "printf 'git push' | sudo bash",
    'coproc git push',
    'trap "git push" EXIT',
    'ssh host git push',
    'script -c "git push"',
    'case x in x) git push;; esac',
  ])
    assert.equal(command(line, rules), 'deny', line);
  for (const line of ['git pull', 'echo pushing', 'npm run git', 'cat etc/x'])
    assert.equal(command(line, rules), 'allow', line);
});

test('a rule for one part of a line does not loosen what another part is denied for', () => {
  const rules: ApprovalRules = {
    run_command: { '*': 'allow', 'git push*': 'deny', 'git push origin feature*': 'ask' },
  };
  assert.equal(command('git push origin feature', rules), 'ask');
  assert.equal(command('git push origin feature; git push --force', rules), 'deny');
  assert.equal(command('git push --force && git push origin feature', rules), 'deny');
});

test('what allows a command allows no way out of its folder, and no wrapper around it', () => {
  const rules: ApprovalRules = { run_command: { '*': 'ask', 'node --test broken/*': 'allow' } };
  assert.equal(command('node --test broken/total.test.js', rules), 'allow');
  assert.equal(command('node --test broken/a...b.js', rules), 'allow');
  for (const line of [
    'node --test broken/../../evil.js',
    'node --test broken/..',
    'A=1 node --test broken/x',
    'env node --test broken/x',
    'Node --test broken/x',
    'node\u00a0--test broken/x',
    'n\u043ede --test broken/x',
    'node  --test broken/x',
    'node broken/x --test',
    './node --test broken/x',
    "node --test broken/'.'./evil.js",
    'node --test broken/"."./evil.js',
    "node --test broken/.''./evil.js",
    'node --test broken/.?/evil.js',
    'node --test broken/.[.]/evil.js',
    'node --test broken/.*/evil.js',
    'node --test broken/x -C../evil',
    'node --test broken/x,../evil.js',
    'node --test broken/x @../evil.js',
    'node --test broken/..\\evil.js',
  ])
    assert.equal(command(line, rules), 'ask', line);
});

test('a path is denied in any case and spelling, and one that leads out is allowed by no pattern', () => {
  const rules: ApprovalRules = { '*': { 'secrets/*': 'deny', 'caf\u00e9/*': 'deny' } };
  for (const path of ['Secrets/key', 'SECRETS/a/b', './x/../secrets/key', '\u017fecrets/key', 'cafe\u0301/x'])
    assert.equal(edit(path, rules), 'deny', path);
  assert.equal(edit('.v\u017fcode/tasks.json'), 'ask');
  const own: ToolSpec = { name: 'mine', description: '', parameters: {}, effects: 'outside', command: true };
  const mine = (path: string, agent: ApprovalRules) =>
    createPermit({ agent })({ name: 'mine', arguments: JSON.stringify({ path }) }, own).verdict;
  assert.equal(mine('src/a', { mine: { 'src/*': 'allow' } }), 'allow');
  for (const path of ['src/../../etc/passwd', '/src/a', '~/x', 'src/a\0'])
    assert.equal(mine(path, { mine: { 'src/*': 'allow', '/*': 'allow', '~*': 'allow' } }), 'ask', path);
  assert.equal(mine('/etc/passwd', { mine: { '*': 'allow', '/etc/*': 'deny' } }), 'deny');
  assert.equal(mine('src/../../x', { mine: 'allow' }), 'allow');
});

test('arguments are compared as what they mean, not as they are written', () => {
  const own: ToolSpec = {
    name: 'deploy',
    description: '',
    parameters: {},
    effects: 'outside',
    command: true,
  };
  const deploy = (text: string, agent: ApprovalRules) =>
    createPermit({ agent })({ name: 'deploy', arguments: text }, own).verdict;
  const allowed: ApprovalRules = { deploy: { '{"to":"staging"*': 'allow' } };
  assert.equal(deploy('{ "to": "staging" }', allowed), 'allow');
  assert.equal(deploy('{"to":"staging","to":"prod"}', allowed), 'ask');
  const denied: ApprovalRules = { deploy: { '*': 'allow', '*"prod"*': 'deny' } };
  for (const text of ['{"to":"prod"}', '{"to": "\\u0070rod"}', '{"to":"PROD"}'])
    assert.equal(deploy(text, denied), 'deny', text);
});

test('a rule names a tool as its author does, also where providers get another name', () => {
  const own: ToolSpec = {
    name: 'run_tests_1234',
    ownName: 'run tests',
    description: '',
    parameters: {},
    effects: 'none',
  };
  const call = { name: 'run_tests_1234', arguments: '{}' };
  assert.equal(createPermit({ agent: { 'run tests': 'deny' } })(call, own).verdict, 'deny');
  assert.equal(createPermit({ agent: { 'run_tests_*': 'ask' } })(call, own).verdict, 'ask');
});

test('no line takes long to judge', () => {
  const rules: ApprovalRules = {
    run_command: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`*a*b${i}*`, 'deny' as const])),
  };
  // Of the processor, since a clock also counts what other programs do. In time proportional to a line each of these
  // takes a fifth of a second at most; in time proportional to its square, tens of seconds.
  for (const line of [
    ...['a;'.repeat(4000), 'env '.repeat(2000), '"'.repeat(8000), '.. '.repeat(2600), `{${','.repeat(8000)}`],
    ...[
      '$a '.repeat(2600),
      '$('.repeat(4000),
      '${'.repeat(4000),
      'git -C '.repeat(1100),
      'npm -a b '.repeat(900),
    ],
    ...[`npm ${'-a '.repeat(2600)}`, `env ${'npm -a '.repeat(1100)}$a`, `git ${'-C $a '.repeat(1100)}`],
    ...['{'.repeat(8000), '<'.repeat(8000), '<a '.repeat(2600), '.*'.repeat(4000), '\\'.repeat(8000)],
  ]) {
    const before = process.cpuUsage();
    command(line, rules);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_000_000, `${line.slice(0, 8)} took ${(user + system) / 1000} ms`);
  }
});
