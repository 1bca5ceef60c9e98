import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { loadAgent } from '../../../src/entry/cli/loadAgent.ts';
import { loadModules } from '../../../src/entry/loadModules.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'retrieval-'));
after(() => rmSync(folder, { recursive: true }));
const agent = path.join(folder, 'r.agent.json');
const load = (context: object) => {
  writeFileSync(agent, JSON.stringify({ model_name: 'demo', context }));
  return loadAgent(agent, folder, new Map());
};

test('an agent file names a retrieval by its path: what it returns is sent, with its origin', async () => {
  writeFileSync(path.join(folder, 'policy.mjs'), 'export const decide = () => [];');
  writeFileSync(
    path.join(folder, 'notes.mjs'),
    `export async function retrieve({ goal, round }) {
      return round === 1 ? [{ text: 'About: ' + goal, location: { path: 'notes.md', line: 3 } }] : [];
    }`,
  );
  const loaded = await load({ retrieve: './notes.mjs', policy: './policy.mjs' });
  assert.ok(loaded.ok);
  const session = createTestSession();
  await startRun(loaded.agent, session, { goal: 'What is 1 + 1?' }).done;
  assert.deepEqual(problemsOf(session), []);
  const { state } = session;
  assert.equal(state.packings[0]?.event.policy, './policy.mjs');
  const retrieved = [...state.messages.values()].filter(({ origin }) => origin.kind === 'retrieval');
  assert.deepEqual(
    retrieved.map(({ origin }) => origin.location),
    [{ path: 'notes.md', line: 3 }],
  );
  const [text] = [...state.parts.values()].filter((part) => part.includes('About: What is 1 + 1?'));
  assert.match(text ?? '', /Retrieved context/);
  assert.ok(state.packings[0]?.event.counted.some(([id]) => state.messages.get(id) === retrieved[0]));
});

const broken = {
  'is not there': { name: './none.mjs', says: /none\.mjs can not be loaded: / },
  throws: { name: './throws.mjs', text: 'throw new Error("no luck")', says: /can not be loaded: no luck/ },
  'has no such function': {
    name: './decide.mjs',
    text: 'export const decide = () => []',
    says: /decide\.mjs exports no function named retrieve/,
  },
  'is no path': { name: 'notes.mjs', says: /Allowed: the path of a module: "\.\/my-retrieval\.mjs"/ },
  'is no module': { name: './notes.txt', says: /Allowed: the path of a module/ },
};
for (const [what, { name, says, ...rest }] of Object.entries(broken))
  test(`a retrieval that ${what} is refused with its path`, async () => {
    if ('text' in rest) writeFileSync(path.join(folder, name), rest.text);
    const loaded = await load({ retrieve: name });
    assert.ok(!loaded.ok);
    assert.match(loaded.message, says);
  });

test('a module that is never there is not waited for, and one that comes late but comes is taken', async () => {
  const context = { max_tokens: 1000, reserve: 0, policy: 'drop-oldest' } as const;
  writeFileSync(
    path.join(folder, 'never.mjs'),
    'await new Promise(() => {}); export const retrieve = () => [];',
  );
  const never = await loadModules({ ...context, retrieve: './never.mjs' }, agent, 20);
  assert.ok(!never.ok);
  assert.match(never.message, /never\.mjs can not be loaded: it takes longer than 0\.02 s/);
  writeFileSync(
    path.join(folder, 'late.mjs'),
    'await new Promise((there) => setImmediate(there)); export const retrieve = () => [];',
  );
  const late = await loadModules({ ...context, retrieve: './late.mjs' }, agent);
  assert.equal(late.ok && typeof late.modules.retrieve, 'function');
});
