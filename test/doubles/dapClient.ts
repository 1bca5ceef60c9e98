/** An in-process DAP client that keeps a transcript: what crossed, in order, one readable line each. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { readFileSync } from 'node:fs';
import { createAdapter } from '../../src/debug/adapter.ts';
import type { AdapterPorts, LaunchArguments } from '../../src/debug/adapterPorts.ts';
import type { Launched } from '../../src/debug/debuggee.ts';
import type { Agent, Run } from '../../src/runner/run.ts';
import type { Session } from '../../src/session/session.ts';
import { createTestSession } from './testAgent.ts';

/** What the client finds at `/loop.ts`. */
export const loopText = readFileSync(new URL('../../src/runner/loop.ts', import.meta.url), 'utf8');

export interface DapClient {
  readonly transcript: string[];
  readonly session: Session;
  /** For what panels do to it. */
  readonly run: Run | undefined;
  request<T = Record<string, unknown>>(command: string, args?: object): Promise<T>;
  /** The next event of that name that was not waited for yet. */
  event<T = Record<string, unknown>>(name: string): Promise<T>;
  /** initialize, launch, configurationDone, in the order of VS Code. */
  start(
    args?: Partial<LaunchArguments> & Record<string, unknown>,
    between?: () => Promise<unknown>,
  ): Promise<void>;
  /** Frames of the stop, as `name file:line`. */
  stack(): Promise<string[]>;
  /** Rows of a scope, or of a row in it, by names. */
  rows(...path: string[]): Promise<DebugProtocol.Variable[]>;
  /** The reference of a scope, or of a row in it. */
  container(...path: string[]): Promise<number>;
  /** Sets a row found by its path. */
  set(value: string, ...path: string[]): Promise<{ value: string }>;
  /** Leaves without a word. */
  dispose(): void;
}

export function createDapClient(agent: Agent, ports: Partial<AdapterPorts> = {}): DapClient {
  const transcript: string[] = [];
  let session = createTestSession();
  let sessions = 0;
  let run: Run | undefined;
  const adapter = createAdapter({
    async launch(): Promise<Launched> {
      if (sessions++ > 0) session = createTestSession(`s-test-${sessions}`);
      const agentSource = { name: 'test.agent.json', path: '/work/test.agent.json' };
      return {
        agent,
        session,
        goal: 'Add 45 and 20, then a to-do.',
        agentSource,
        notices: [],
        onRun: (begun) => (run = begun),
        close: () => undefined,
      };
    },
    loop: { text: loopText, source: { name: 'loop.ts', path: '/loop.ts' } },
    onFault(error) {
      throw error;
    },
    ...ports,
  });
  let seq = 1;
  const pending = new Map<number, (response: DebugProtocol.Response) => void>();
  const events: DebugProtocol.Event[] = [];
  const waiting: { name: string; resolve: (event: DebugProtocol.Event) => void }[] = [];

  adapter.onDidSendMessage((raw) => {
    const message = structuredClone(raw) as DebugProtocol.ProtocolMessage;
    if (message.type === 'response') {
      const response = message as DebugProtocol.Response;
      transcript.push(`← ${response.command}${response.success ? '' : ` refused: ${wordsOf(response)}`}`);
      pending.get(response.request_seq)?.(response);
      return;
    }
    const event = message as DebugProtocol.Event;
    transcript.push(`! ${eventLine(event)}`);
    const index = waiting.findIndex(({ name }) => name === event.event);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(event);
    else events.push(event);
  });

  const client: DapClient = {
    transcript,
    get session() {
      return session;
    },
    get run() {
      return run;
    },
    request(command, args) {
      const request: DebugProtocol.Request = { seq: seq++, type: 'request', command, arguments: args };
      transcript.push(`→ ${command}`);
      return new Promise((resolve, reject) => {
        pending.set(request.seq, (response) =>
          response.success ? resolve(response.body as never) : reject(new Error(wordsOf(response))),
        );
        adapter.handleMessage(request);
      });
    },
    async event(name) {
      const index = events.findIndex(({ event }) => event === name);
      const found =
        index >= 0
          ? events.splice(index, 1)[0]
          : await new Promise<DebugProtocol.Event>((resolve) => waiting.push({ name, resolve }));
      return found?.body as never;
    },
    async start(args = {}, between = async () => undefined) {
      await client.request('initialize', { adapterID: 'loopscope' });
      const launched = client.request('launch', args);
      await client.event('initialized');
      await between();
      await client.request('configurationDone');
      await launched;
    },
    async stack() {
      const { stackFrames } = await client.request<{ stackFrames: DebugProtocol.StackFrame[] }>(
        'stackTrace',
        { threadId: 1 },
      );
      return stackFrames.map(({ name, source, line }) => `${name} ${source?.name}:${line}`);
    },
    async rows(scope, ...path) {
      const { container } = await find(scope ?? '', path);
      return children(container);
    },
    async container(scope, ...path) {
      return (await find(scope ?? '', path)).container;
    },
    async set(value, scope, ...path) {
      const name = path.at(-1) ?? '';
      const { container } = await find(scope ?? '', path.slice(0, -1));
      return client.request('setVariable', { variablesReference: container, name, value });
    },
    dispose: () => adapter.dispose(),
  };

  async function find(scope: string, path: readonly string[]): Promise<{ container: number }> {
    const { scopes } = await client.request<{ scopes: DebugProtocol.Scope[] }>('scopes', { frameId: 1 });
    let container = scopes.find(({ name }) => name === scope)?.variablesReference ?? 0;
    for (const name of path) {
      const rows = await children(container);
      container = rows.find((row) => row.name === name)?.variablesReference ?? 0;
    }
    return { container };
  }

  async function children(variablesReference: number): Promise<DebugProtocol.Variable[]> {
    const { variables } = await client.request<{ variables: DebugProtocol.Variable[] }>('variables', {
      variablesReference,
    });
    return variables;
  }

  return client;
}

/** What a user reads of a refusal; `message` may be the protocol's own short word for it. */
function wordsOf({ message, body }: DebugProtocol.Response): string {
  return (body as Partial<DebugProtocol.ErrorResponse['body']>).error?.format ?? message ?? '';
}

/** Without what depends on the machine, or on how much the tools take of a request. */
function stable(text: string): string {
  return text
    .replace(/\d+\.\d\ds/g, '0.00s')
    .replace(/(\d+) → (\d+) of \d+ tokens/g, (_, before: string, after: string) => {
      const more = Number(after) - Number(before);
      return `N → N${more < 0 ? '' : '+'}${more} of N tokens`;
    });
}

function eventLine({ event, body }: DebugProtocol.Event): string {
  const fields = (body ?? {}) as Record<string, unknown>;
  switch (event) {
    case 'stopped':
      return `stopped ${String(fields['reason'])}: ${String(fields['description'])}${typeof fields['text'] === 'string' ? ` | ${fields['text']}` : ''}`;
    case 'output':
      return `output ${stable(JSON.stringify(fields['output']))}${'line' in fields ? ` @${String(fields['line'])}` : ''}`;
    case 'breakpoint': {
      const { id, verified, message = '' } = fields['breakpoint'] as DebugProtocol.Breakpoint;
      return `breakpoint ${String(fields['reason'])}: #${id} ${verified ? 'verified' : 'unverified'} ${message}`.trimEnd();
    }
    default:
      return event;
  }
}
