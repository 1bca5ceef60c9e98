import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'jsonc-parser';
import type { JournalEvent } from '../../../src/core/events.ts';
import { agentSchema } from '../../../src/entry/agentSchema.ts';
import { builtinTools, toolNames } from '../../../src/toolbox/builtinTools.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { temporaryTree } from './temporaryTree.ts';

const root = join(import.meta.dirname, '../../..');
const demo = join(root, 'examples/demo');
const goal = 'I am busy, plan the rest of my day';

async function readJson(path: string): Promise<unknown> {
  return parse(await readFile(join(demo, path), 'utf8')) as unknown;
}

test('the agents of the demo are complete and valid, and name tools that there are', async () => {
  const agents = (await readdir(demo)).filter((name) => name.endsWith('.agent.json'));
  assert.deepEqual(agents.sort(), [
    'day-planner.agent.json',
    'fix-test.agent.json',
    'small-window.agent.json',
  ]);
  for (const name of agents) {
    const agent = agentSchema.parse(await readJson(name));
    assert.equal(agent.model_name, 'demo');
    assert.equal(agent.system_prompt.split('\n\n').length, 3);
    assert.deepEqual(
      agent.tools.filter((tool) => typeof tool !== 'string' || !toolNames.includes(tool)),
      [],
    );
  }
  const harmless = builtinTools.filter(({ spec }) => ['none', 'session'].includes(spec.effects));
  const aboutProjects = ['git_status', 'git_diff', 'list_tasks'];
  assert.deepEqual(
    agentSchema.parse(await readJson('day-planner.agent.json')).tools,
    harmless.map(({ spec }) => spec.name).filter((name) => !aboutProjects.includes(name)),
  );
});

test('launch configurations point at agents that are there', async () => {
  const launch = (await readJson('.vscode/launch.json')) as { configurations: Record<string, string>[] };
  assert.ok(launch.configurations.length > 0);
  for (const { type, agent } of launch.configurations) {
    assert.equal(type, 'loopscope');
    assert.ok(await readFile((agent ?? '').replace('${workspaceFolder}', demo)));
  }
});

test('the files hold what the README says', async () => {
  const signal = new AbortController().signal;
  const found = await createFolderWorkspace(demo).search({
    query: 'TODO',
    glob: '{notes,src}/**',
    regex: false,
    limit: 50,
    signal,
  });
  assert.deepEqual(found.ok && found.matches.map(({ path }) => path), [
    'notes/ideas.md',
    'notes/ideas.md',
    'notes/ideas.md',
    'notes/today.md',
    'src/day.js',
  ]);
});

/** The journal of one run of an agent of the demo, from the command line. */
async function journalOf(
  t: Parameters<typeof temporaryTree>[0],
  agent: string,
): Promise<readonly JournalEvent[]> {
  const journal = join(await temporaryTree(t, {}), 'journal.jsonl');
  const cli = ['--import', 'tsx', join(root, 'src/entry/cli.ts'), 'run', join(demo, agent), goal];
  // A round limit is an exit code of its own; what happened is in the journal.
  await promisify(execFile)(process.execPath, [...cli, '--journal', journal, '--workspace', demo], {
    cwd: root,
  }).catch(() => {});
  const lines = (await readFile(journal, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as JournalEvent);
}

test('the small window truncates from round 3 on and never blocks; the large one reaches the goal in four', async (t) => {
  const small = await journalOf(t, 'small-window.agent.json');
  const dropped = small.flatMap((event) =>
    event.type === 'context.packed' ? [event.changed.some(({ fate }) => fate === 'dropped')] : [],
  );
  assert.deepEqual(dropped, [false, false, true, true, true, true, true, true]);
  const ended = small.find((event) => event.type === 'run.ended');
  assert.equal(ended?.outcome, 'limit');

  const large = await journalOf(t, 'day-planner.agent.json');
  assert.equal(large.find((event) => event.type === 'run.ended')?.outcome, 'done');
  assert.equal(large.filter((event) => event.type === 'round.started').length, 4);
  assert.equal(
    large.filter((event) => event.type === 'call.started' && event.key.startsWith('1.2.')).length,
    2,
  );
});
