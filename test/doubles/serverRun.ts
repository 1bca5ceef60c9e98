/** A whole run against a real server: agent, loop, client and wire, with the journal's proof at the end. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { JournalEvent } from '../../src/core/events.ts';
import { createOpenAiClient } from '../../src/planner/openaiClient.ts';
import { startRun } from '../../src/runner/run.ts';
import type { Session } from '../../src/session/session.ts';
import { builtinTools } from '../../src/toolbox/builtinTools.ts';
import {
  createScriptedServer,
  type ScriptedAnswer,
  type ScriptedServer,
  type ServerRules,
} from './scriptedServer.ts';
import { createTestAgent, createTestSession, problemsOf } from './testAgent.ts';

export interface ServerRun extends ServerRules {
  readonly script: readonly ScriptedAnswer[];
  readonly settings?: Parameters<typeof createTestAgent>[1];
  readonly tools?: Parameters<typeof createTestAgent>[2];
  readonly session?: Session;
  readonly goal?: string;
  /** A server that is there already, so that two runs ask the same end point. */
  readonly server?: ScriptedServer;
}

export interface RanOn {
  readonly server: ScriptedServer;
  readonly session: Session;
  readonly outcome: string;
  /** Why it ended as it did, in words. */
  readonly why: string;
  /** The requests of this run, parsed. */
  readonly sent: readonly SentBody[];
}

export interface SentBody extends Record<string, unknown> {
  readonly messages: readonly (Record<string, unknown> & { readonly role: string })[];
}

export async function runOnServer(t: TestContext, options: ServerRun): Promise<RanOn> {
  const { script, settings = {}, tools = builtinTools, session = createTestSession(), goal = 'go' } = options;
  const server = options.server ?? (await createScriptedServer(script, options));
  if (!options.server) t.after(() => server.close());
  const before = server.requests.length;
  const client = createOpenAiClient({
    apiBase: server.apiBase,
    overflowPatterns: settings.context?.overflow_patterns ?? [],
  });
  const agent = await createTestAgent(client, settings, tools);
  const outcome = await startRun(agent, session, { goal }).done;
  assert.deepEqual(problemsOf(session), []);
  const why = session.state.runs.at(-1)?.ended?.limit ?? '';
  const sent = server.requests.slice(before).map(({ body }) => JSON.parse(body) as SentBody);
  return { server, session, outcome, why, sent };
}

export function eventsOf<T extends JournalEvent['type']>(
  session: Session,
  type: T,
): Extract<JournalEvent, { type: T }>[] {
  return session.journal.events.filter(
    (event): event is Extract<JournalEvent, { type: T }> => event.type === type,
  );
}

export function anomalyCodes(session: Session): string[] {
  return eventsOf(session, 'anomaly').map(({ code }) => code);
}
