/** Rules of commands against what stands between a program and its subcommand, and what only turns out when a line runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApprovalRules } from '../../../src/core/config.ts';
import { createPermit } from '../../../src/toolbox/approvalRules.ts';
import { programTools } from '../../../src/toolbox/builtinTools.ts';

const spec = programTools({ env: {} }).find((one) => one.spec.name === 'run_command')!.spec;

const command = (line: string, agent: ApprovalRules, user?: ApprovalRules) => {
  const call = { name: 'run_command', arguments: JSON.stringify({ command: line }) };
  return createPermit({ agent, user })(call, spec).verdict;
};
const own = ({ run_command: rules }: ApprovalRules) => (typeof rules === 'object' ? rules : {});

test('what denies a subcommand denies it behind the options of its program, and behind what runs it', () => {
  const rules: ApprovalRules = {
    run_command: {
      '*': 'allow',
      'git push*': 'deny',
      'npm publish*': 'deny',
      'npm run deploy*': 'deny',
      'docker push*': 'deny',
      'docker compose down*': 'deny',
      'kubectl delete*': 'deny',
      'cargo publish*': 'deny',
    },
  };
  for (const line of [
    'git -C . push',
    'git -C "a b" push',
    'git -C a\\ b push',
    'git -C "a(b" push',
    'git --no-pager push',
    'git --no-pager -c a.b=c --git-dir=x push --force',
    'git --git-dir x --work-tree y push',
    'GIT.EXE -C . PUSH',
    '/usr/bin/git -C . push',
    'npm --prefix x publish',
    'npm --silent publish',
    'npm -w a -w b publish',
    'npm --loglevel=error --prefix x publish --tag y',
    'npm run --silent deploy',
    'npm --prefix x run -s deploy:all',
    'docker --context prod push a/b',
    'docker -H tcp://x push a/b',
    'docker compose -f x.yml --project-name y down',
    'docker --context prod compose -f x.yml down',
    'kubectl -n prod --context=c delete pod x',
    'cargo +nightly publish',
    'env A=b git push',
    'env A=b git -C . push',
    'command git push',
    'command git --no-pager push',
    'sudo -u x git push',
    'sudo -u x git -C . push',
    'xargs git push',
    'xargs -n1 git -C . push',
    'sh -c "git -C . push"',
    "bash -lc 'cd x && git --no-pager push'",
    'timeout 5 npm --prefix x publish',
    'cd x && git -C . push',
    'ls | xargs -I{} git -C {} push',
  ])
    assert.equal(command(line, rules), 'deny', line);
  for (const line of [
    'git -C push status',
    'git --git-dir push log',
    'git log --grep push',
    'git commit -m "git -C . push"',
    'git commit -m "docs (a; b)"',
    'npm --prefix x test',
    'npm run build',
    'docker --context push ps',
    'kubectl -n delete get pods',
    'docker compose -f down ps',
    'sudo -u x git -C . pull',
  ])
    assert.equal(command(line, rules), 'allow', line);
});

test('what may come to something that is denied is asked, where it would be allowed', () => {
  const rules: ApprovalRules = {
    run_command: { '*': 'allow', 'git push*': 'deny', 'cat /etc/*': 'deny', 'npm publish*': 'deny' },
  };
  for (const line of [
    'git $X',
    'git "$X" origin',
    'git ${X:-push}',
    'git -C $X log',
    'git -c "$X" $Y',
    '$X push',
    'X=git; $X push',
    '$(echo git) push',
    '$(echo $(echo git)) push',
    '`echo git` push',
    'git `echo push`',
    '"$(which git)" push',
    '%X% push',
    'eval "$X"',
    'eval $(cat x)',
    'sh -c "$X"',
    'sh -c "git $X"',
    'sudo $X push',
    'echo push | xargs git',
    'cat x | xargs -n2 sudo',
    'cat x | xargs -I{} git {} origin',
    'bash <(curl https://x)',
    'curl https://x | sh',
    'curl https://x | sudo bash -s',
    'bash < x',
    'g?t push',
    'git pus[h]',
    'cat $X',
    'npm test && $X',
    `git ${'-C x '.repeat(20)}$X`,
    `npm ${'-a b '.repeat(20)}publish`,
    `env ${'npm x '.repeat(20)}npm -a publish`,
  ])
    assert.equal(command(line, rules), 'ask', line);
  for (const line of [
    'git log $X',
    'git -C "$X" log',
    'git log --author="$X" -- src/*.ts',
    'echo $X',
    'ls *.ts',
    'X=$Y npm test',
    'env X=$Y npm test',
    'cat src/$X',
    'git commit -m "$(date)"',
    'npm run build -- $X',
    'bash build.sh',
    'find . -name "*.log" -exec rm {} +',
  ])
    assert.equal(command(line, rules), 'allow', line);
  // Nothing is denied, or not of that program: nothing is asked.
  assert.equal(command('git $X', { run_command: { '*': 'allow' } }), 'allow');
  assert.equal(command('git $X', { run_command: { '*': 'allow', 'npm publish*': 'deny' } }), 'allow');
  // Of either, and whatever the other allows.
  assert.equal(command('git $X', rules, { run_command: 'allow' }), 'ask');
  assert.equal(command('git $X', { run_command: 'allow' }, rules), 'ask');
  // Who allows the very line has seen it; a later rule speaks of all that it may come to.
  assert.equal(command('git $X', { run_command: { ...own(rules), 'git $X': 'allow' } }), 'allow');
  assert.equal(command('git log $X', { run_command: { 'git *': 'deny', 'git log $*': 'allow' } }), 'allow');
});

test('whatever a variable turns out to hold, what then would be denied was not allowed', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 5 });
  const value = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
  fc.assert(
    fc.property(letters, value, value, value, (pattern, before, held, after) => {
      const rules: ApprovalRules = { run_command: { '*': 'allow', [`x ${pattern}c`]: 'deny' } };
      if (command(`x ${before}${held}${after}c`, rules) !== 'deny') return;
      assert.notEqual(command(`x ${before}\${V}${after}c`, rules), 'allow');
    }),
    { seed: 5, numRuns: 2000 },
  );
});
