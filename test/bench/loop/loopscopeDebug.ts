/** Loopscope as the product runs it: the journal written to a file, the debugger attached, no breakpoint hit. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { AgentConfig } from '../../../src/core/config.ts';
import { answerText } from '../../../src/core/logLine.ts';
import { createAdapter } from '../../../src/debug/adapter.ts';
import type { Launched } from '../../../src/debug/debuggee.ts';
import { agentSchema } from '../../../src/entry/agentSchema.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import { systemClock } from '../../../src/entry/systemClock.ts';
import { createOpenAiClient } from '../../../src/planner/openaiClient.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';
import loopText from '../../../src/runner/loop.ts?text';
import type { Session } from '../../../src/session/session.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { type RunOptions, stepTool } from './loopscope.ts';
import { goal, system } from './modelServer.mjs';

/** The size of the last run's journal. */
export let journalBytes = 0;

export async function run({ base, rounds, step }: RunOptions): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'loopscope-bench-'));
  const file = path.join(folder, 'journal.jsonl');
  const opened = openSessionFile({
    file,
    id: 's-bench',
    agent: 'bench.agent.json',
    clock: systemClock,
  });
  if (!opened.ok) throw new Error(opened.message);
  const { session } = opened;
  await debug(await launched(session, base, rounds, step));
  const answer = answerText(session.state) ?? session.state.runs.at(-1)?.ended?.limit ?? 'no answer';
  journalBytes = statSync(file).size;
  rmSync(folder, { recursive: true });
  return answer;
}

async function launched(
  session: Session,
  base: string,
  rounds: number,
  step: RunOptions['step'],
): Promise<Launched> {
  const tool = stepTool(step);
  const context = { max_tokens: 10_000_000, reserve: 1000 };
  const settings = { model_name: 'bench', system_prompt: system, max_iters: rounds + 1, context };
  return {
    agent: {
      config: agentSchema.parse({ ...settings, tools: [tool.spec.name] }) as AgentConfig,
      model: createOpenAiClient({ apiBase: base, label: 'bench' }),
      toolbox: createToolbox([tool]),
      workspace: createFolderWorkspace(process.cwd()),
      countTokens: await createTokenCounter(),
      clock: systemClock,
      systemOrigin: { kind: 'system' },
    },
    session,
    goal,
    agentSource: { name: 'bench.agent.json' },
    notices: [],
    close: () => session.journal.close(),
  };
}

/** A client that attaches, sets no breakpoint, and lets it run to its end. */
async function debug(target: Launched): Promise<void> {
  const adapter = createAdapter({
    launch: async () => target,
    loop: { text: loopText, source: { name: 'loop.ts', path: 'loop.ts' } },
    onFault(error) {
      throw error;
    },
  });
  let seq = 1;
  const send = (command: string, args?: object) => {
    adapter.handleMessage({ seq: seq++, type: 'request', command, arguments: args } as DebugProtocol.Request);
  };
  await new Promise<void>((resolve) => {
    adapter.onDidSendMessage((message) => {
      const { event, command } = message as Partial<DebugProtocol.Event & DebugProtocol.Response>;
      if (event === 'initialized') {
        send('setExceptionBreakpoints', { filters: [] });
        send('configurationDone');
      }
      // The one stop there is: the end of the run.
      if (event === 'stopped') send('disconnect');
      if (command === 'disconnect') resolve();
    });
    send('initialize', { adapterID: 'loopscope' });
    send('launch', {});
  });
}
