/**
 * One debugged run with the offline model, stepped from checkpoint to checkpoint, in a process of its own. Answers the
 * milliseconds from each `checkpoint` in the journal to the `stopped` event that the client gets.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { AgentConfig } from '../../src/core/config.ts';
import { createAdapter } from '../../src/debug/adapter.ts';
import { agentSchema } from '../../src/entry/agentSchema.ts';
import { openSessionFile } from '../../src/entry/openSessionFile.ts';
import { systemClock } from '../../src/entry/systemClock.ts';
import { createTokenCounter } from '../../src/planner/tokens.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../src/toolbox/folderWorkspace.ts';
import { calls, createScriptedModel, says } from '../doubles/scriptedModel.ts';
import { stepTool } from './loop/loopscope.ts';

/** Breakpoints that are set and never hit: conditions cost an evaluation before each call. */
const breakpoints: Readonly<Record<string, readonly DebugProtocol.FunctionBreakpoint[]>> = {
  plain: [],
  conditions: [{ name: '*', condition: 'round < 0 && messages.some((m) => m.content === "never")' }],
};
/** Stops before which code and counters are still cold. */
const warmUp = 40;

const [contestant = 'plain', length = '100', loopFile = ''] = process.argv.slice(2);
const rounds = Number(length);
const folder = mkdtempSync(path.join(tmpdir(), 'loopscope-bench-'));
const tool = stepTool((n) => `result ${n} ${'x'.repeat(1000)}`);
const opened = openSessionFile({
  file: path.join(folder, 'journal.jsonl'),
  id: 's-bench',
  agent: 'bench.agent.json',
  clock: systemClock,
});
if (!opened.ok) throw new Error(opened.message);
const { session } = opened;
const replies = Array.from({ length: rounds }, (_, n) =>
  calls([{ name: tool.spec.name, arguments: { n }, id: `call_${n}` }]),
);
const config = agentSchema.parse({
  model_name: 'bench',
  max_iters: rounds + 1,
  context: { max_tokens: 10_000_000, reserve: 1000 },
  tools: [tool.spec.name],
}) as AgentConfig;
const agent = {
  config,
  model: createScriptedModel([...replies, says('All done')]),
  toolbox: createToolbox([tool]),
  workspace: createFolderWorkspace(folder),
  countTokens: await createTokenCounter(),
  clock: systemClock,
  systemOrigin: { kind: 'system' },
} as const;
const adapter = createAdapter({
  launch: async () => ({
    agent,
    session,
    goal: 'Go.',
    agentSource: { name: 'bench.agent.json' },
    notices: [],
    close: () => session.journal.close(),
  }),
  loop: { text: readFileSync(loopFile, 'utf8'), source: { name: 'loop.ts', path: 'loop.ts' } },
  onFault(error) {
    throw error;
  },
});
let seq = 1;
const send = (command: string, args?: object) =>
  adapter.handleMessage({ seq: seq++, type: 'request', command, arguments: args } as DebugProtocol.Request);
const latencies: number[] = [];
let reached = 0;
session.journal.onEvent(({ type }) => {
  if (type === 'checkpoint') reached = performance.now();
});
await new Promise<void>((resolve) => {
  adapter.onDidSendMessage((message) => {
    const { event, command, body } = message as {
      readonly event?: string;
      readonly command?: string;
      readonly body?: { readonly reason?: string };
    };
    if (event === 'initialized') {
      send('setExceptionBreakpoints', { filters: [] });
      send('setFunctionBreakpoints', { breakpoints: breakpoints[contestant] ?? [] });
      send('configurationDone');
    }
    if (event === 'stopped') {
      latencies.push(performance.now() - reached);
      const isOver = body?.reason === 'end';
      // As a person does it: when what led here has been told to its end.
      setImmediate(() => (isOver ? send('disconnect') : send('stepIn', { threadId: 1 })));
    }
    if (command === 'disconnect') resolve();
  });
  send('initialize', { adapterID: 'loopscope' });
  send('launch', { stopOnEntry: true });
});
rmSync(folder, { recursive: true });
// Four stops a round (plan, reply, act, observe), three in the last, and the end.
if (latencies.length !== rounds * 4 + 4) throw new Error(`${latencies.length} stops in ${rounds} rounds`);
console.log(JSON.stringify(latencies.slice(warmUp)));
