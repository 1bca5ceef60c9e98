/** Issue 7, C32: a link that is swapped between the yes and the act leads nowhere. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Workspace } from '../../../src/core/ports.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createPermit } from '../../../src/toolbox/approvalRules.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { eventsOf } from '../../doubles/serverRun.ts';
import { stepThrough } from '../../doubles/stepThrough.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import { temporaryTree } from '../toolbox/temporaryTree.ts';

const acts: readonly (readonly [name: string, input: object])[] = [
  ['read_file', { path: 'link/a.txt' }],
  ['edit_file', { path: 'link/a.txt', old_string: 'secret', new_string: 'mine' }],
  ['create_file', { path: 'link/new.txt', content: 'x' }],
  ['list_files', { path: 'link' }],
];

/** A run of these calls in a folder whose `link` leads to `open`; `swap` makes it lead to `closed`, which a rule denies. */
async function stage(t: TestContext, wanted: readonly (readonly [string, object])[], now: 'ask' | 'allow') {
  const root = await temporaryTree(t, { 'open/a.txt': 'secret of all\n', 'closed/a.txt': 'secret\n' });
  symlinkSync('open', join(root, 'link'));
  const swap = () => {
    symlinkSync('closed', join(root, 'other'));
    renameSync(join(root, 'other'), join(root, 'link'));
  };
  const model = createScriptedModel([
    calls(wanted.map(([name, args]) => ({ name, arguments: args }))),
    says('.'),
  ]);
  const session = createTestSession();
  const agent = {
    ...(await createTestAgent(model)),
    workspace: createFolderWorkspace(root),
    permit: createPermit({ agent: { '*': { '*': now, 'closed*': 'deny' } } }),
  };
  const results = () => {
    assert.deepEqual(problemsOf(session), []);
    assert.equal(readFileSync(join(root, 'closed/a.txt'), 'utf8'), 'secret\n');
    assert.deepEqual(readdirSync(join(root, 'closed')), ['a.txt']);
    return eventsOf(session, 'call.finished').map(({ outcome, part }) => ({
      outcome,
      text: session.state.parts.get(part) ?? '',
    }));
  };
  return { session, agent, swap, results };
}

function assertRefused(found: readonly { outcome: string; text: string }[], outcome: string): void {
  assert.ok(found.length > 0);
  for (const one of found) {
    assert.equal(one.outcome, outcome, one.text);
    assert.match(one.text, /leads elsewhere than when it was allowed/);
  }
}

for (const act of acts) {
  const [name] = act;
  test(`${name}: swapped while the user is asked`, async (t) => {
    const { session, agent, swap, results } = await stage(t, [act], 'ask');
    const approve = async () => {
      swap();
      return { ok: true as const, by: 'user' };
    };
    await startRun({ ...agent, approve }, session, { goal: 'go' }).done;
    assertRefused(results(), 'rejected');
    assert.deepEqual(eventsOf(session, 'call.started'), []);
  });

  test(`${name}: swapped at the debugger's stop before it`, async (t) => {
    // To another place that no rule denies: what was shown is what is acted on.
    const { session, agent, swap, results } = await stage(t, [act], 'allow');
    const looks: Promise<unknown>[] = [];
    const workspace: Workspace = {
      ...agent.workspace,
      realPath(path) {
        const look = agent.workspace.realPath(path);
        looks.push(look);
        return look;
      },
    };
    const free = { ...agent, workspace, permit: createPermit({ agent: undefined }) };
    await stepThrough(free, session, 'go', async ({ kind }) => {
      if (kind !== 'act') return;
      assert.equal(looks.length, 1);
      await looks[0];
      swap();
    });
    assertRefused(results(), 'rejected');
  });

  test(`${name}: swapped when it has begun`, async (t) => {
    const { session, agent, swap, results } = await stage(t, [act], 'allow');
    session.journal.onEvent(({ type }) => {
      if (type === 'call.started') swap();
    });
    await startRun(agent, session, { goal: 'go' }).done;
    assertRefused(results(), 'error');
  });
}

test('swapped in the moment between the last look and the act', async (t) => {
  for (const act of acts.slice(0, 2)) {
    const { session, agent, swap, results } = await stage(t, [act], 'allow');
    const { workspace } = agent;
    const late: Workspace = {
      ...workspace,
      read: async (path) => (swap(), workspace.read(path)),
      edit: async (path, change) => (swap(), workspace.edit(path, change)),
    };
    await startRun({ ...agent, workspace: late }, session, { goal: 'go' }).done;
    assertRefused(results(), 'error');
  }
});

test('what is as it was is done, also through a link, and with a path that was edited at the stop', async (t) => {
  const { session, agent, results } = await stage(t, acts, 'ask');
  await startRun({ ...agent, approve: async () => ({ ok: true, by: 'user' }) }, session, { goal: 'go' }).done;
  assert.deepEqual(
    results().map(({ outcome }) => outcome),
    ['ok', 'ok', 'ok', 'ok'],
  );
  const edited = await stage(t, acts.slice(0, 1), 'allow');
  await stepThrough(edited.agent, edited.session, 'go', ({ kind }, run) => {
    if (kind !== 'act') return;
    const target = 'm3/tool_calls/0/function/arguments';
    const done = run.apply({ kind: 'set', target, scope: 'pending', value: '{"path":"open/a.txt"}' });
    assert.ok(done.ok);
  });
  assert.deepEqual(
    edited.results().map(({ outcome }) => outcome),
    ['ok'],
  );
});

test("a workspace of somebody else's: of a class, and with a look at a path that fails", async (t) => {
  const { session, agent, results } = await stage(t, acts, 'allow');
  const { workspace } = agent;
  class Own implements Workspace {
    readonly root = workspace.root;
    readonly #files = workspace;
    folder = () => this.#files.folder();
    folderAt(path: string) {
      return this.#files.folderAt(path);
    }
    async realPath(path: string) {
      return path === 'link/new.txt' ? Promise.reject(new Error('no look')) : this.#files.realPath(path);
    }
    list(...given: Parameters<Workspace['list']>) {
      return this.#files.list(...given);
    }
    read(path: string) {
      return this.#files.read(path);
    }
    edit(...given: Parameters<Workspace['edit']>) {
      return this.#files.edit(...given);
    }
    create(...given: Parameters<Workspace['create']>) {
      return this.#files.create(...given);
    }
    search(...given: Parameters<Workspace['search']>) {
      return this.#files.search(...given);
    }
  }
  await startRun({ ...agent, workspace: new Own() }, session, { goal: 'go' }).done;
  assert.deepEqual(
    results().map(({ outcome }) => outcome),
    ['ok', 'ok', 'error', 'ok'],
  );
});
