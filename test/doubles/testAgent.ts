/** An agent for tests: scripted model, real toolbox and packing, a clock that stands still. */
import type { AgentConfig } from '../../src/core/config.ts';
import { checkJournal } from '../../src/core/check.ts';
import type { ModelClient, Workspace } from '../../src/core/ports.ts';
import { agentSchema } from '../../src/entry/agentSchema.ts';
import { sha256 } from '../../src/entry/createAgent.ts';
import { createTokenCounter } from '../../src/planner/tokens.ts';
import type { Agent } from '../../src/runner/run.ts';
import { createJournal } from '../../src/session/journal.ts';
import { openSession, type Session } from '../../src/session/session.ts';
import { builtinTools } from '../../src/toolbox/builtinTools.ts';
import { createToolbox } from '../../src/toolbox/createToolbox.ts';
import type { Tool } from '../../src/toolbox/tool.ts';
import { createFixedClock } from './fixedClock.ts';

export const noWorkspace: Workspace = {
  root: undefined,
  folder: () => ({ ok: false, error: 'no folder is open' }),
  folderAt: async () => ({ ok: false, error: 'no folder is open' }),
  realPath: async () => ({ ok: false, error: 'no folder is open' }),
  list: async () => ({ ok: false, error: 'no folder is open' }),
  read: async () => ({ ok: false, error: 'no folder is open' }),
  edit: async () => ({ ok: false, error: 'no folder is open' }),
  create: async () => ({ ok: false, error: 'no folder is open' }),
  search: async () => ({ ok: false, error: 'no folder is open' }),
};

type Settings = Partial<Omit<AgentConfig, 'context'>> & { context?: Partial<AgentConfig['context']> };

export async function createTestAgent(
  model: ModelClient,
  settings: Settings = {},
  tools: readonly Tool[] = builtinTools,
): Promise<Agent> {
  const named = { model_name: 'test-model', system_prompt: 'You are a test.', ...settings };
  return {
    config: agentSchema.parse({ ...named, tools: tools.map(({ spec }) => spec.name) }) as AgentConfig,
    model,
    toolbox: createToolbox(tools),
    workspace: noWorkspace,
    countTokens: await createTokenCounter(),
    clock: createFixedClock(),
    systemOrigin: { kind: 'system', location: { path: 'test.agent.json', line: 3 } },
  };
}

export function createTestSession(id = 's-test'): Session {
  return openSession(createJournal({ clock: createFixedClock() }), { id, agent: 'test.agent.json' });
}

/** The journal's own proof: every test that runs a session ends with it. */
export function problemsOf(session: Session): readonly string[] {
  const report = checkJournal(session.journal.events, {
    sha256,
    byteLength: (text) => Buffer.byteLength(text),
  });
  return report.problems.map(({ seq, message }) => `${seq}: ${message}`);
}
