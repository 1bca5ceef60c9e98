import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { loadAgent } from '../../../src/entry/cli/loadAgent.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'policy-'));
after(() => rmSync(folder, { recursive: true }));
const agent = path.join(folder, 'p.agent.json');
const load = (policy: string) => {
  writeFileSync(agent, JSON.stringify({ model_name: 'demo', context: { policy } }));
  return loadAgent(agent, folder, new Map());
};

test('an agent file names a policy by its path, which decides by that name', async () => {
  writeFileSync(path.join(folder, 'mine.mjs'), 'export const decide = () => [];');
  const loaded = await load('./mine.mjs');
  assert.ok(loaded.ok);
  const session = createTestSession();
  await startRun(loaded.agent, session, { goal: 'What is 1 + 1?' }).done;
  assert.equal(session.state.packings[0]?.event.policy, './mine.mjs');
  assert.deepEqual(problemsOf(session), []);
});

test('a module that was edited is loaded anew', async () => {
  const file = path.join(folder, 'edited.mjs');
  writeFileSync(file, 'export const decide = 5;');
  assert.equal((await load('./edited.mjs')).ok, false);
  writeFileSync(file, 'export function decide() { return []; }');
  assert.equal((await load('./edited.mjs')).ok, true);
});

const broken = {
  'is not there': { name: './none.mjs', says: /none\.mjs can not be loaded: / },
  throws: {
    name: './throws.mjs',
    text: 'throw new Error("no luck")',
    says: /throws\.mjs can not be loaded: no luck/,
  },
  'throws what has no words': {
    name: './wordless.mjs',
    text: 'throw Object.create(null)',
    says: /wordless\.mjs can not be loaded: /,
  },
  'is no module': {
    name: './bad.mjs',
    text: 'export const decide = (',
    says: /bad\.mjs can not be loaded: /,
  },
  'has no decide': {
    name: './empty.mjs',
    text: 'export default 1',
    says: /empty\.mjs exports no function named decide/,
  },
  'is no path': {
    name: 'mine.mjs',
    says: /Allowed: "none", .*, or the path of a module: "\.\/my-policy\.mjs"/,
  },
};
for (const [what, { name, says, ...rest }] of Object.entries(broken))
  test(`a policy that ${what} is refused with its path`, async () => {
    if ('text' in rest) writeFileSync(path.join(folder, name), rest.text);
    const loaded = await load(name);
    assert.ok(!loaded.ok);
    assert.match(loaded.message, says);
  });
