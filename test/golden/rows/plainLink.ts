/** A row's requests to an adapter in this very process, with no client between: what it wrote can be read afterwards. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent } from '../../../src/core/events.ts';
import { createAdapter } from '../../../src/debug/adapter.ts';
import { checkpointLines } from '../../../src/debug/loopSource.ts';
import { loadAgent } from '../../../src/entry/cli/loadAgent.ts';
import { createTestSession } from '../../doubles/testAgent.ts';
import type { Session } from '../../../src/session/session.ts';
import { agentOf } from './agentOf.ts';
import { type Answer, type Body, type Link, loopPath } from './row.ts';

const loopText = readFileSync(new URL('../../../src/runner/loop.ts', import.meta.url), 'utf8');

export interface PlainLink extends Link {
  /** The journals of the sessions so far, in order. */
  readonly journals: readonly (readonly JournalEvent[])[];
}

export function createPlainLink(): PlainLink {
  const sessions: Session[] = [];
  let listen: (event: DebugProtocol.Event) => void = () => undefined;
  let client: ReturnType<typeof createClient> | undefined;
  const current = () => client ?? assert.fail('no session');

  return {
    lines: checkpointLines(loopText),
    get journals() {
      return sessions.map(({ journal }) => [...journal.events]);
    },
    async begin(begin, apiBase, goal) {
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'rows-')), 'rows.agent.json');
      writeFileSync(file, JSON.stringify(agentOf(begin, apiBase)));
      client = createClient(file, goal, sessions, (event) => listen(event));
      const { noDebug = false } = begin;
      await current().send('initialize', { adapterID: 'loopscope' });
      const launched = current().send('launch', { noDebug, stopOnEntry: !noDebug });
      await current().initialized;
      await current().send('configurationDone', {});
      await launched;
    },
    send: (command, args) => current().send(command, args),
    onEvent: (next) => (listen = next),
    async read({ source }) {
      const answer = await current().send('source', { source, sourceReference: source?.sourceReference });
      return answer.ok ? String(answer.body['content']) : assert.fail(answer.message);
    },
    async end() {
      await client?.close();
      client = undefined;
    },
  };
}

function createClient(
  file: string,
  goal: string,
  sessions: Session[],
  listen: (event: DebugProtocol.Event) => void,
) {
  const answers = new Map<number, (response: DebugProtocol.Response) => void>();
  let seq = 1;
  let configure: () => void = () => undefined;
  const initialized = new Promise<void>((resolve) => (configure = resolve));
  const adapter = createAdapter({
    async launch() {
      const loaded = await loadAgent(file, path.dirname(file), new Map());
      if (!loaded.ok) return { problem: loaded.message };
      const session = createTestSession(`s-${sessions.length + 1}`);
      sessions.push(session);
      const agentSource = { name: loaded.name, path: file };
      return { agent: loaded.agent, session, goal, agentSource, notices: [], close: () => undefined };
    },
    loop: { text: loopText, source: { name: 'loop.ts', path: loopPath } },
    onFault(error) {
      throw error;
    },
  });
  adapter.onDidSendMessage((raw) => {
    const message = structuredClone(raw) as DebugProtocol.ProtocolMessage;
    if (message.type === 'response') {
      const response = message as DebugProtocol.Response;
      answers.get(response.request_seq)?.(response);
      return;
    }
    const event = message as DebugProtocol.Event;
    if (event.event === 'initialized') configure();
    listen(event);
  });
  return {
    initialized,
    async close() {
      await adapter.close();
      rmSync(path.dirname(file), { recursive: true });
    },
    send: (command: string, args: object) =>
      new Promise<Answer>((resolve) => {
        const request: DebugProtocol.Request = { seq: seq++, type: 'request', command, arguments: args };
        answers.set(request.seq, ({ success, seq: at, body, message }) => {
          const refused = (body as { error?: { format?: string } } | undefined)?.error?.format;
          resolve(
            success
              ? { ok: true, seq: at, body: (body ?? {}) as Body }
              : { ok: false, message: refused ?? message ?? '' },
          );
        });
        adapter.handleMessage(request);
      }),
  };
}
