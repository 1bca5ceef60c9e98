import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import type { ApprovalRules } from '../../../src/core/config.ts';
import type { Approve, Permit } from '../../../src/core/ports.ts';
import { statusView } from '../../../src/core/statusView.ts';
import { approvalOf } from '../../../src/runner/approvalOf.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createPermit } from '../../../src/toolbox/approvalRules.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { eventsOf } from '../../doubles/serverRun.ts';
import { temporaryTree } from '../toolbox/temporaryTree.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const ran: string[] = [];
const tools = (['none', 'session', 'workspace', 'outside'] as const).map((effects) =>
  defineTool({
    name: effects,
    description: 'Acts.',
    effects,
    input: z.object({ a: z.string().optional() }),
    run: () => ran.push(effects),
  }),
);

async function runWith(
  approve: Approve | undefined,
  wanted = ['none', 'session', 'workspace', 'outside'],
  hooks: { readonly debugged?: true; readonly permit?: Permit } = {},
) {
  ran.length = 0;
  const session = createTestSession();
  const model = createScriptedModel([calls(wanted.map((name) => ({ name }))), says('It was not approved.')]);
  const agent = {
    ...(await createTestAgent(model, {}, tools)),
    ...(approve ? { approve } : {}),
    ...(hooks.permit ? { permit: hooks.permit } : {}),
  };
  const rules = { hits: async () => ({ faults: [], breakpoints: [], phases: [] }) };
  const run = startRun(agent, session, { goal: 'go', ...(hooks.debugged ? { rules } : {}) });
  return { session, run };
}
const finished = async ({ session, run }: Awaited<ReturnType<typeof runWith>>) => {
  const outcome = await run.done;
  assert.deepEqual(problemsOf(session), []);
  return {
    outcome,
    outcomes: eventsOf(session, 'call.finished').map((event) => event.outcome),
    approvals: eventsOf(session, 'call.started').map((event) => event.approval),
    results: eventsOf(session, 'history.appended')
      .flatMap(({ messages }) => messages)
      .filter(({ role }) => role === 'tool').length,
  };
};

test('only what acts outside is asked for, and a yes is on record', async () => {
  const asked: unknown[] = [];
  const approve: Approve = async (call) => {
    asked.push(call);
    return { ok: true, by: 'test' };
  };
  const { outcomes, approvals } = await finished(await runWith(approve));
  assert.deepEqual(asked, [{ name: 'outside', arguments: '{}' }]);
  assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'ok']);
  assert.deepEqual(approvals, [undefined, undefined, undefined, 'test']);
});

test('meanwhile the session says that it asks, and about which tool', async () => {
  const seen: unknown[] = [];
  const session = createTestSession();
  const model = createScriptedModel([calls([{ name: 'none' }, { name: 'outside' }]), says('Done.')]);
  const approve: Approve = async () => {
    seen.push(statusView(session.state));
    return { ok: false, reason: 'no' };
  };
  const agent = { ...(await createTestAgent(model, {}, tools)), approve };
  const run = startRun(agent, session, { goal: 'go' });
  session.journal.onEvent(({ type }) => {
    if (type === 'call.started') seen.push(statusView(session.state));
  });
  await run.done;
  assert.deepEqual(seen, [
    { kind: 'running', round: 1, doing: 'call', tool: 'none' },
    { kind: 'running', round: 1, doing: 'asking', tool: 'outside' },
  ]);
});

const noes: Readonly<Record<string, readonly [Approve, RegExp]>> = {
  'a no': [async () => ({ ok: false, reason: 'not today' }), /not approved, nothing was run: not today/],
  'a throw': [
    () => {
      throw new Error('no dialog');
    },
    /asking for approval failed: Error: no dialog/,
  ],
  'a rejection': [() => Promise.reject(new Error('gone')), /asking for approval failed: Error: gone/],
};
for (const [what, [approve, words]] of Object.entries(noes))
  test(`C22 ${what}: nothing ran, one result per call, the others as they are`, async () => {
    const started = await runWith(approve, ['none', 'outside', 'none']);
    const { outcome, outcomes, approvals, results } = await finished(started);
    assert.equal(outcome, 'done');
    assert.deepEqual(outcomes, ['ok', 'rejected', 'ok']);
    assert.equal(approvals.length, 2, 'a call that was not approved never started');
    assert.equal(results, 3);
    assert.deepEqual(ran, ['none', 'none']);
    const { journal, state } = started.session;
    const rejected = eventsOf(started.session, 'call.finished')[1];
    assert.match(journal.redactor.reveal(state.parts.get(rejected?.part ?? '') ?? ''), words);
  });

