/** Drives a row over a link and keeps its transcript: readable, and without what depends on the machine. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { createScriptedServer, type ScriptedServer } from '../../doubles/scriptedServer.ts';
import type { Body, Dap, Link, Row } from './row.ts';
import { createLines, stable } from './lines.ts';

/** Plays a row. Resolves with its transcript. */
export async function play(row: Row, link: Link): Promise<string> {
  const written: string[] = [];
  let lines = createLines();
  const events = createEvents(link);
  let server: ScriptedServer | undefined;

  const say = (line: string) => void written.push(stable(line));
  const writeBefore = (seq: number) => events.before(seq).forEach((event) => say(lines.event(event)));
  const quietly = async (command: string, args: object): Promise<Body> => {
    const answer = await link.send(command, args);
    if (!answer.ok) throw new Error(`${command}: ${answer.message}`);
    return answer.body;
  };
  const children = async (variablesReference: number) =>
    (await quietly('variables', { variablesReference }))['variables'] as DebugProtocol.Variable[];
  const find = async ([scope, ...path]: readonly string[]) => {
    const { scopes } = (await quietly('scopes', { frameId: 1 })) as { scopes?: DebugProtocol.Scope[] };
    let reference = scopes?.find(({ name }) => name === scope)?.variablesReference ?? 0;
    for (const name of path)
      reference = (await children(reference)).find((one) => one.name === name)?.variablesReference ?? 0;
    if (reference === 0) throw new Error(`no row ${[scope, ...path].join(' › ')}`);
    return reference;
  };
  const frames = async () =>
    ((await quietly('stackTrace', { threadId: 1 }))['stackFrames'] as DebugProtocol.StackFrame[]) ?? [];
  const close = async () => {
    await link.end();
    await server?.close();
    server = undefined;
    events.clear();
  };

  const dap: Dap = {
    lines: link.lines,
    async begin(begin) {
      await close();
      lines = createLines();
      server = await createScriptedServer(begin.replies);
      const { goal = 'Add.', filters = [], filterOptions = [] } = begin;
      say(`== ${begin.noDebug ? 'without debugging' : 'debugging'}: ${goal}`);
      await link.begin(begin, server.apiBase, goal);
      if (begin.noDebug) return;
      await dap.until('stopped');
      const wanted = { filters, ...(filterOptions.length > 0 ? { filterOptions } : {}) };
      await quietly('setExceptionBreakpoints', wanted);
    },
    async ask(command, args = {}) {
      say(`→ ${command}${lines.request(args)}`);
      const answer = await link.send(command, args);
      if (!answer.ok) {
        writeBefore(Infinity);
        say(`← ${command} refused: ${answer.message}`);
        return {};
      }
      writeBefore(answer.seq);
      for (const line of lines.answer(command, answer.body)) say(line);
      return answer.body;
    },
    async until(name) {
      for (;;) {
        const event = await events.next();
        say(lines.event(event));
        if (event.event === name) return (event.body ?? {}) as Body;
      }
    },
    async go(verb, args = { threadId: 1 }) {
      await dap.ask(verb, args);
      const { reason } = await dap.until('stopped');
      const [top] = await frames();
      if (top) say(`  at ${top.name}, ${top.source?.name}:${top.line}`);
      return String(reason);
    },
    async over() {
      await dap.until('terminated');
      await close();
    },
    container: (...path) => find(path),
    async rows(...path) {
      say(`  ${path.join(' › ')}`);
      for (const row of await children(await find(path))) say(lines.variable(row));
    },
    async read(index) {
      const frame = (await frames())[index];
      if (!frame) throw new Error(`no frame ${index}`);
      for (const line of (await link.read(frame)).trimEnd().split('\n')) say(`    ${line}`.trimEnd());
    },
    note: (text) => say(`-- ${text}`),
  };

  try {
    await row.steps(dap);
    await close();
  } catch (error) {
    await close().catch(() => undefined);
    throw new Error(`${String(error)}, after:\n${written.slice(-30).join('\n')}`, { cause: error });
  }
  return `${written.join('\n')}\n`;
}

const patienceMs = 20_000;

/** Events that were not written yet. */
function createEvents(link: Link) {
  let waiting: DebugProtocol.Event[] = [];
  let wake: () => void = () => undefined;
  link.onEvent((event) => {
    waiting.push(event);
    wake();
  });
  return {
    before(seq: number): DebugProtocol.Event[] {
      const found = waiting.filter((event) => event.seq < seq);
      waiting = waiting.filter((event) => event.seq >= seq);
      return found;
    },
    /** Rejects when none comes: a row that waits for what does not happen says where it stands. */
    async next(): Promise<DebugProtocol.Event> {
      const limit = Date.now() + patienceMs;
      while (waiting.length === 0) {
        if (Date.now() >= limit) throw new Error('nothing more arrives');
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limit - Date.now());
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return waiting.shift()!;
    },
    clear() {
      waiting = [];
    },
  };
}
