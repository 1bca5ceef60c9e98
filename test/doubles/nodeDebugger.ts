/**
 * A Node program under a debugger: started with `--inspect-brk` and held over the Chrome DevTools Protocol, as any
 * debugger of Node holds it. Source maps are read here, as a debugger reads them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { SourceMap } from 'node:module';
import type { Socket } from 'node:net';

export interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL: string;
}

export interface Paused {
  readonly reason: string;
  readonly callFrames: readonly {
    readonly functionName: string;
    readonly location: {
      readonly scriptId: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
  }[];
  readonly hitBreakpoints: readonly string[];
}

export interface NodeDebugger {
  /** Sends a command; rejects with what the debuggee says against it. */
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  /** Resolves with the next pause; undefined when the program has ended. */
  paused(): Promise<Paused | undefined>;
  readonly scripts: ReadonlyMap<string, Script>;
  readonly stdout: string;
  close(): void;
}

export async function debugNode(args: readonly string[], cwd: string): Promise<NodeDebugger> {
  const child = spawn(process.execPath, ['--inspect-brk=127.0.0.1:0', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.on('data', (piece) => (stdout += String(piece)));
  const socket = await connect(await listeningAt(child));
  const scripts = new Map<string, Script>();
  const answers = new Map<number, (message: Message) => void>();
  const pauses: (Paused | undefined)[] = [];
  let wake: () => void = () => undefined;
  let sent = 0;
  const pause = (event: Paused | undefined) => {
    pauses.push(event);
    wake();
  };
  readFrames(socket, (text) => {
    const message = JSON.parse(text) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    else if (message.method === 'Debugger.paused') pause(message.params as unknown as Paused);
    else if (message.method === 'Debugger.scriptParsed') {
      const script = message.params as unknown as Script;
      scripts.set(script.scriptId, script);
    } else if (message.method === 'Runtime.executionContextDestroyed') socket.end();
  });
  child.once('exit', () => pause(undefined));
  return {
    scripts,
    get stdout() {
      return stdout;
    },
    async send(method, params = {}) {
      const id = ++sent;
      const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
      socket.write(frame(JSON.stringify({ id, method, params })));
      const { error, result = {} } = await answer;
      if (error) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    async paused() {
      while (pauses.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return pauses.shift();
    },
    close() {
      socket.destroy();
      child.kill();
    },
  };
}

/** The place in a script that a line (from 1) of its source maps to first; undefined where its map knows none. */
export function generatedPlace(map: SourceMap, text: string, line: number) {
  for (const [lineNumber, generated] of text.split('\n').entries())
    for (let columnNumber = 0; columnNumber <= generated.length; columnNumber++)
      if (sourceLine(map, lineNumber, columnNumber, true) === line) return { lineNumber, columnNumber };
  return undefined;
}

/** The line (from 1) of the source that a place of its script comes from. `exact`: only where a mapping begins. */
export function sourceLine(map: SourceMap, line: number, column: number, exact = false): number | undefined {
  const found = map.findEntry(line, column);
  if (!('originalLine' in found)) return undefined;
  const begins = found.generatedLine === line && found.generatedColumn === column;
  return exact && !begins ? undefined : found.originalLine + 1;
}

/** The source map that a script carries in its text. */
export function inlineMap({ sourceMapURL }: Script): SourceMap {
  const [, data] = /^data:application\/json[^,]*;base64,(.*)$/s.exec(sourceMapURL) ?? [];
  if (data === undefined) throw new Error(`no source map inside the script: ${sourceMapURL.slice(0, 60)}`);
  return new SourceMap(
    JSON.parse(Buffer.from(data, 'base64').toString()) as ConstructorParameters<typeof SourceMap>[0],
  );
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

function listeningAt(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (piece) => {
      said += String(piece);
      const [address] = /ws:\/\/\S+(?=\s)/.exec(said) ?? [];
      if (address !== undefined) resolve(new URL(address));
    });
    child.once('exit', () => reject(new Error(`the program ended before it listened: ${said}`)));
  });
}

/** A WebSocket to the debuggee. Its side of the protocol is text frames, whole. */
function connect({ hostname, port, pathname }: URL): Promise<Socket> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    http
      .get({ hostname, port, path: pathname, headers })
      .on('upgrade', (_response, socket) => resolve(socket))
      .on('error', reject);
  });
}

function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = payload.length < 126 ? Buffer.from([0x81, 0x80 | payload.length]) : Buffer.alloc(4);
  if (payload.length >= 126) {
    head.set([0x81, 0x80 | 126]);
    head.writeUInt16BE(payload.length, 2);
  }
  // A mask of zeros: what a client sends must be masked, with whatever.
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

function readFrames(socket: Socket, onText: (text: string) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    for (;;) {
      const short = (bytes[1] ?? 0) & 0x7f;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (bytes.length < start) return;
      const length =
        short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
      if (bytes.length < start + length) return;
      const isText = ((bytes[0] ?? 0) & 0x0f) === 1;
      if (isText) onText(bytes.subarray(start, start + length).toString());
      bytes = bytes.subarray(start + length);
    }
  });
}
