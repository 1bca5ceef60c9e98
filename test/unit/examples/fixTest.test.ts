/** The demo agent that repairs a failing test: the model is played, everything else happens. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { currentRun } from '../../../src/core/journalState.ts';
import { answerText } from '../../../src/core/logLine.ts';
import { loadAgent } from '../../../src/entry/cli/loadAgent.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createTypeScriptCode } from '../../../src/toolbox/code/typeScriptCode.ts';
import { buildCodeWorker } from '../../doubles/codeWorker.ts';
import { eventsOf } from '../../doubles/serverRun.ts';
import { createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const demo = join(import.meta.dirname, '../../../examples/demo');

for (const isTrusted of [false, true])
  test(`fix-test.agent.json, ${isTrusted ? 'with' : 'without'} language services: a failing test passes, by one small edit, without a question`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'loopscope-demo-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    await cp(demo, folder, { recursive: true });
    // A test runner that runs in one of its own kind says nothing.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const passes = () =>
      spawnSync(process.execPath, ['--test', 'broken/total.test.js'], { cwd: folder, env }).status === 0;
    assert.equal(passes(), false);
    const before = await readFile(join(folder, 'broken/total.js'), 'utf8');
    const context = process.env['NODE_TEST_CONTEXT'];
    delete process.env['NODE_TEST_CONTEXT'];
    t.after(() => {
      if (context !== undefined) process.env['NODE_TEST_CONTEXT'] = context;
    });

    const worker = await buildCodeWorker(t);
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(demo, '../../node_modules/typescript'), join(folder, 'node_modules/typescript'));
    const loaded = await loadAgent(join(folder, 'fix-test.agent.json'), folder, new Map(), {
      approve: async () => assert.fail('asked'),
      codeOf: isTrusted ? async (at) => createTypeScriptCode(at, worker) : undefined,
    });
    assert.ok(loaded.ok, loaded.ok ? '' : loaded.message);
    assert.deepEqual(
      loaded.warnings,
      isTrusted
        ? []
        : ['get_diagnostics: without --trust-workspace there is no language service that could be asked.'],
    );
    const session = createTestSession();
    assert.equal(await startRun(loaded.agent, session, { goal: 'Fix the failing test' }).done, 'done');
    assert.deepEqual(problemsOf(session), []);

    assert.equal(passes(), true);
    assert.equal(
      await readFile(join(folder, 'broken/total.js'), 'utf8'),
      before.replace('(1 - discount)', '(1 - discount / 100)'),
    );
    assert.deepEqual(
      eventsOf(session, 'call.started').map(({ name, approval }) => [name, approval]),
      [
        ['run_command', 'rule run_command "node --test broken/*"'],
        ['search_text', undefined],
        ['read_file', undefined],
        ['edit_file', undefined],
        ['get_diagnostics', undefined],
        ['run_command', 'rule run_command "node --test broken/*"'],
      ],
    );
    const looked = eventsOf(session, 'call.finished')[4];
    const said = session.state.parts.get(looked?.part ?? '') ?? '';
    assert.equal(looked?.outcome, isTrusted ? 'ok' : 'error');
    assert.ok(
      said.includes(
        isTrusted ? '\\"diagnostics\\":[],\\"more\\":false}' : 'there is no language service here',
      ),
      said,
    );
    assert.match(answerText(session.state) ?? '', /The test passes now: in broken\/total\.js/);
    assert.equal(currentRun(session.state)?.rounds.length, 7);
    assert.equal(session.state.parts.get(eventsOf(session, 'file.changed')[0]?.before ?? ''), before);
  });
