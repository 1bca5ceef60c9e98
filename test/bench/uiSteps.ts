/**
 * npm run bench:ui -- steps [--quick]: from F10 to the painted highlight in real VS Code in a browser, side by side with
 * js-debug stepping a small script in the same window, in turns; and from a checkpoint to the `stopped` event.
 * Prints a table and writes `out/bench/ui.json`.
 */
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { Page } from 'playwright-core';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, says } from '../doubles/scriptedModel.ts';
import { createTestAgent } from '../doubles/testAgent.ts';
import { openWorkbench, type Workbench } from '../ui/harness.ts';
import { printTable, shown, spread, takeTurns, writeResult } from './bench.ts';

const isQuick = process.argv.includes('--quick');
const turns = isQuick ? 2 : 6;
const stepsPerTurn = isQuick ? 8 : 15;
const warmUp = 3;
const contestants = ['Loopscope', 'js-debug'] as const;
type Contestant = (typeof contestants)[number];

/** A model that calls the calculator for ever, at once. */
async function startModel(): Promise<{ readonly url: string; readonly close: () => void }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    const call = {
      index: 0,
      id: `call_${asked}`,
      type: 'function',
      function: { name: 'calculator', arguments: `{"expression":"${asked}+1"}` },
    };
    const chunk = (delta: object, finish: string | null) =>
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${chunk({ role: 'assistant', tool_calls: [call] }, null)}${chunk({}, 'tool_calls')}data: [DONE]\n\n`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => server.close(),
  };
}

/** Each step leads to another line: a step that stays on its line would have no highlight to wait for. */
const script = `let sum = 0;
let i = 0;
while (i < 100000) {
  sum += i;
  sum -= 1;
  i += 1;
}
console.log(sum);
`;

async function workspace(model: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-bench-'));
  const agent = {
    model_name: 'm',
    api_base: model,
    api_key_env: 'LOOPSCOPE_BENCH_KEY',
    tools: ['calculator'],
    max_iters: 1000,
    system_prompt: 'x',
  };
  await writeFile(path.join(folder, 'bench.agent.json'), JSON.stringify(agent));
  await writeFile(path.join(folder, 'script.js'), script);
  await mkdir(path.join(folder, '.vscode'));
  const program = '${workspaceFolder}/script.js';
  const configurations = [
    {
      type: 'loopscope',
      request: 'launch',
      name: 'Loopscope',
      agent: '${workspaceFolder}/bench.agent.json',
      goal: 'Add.',
      stopOnEntry: true,
    },
    {
      type: 'node',
      request: 'launch',
      name: 'js-debug',
      program,
      stopOnEntry: true,
      console: 'internalConsole',
    },
  ];
  await writeFile(
    path.join(folder, '.vscode/launch.json'),
    JSON.stringify({ version: '0.2.0', configurations }),
  );
  return folder;
}

/**
 * Runs in the page: notes when F10 goes down, and resolves after the frame in which the highlight stands on another
 * line was painted: an animation frame comes before the paint, a message after it.
 */
const measureInPage = `(() => new Promise((resolve) => {
  const at = () => document.querySelector('.debug-top-stack-frame-line')?.parentElement?.style.top;
  const before = at();
  let started = 0;
  addEventListener('keydown', () => (started = performance.now()), { capture: true, once: true });
  const observer = new MutationObserver(() => {
    const now = at();
    if (!started || now === undefined || now === before) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - started);
      port2.postMessage(0);
    });
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['style', 'class'] });
}))()`;

async function step(page: Page): Promise<number> {
  const measured = page.evaluate<number>(measureInPage);
  // What is evaluated first is installed first: one channel carries both, in order.
  await page.evaluate('0');
  await page.keyboard.press('F10');
  return measured;
}

async function measureTurn(vscode: Workbench, name: Contestant): Promise<readonly number[]> {
  await vscode.runCommand('Debug: Select and Start Debugging');
  await vscode.quickPick(name);
  await vscode.page.locator('.debug-top-stack-frame-line').first().waitFor();
  await vscode.page.locator('.debug-toolbar .codicon-debug-step-over:not(.disabled)').waitFor();
  const times: number[] = [];
  for (let n = 0; n < warmUp + stepsPerTurn; n++) {
    const ms = await step(vscode.page);
    if (n >= warmUp) times.push(ms);
    await vscode.page.locator('.debug-toolbar .codicon-debug-step-over:not(.disabled)').waitFor();
  }
  await vscode.debugToolbar('stop');
  await vscode.whenNotDebugging();
  return times;
}

/** Milliseconds from each checkpoint's event to the \`stopped\` that it leads to, in one process. */
async function pauseTimes(rounds: number): Promise<readonly number[]> {
  const steps = Array.from({ length: rounds }, (_, n) =>
    calls([{ name: 'calculator', arguments: { expression: `${n}+1` }, id: `c${n}` }]),
  );
  const client = createDapClient(
    await createTestAgent(createScriptedModel([...steps, says('done')]), { max_iters: rounds + 1 }),
  );
  let checkpointAt = 0;
  await client.start({}, async () => {
    client.session.journal.onEvent(({ type }) => {
      if (type === 'checkpoint') checkpointAt = performance.now();
    });
  });
  const times: number[] = [];
  for (;;) {
    const { reason } = await client.event<{ reason: string }>('stopped');
    times.push(performance.now() - checkpointAt);
    if (reason === 'end') return times.slice(warmUp);
    await client.request('stepIn', { threadId: 1 });
  }
}

const model = await startModel();
const folder = await workspace(model.url);
const vscode = await openWorkbench({ folder, env: { LOOPSCOPE_BENCH_KEY: 'none' } });
try {
  const results = await takeTurns(contestants, turns, (name) => measureTurn(vscode, name));
  const pauses = spread(await pauseTimes(isQuick ? 20 : 100));
  const spreads = contestants.map((name) => [name, spread((results.get(name) ?? []).flat())] as const);
  // The machine is the same for both within a turn: what it does besides falls out of the ratio.
  const medians = (name: Contestant) => (results.get(name) ?? []).map((turn) => spread(turn).median);
  const ratio = spread(medians('Loopscope').map((ms, turn) => ms / (medians('js-debug')[turn] ?? NaN)));
  printTable(
    `F10 to the painted highlight, ${turns} turns of ${stepsPerTurn} steps each (target: median at most 100 ms)`,
    ['debugger', 'ms, median (min–max)'],
    [...spreads.map(([name, times]) => [name, shown(times)]), ['ratio of the turns', shown(ratio)]],
  );
  printTable(
    'Checkpoint to the stopped event (target: median at most 1 ms)',
    ['', 'ms, median (min–max)'],
    [['Loopscope', shown(pauses)]],
  );
  await writeResult('ui', {
    stepToPaint: { ...Object.fromEntries(spreads), ratio },
    pauseToStopped: pauses,
    turns,
    stepsPerTurn,
  });
} finally {
  await vscode.close();
  model.close();
  await rm(folder, { recursive: true, force: true });
}