test('arguments that can not be run are not asked for', async () => {
  const session = createTestSession();
  const model = createScriptedModel([calls([{ name: 'outside', arguments: { a: 5 } }]), says('It failed.')]);
  const approve: Approve = () => assert.fail('asked for what would never run');
  const agent = { ...(await createTestAgent(model, {}, tools)), approve };
  await startRun(agent, session, { goal: 'go' }).done;
  assert.equal(eventsOf(session, 'call.finished')[0]?.outcome, 'invalid');
});

test('a run that is cancelled while it asks ends at once', async () => {
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const started = await runWith(() => {
    ask();
    return new Promise(() => undefined);
  }, ['outside']);
  await asked;
  started.run.cancel();
  const { outcome, outcomes } = await finished(started);
  assert.equal(outcome, 'cancelled');
  assert.deepEqual(outcomes, ['cancelled']);
  assert.deepEqual(ran, []);
});

test('under the debugger the stop before the call is the approval', async () => {
  const never: Approve = () => assert.fail('asked although it is being debugged');
  const started = await runWith(never, ['outside'], { debugged: true });
  const { run } = started;
  while (eventsOf(started.session, 'run.ended').length === 0) await new Promise(setImmediate);
  run.gate.resume('continue');
  assert.deepEqual((await finished(started)).outcomes, ['ok']);
});

test('rules: what is allowed is not asked for, what is denied does not run, under the debugger either', async () => {
  const permit: Permit = ({ name }) =>
    name === 'none'
      ? { verdict: 'deny', reason: 'the rule says so' }
      : name === 'outside'
        ? { verdict: 'allow', by: 'rule outside' }
        : { verdict: 'ask' };
  const asked: string[] = [];
  const approve: Approve = async ({ name }) => {
    asked.push(name);
    return { ok: true, by: 'test' };
  };
  const { outcomes, approvals } = await finished(await runWith(approve, undefined, { permit }));
  assert.deepEqual(outcomes, ['rejected', 'ok', 'ok', 'ok']);
  assert.deepEqual(approvals, ['test', 'test', 'rule outside']);
  assert.deepEqual(asked, ['session', 'workspace']);

  const never: Approve = () => assert.fail('asked although it is being debugged');
  const started = await runWith(never, undefined, { permit, debugged: true });
  while (eventsOf(started.session, 'run.ended').length === 0) await new Promise(setImmediate);
  started.run.gate.resume('continue');
  assert.deepEqual((await finished(started)).outcomes, ['rejected', 'ok', 'ok', 'ok']);
  assert.deepEqual(ran, ['session', 'workspace', 'outside']);
});

test('a rule for a path holds where links lead to it', async (t) => {
  const root = await temporaryTree(t, { 'secrets/key': 'k', '.vscode/tasks.json': '{}', 'src/a.ts': 'a' });
  await symlink('../secrets', join(root, 'src/link'));
  await symlink('../.vscode', join(root, 'src/editor'));
  await symlink(join(root, 'secrets'), join(root, 'src/absolute'));
  const agent = await createTestAgent(createScriptedModel([]));
  const said = async (name: string, path: string, rules: ApprovalRules = {}) => {
    const ports = {
      ...agent,
      workspace: createFolderWorkspace(root),
      permit: createPermit({ agent: { ...rules, '*_file': { 'secrets/*': 'deny' } } }),
      approve: async () => ({ ok: true as const, by: 'asked' }),
    };
    const call = { name, arguments: JSON.stringify({ path }) };
    const approval = await approvalOf(ports, call, new AbortController().signal, { seen: () => undefined });
    return approval.ok ? approval.by : 'denied';
  };
  assert.equal(await said('read_file', 'src/a.ts'), '');
  for (const path of ['secrets/key', 'src/link/key', 'src/absolute/key', 'src/link/not-there-yet'])
    assert.equal(await said('read_file', path), 'denied', path);
  assert.equal(await said('edit_file', 'src/editor/tasks.json'), 'asked');
  assert.equal(await said('create_file', 'src/editor/new/settings.json'), 'asked');
  const src: ApprovalRules = { edit_file: { '*': 'ask', 'src/*': 'allow' } };
  assert.equal(await said('edit_file', 'src/a.ts', src), 'rule edit_file "src/*"');
  assert.equal(await said('edit_file', 'src/editor/tasks.json', src), 'asked');
});
