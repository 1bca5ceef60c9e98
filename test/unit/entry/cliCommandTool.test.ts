/** Command tools on the built command line: consent, and what happens to their processes when it is interrupted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createScriptedServer, repliesCalls, repliesText } from '../../doubles/scriptedServer.ts';
import { ended, pidIn } from '../toolbox/process/living.ts';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'cli-command-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const key = 'sk-FAKE-1234567890abcdef';

function start(apiBase: string, code: string, options: readonly string[] = []) {
  const agent = path.join(folder, 'c.agent.json');
  writeFileSync(path.join(folder, 'tool.cjs'), code);
  const tool = { name: 'act', description: 'Acts.', command: [process.execPath, 'tool.cjs'], timeout: 60 };
  writeFileSync(agent, JSON.stringify({ model_name: 'm', api_base: apiBase, tools: [tool] }));
  const env = { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: key };
  const running = spawn(process.execPath, [cli, 'run', agent, 'go', ...options], { cwd: folder, env });
  let [out, err] = ['', ''];
  running.stdout.on('data', (data: Buffer) => (out += data.toString()));
  running.stderr.on('data', (data: Buffer) => (err += data.toString()));
  running.stdin.end();
  const done = new Promise<{ code: number | null; signal: string | null; out: string; err: string }>(
    (resolve) => running.on('close', (code, signal) => resolve({ code, signal, out, err })),
  );
  return { running, done };
}

const call = repliesCalls([{ name: 'act', id: 'c1' }]);

test('without --yes a tool that acts outside is refused, and the model is told', async () => {
  const server = await createScriptedServer([call, repliesText('It was not approved.')]);
  const mark = path.join(folder, 'mark');
  const { done } = start(server.apiBase, `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`);
  const { code, out } = await done;
  assert.equal(code, 0);
  assert.match(out, /not approved, nothing was run: this tool acts outside the workspace.*run --yes/);
  assert.throws(() => readFileSync(mark), /ENOENT/);
  assert.match(server.requests[1]?.body ?? '', /not approved, nothing was run/);
  await server.close();
});

test('with --yes it runs, in the workspace, without the key; the yes is on record', async () => {
  const server = await createScriptedServer([call, repliesText('Done.')]);
  const journal = path.join(folder, 'yes.jsonl');
  const code = `console.log(JSON.stringify([process.cwd(), process.env.OPENAI_API_KEY ?? 'no key']))`;
  const { done } = start(server.apiBase, code, ['--yes', '--journal', journal]);
  const ran = await done;
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /\[observe\] \{"success":true,"data":\[".*cli-command-\w+","no key"\]\}/);
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`);
  assert.match(readFileSync(journal, 'utf8'), /"type":"call.started",.*"approval":"--yes"/);
  await server.close();
});

for (const signals of [['SIGINT'], ['SIGINT', 'SIGINT'], ['SIGKILL']] as const)
  test(
    `C25 ${signals.join(', ')}: the command and its children end with the run`,
    { skip: process.platform === 'win32' },
    async () => {
      const server = await createScriptedServer([call]);
      const [own, child] = ['own', 'child'].map((name) => path.join(folder, `${signals.join('')}-${name}`));
      const stubborn = `for (const one of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(one, () => {});
        const told = (file) => require('fs').writeFileSync(file, process.pid + '\\n'); setInterval(() => {}, 1000);`;
      const inner = `${stubborn} told(${JSON.stringify(child)})`;
      const { running, done } = start(
        server.apiBase,
        `${stubborn} require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' });
         told(${JSON.stringify(own)})`,
        ['--yes'],
      );
      const pids = [await pidIn(own ?? ''), await pidIn(child ?? '')];
      for (const signal of signals) running.kill(signal);
      for (const pid of pids) await ended(pid);
      const { code, signal } = await done;
      if (signals.length === 1 && signals[0] === 'SIGINT') assert.equal(code, 130);
      else assert.ok(code === 130 || signal === signals[0], `${code} ${signal}`);
      await server.close();
    },
  );
