/**
 * C42, end to end: each row puts a secret somewhere. The session is debugged over DAP with a stop at every checkpoint,
 * edited, remembered, summed up and exported; the secret is in none of what that leaves or shows, and its mark is.
 * What it is for goes on: the model's rounds and the tools get the true text (DESIGN §4), and only a summary, which
 * needs no key, is asked for with the marks.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as z from 'zod';
import { exportMessages } from '../../../src/core/exportMessages.ts';
import { exportNotes } from '../../../src/core/exportNotes.ts';
import { exportPage } from '../../../src/core/exportPage.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { logLine } from '../../../src/core/logLine.ts';
import type { Applied } from '../../../src/core/ops.ts';
import { panelEvent } from '../../../src/core/panelEvent.ts';
import { createAdapter } from '../../../src/debug/adapter.ts';
import type { Launched } from '../../../src/debug/debuggee.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import { secretsOf } from '../../../src/entry/secrets.ts';
import type { Retrieve } from '../../../src/runner/retrieve.ts';
import { remember } from '../../../src/runner/remember.ts';
import type { Run } from '../../../src/runner/run.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { loopText } from '../../doubles/dapClient.ts';
import { englishExport } from '../../doubles/englishExport.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../../doubles/testAgent.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'places-'));
after(() => rmSync(folder, { recursive: true }));

const key = 'K7/FAKE&quite=secretß9';
const shaped = 'sk-FAKE-1234567890abcdef';
const base64 = (text: string) => Buffer.from(text).toString('base64');

interface Row {
  readonly goal?: string;
  readonly system_prompt?: string;
  /** The tool's answer, or what it throws. */
  readonly result?: unknown;
  readonly throws?: string;
  readonly arguments?: unknown;
  readonly tool?: string;
  readonly first?: ModelStep;
  readonly parameters?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly apiBase?: string;
  readonly url?: string;
  readonly redact?: readonly string[];
  readonly retrieve?: Retrieve;
  readonly todo?: string;
  /** What is done at the first stop at `act`. */
  readonly edit?: (run: Run) => Applied;
  /** A log point on the tool. */
  readonly logMessage?: string;
  /** What the model remembers. */
  readonly memory?: string;
  /** What must be nowhere. Without it: nothing that says FAKE. */
  readonly never?: RegExp;
  /** The model or the tool got the true text, as text in a body or in what the tool was given. */
  readonly reaches?: string;
}

const streams =
  (...pieces: readonly string[]): ModelStep =>
  (_body, { onText }) => {
    for (const piece of pieces) onText(piece);
    return calls([{ name: 'use' }], pieces.join(''));
  };

const rows: Readonly<Record<string, Row>> = {
  'the goal': { goal: `Use ${key}.`, reaches: 'FAKE&quite' },
  'the system prompt': { system_prompt: `Your key is ${shaped}.`, reaches: shaped },
  'a parameter of the agent file': {
    parameters: { extra: { Authorization: 'Bearer abcFAKE12345678' } },
    reaches: 'abcFAKE12345678',
  },
  'a parameter filled from the environment': { parameters: { extra: key }, reaches: 'FAKE&quite' },
  "the tool's arguments": { arguments: { key: shaped }, reaches: shaped },
  'arguments that are no JSON': { arguments: `{"key": "${shaped}` },
  'a result': { result: { found: `key=${key}` }, reaches: 'FAKE&quite' },
  'a long result': { result: { found: `${'x '.repeat(2500)} ${shaped} ${'y '.repeat(500)}` } },
  'a result with escaped slashes': { result: `{"key":"${key.replaceAll('/', '\\/')}"}` },
  'a result in ASCII': { result: `{"key":"${key.replace('ß', '\\u00df')}"}` },
  'a result in HTML': { result: `<p>key ${key.replace('&', '&amp;')} ${shaped}</p>` },
  'a result in base64': {
    result: `Basic auth ${base64(`me:${key}`)}`,
    never: new RegExp(base64(key).slice(4, 20)),
  },
  'a result in a URL': { result: `https://h/?q=${encodeURIComponent(key)}` },
  'what the tool throws': { throws: `login with ${key} failed`, reaches: 'FAKE&quite' },
  'the name of a tool': { tool: shaped },
  'what the model says': { first: streams(`Your key is ${shaped}, is it?`), reaches: shaped },
  'two chunks of a stream': { first: streams('Your key is sk-FA', 'KE-1234567890', 'abcdef, is it?') },
  'a known key in three chunks': { first: streams('It is K7/', 'FAKE&qu', 'ite=secretß9.') },
  "the provider's error": {
    first: fails('auth', { status: 401, message: `Incorrect API key provided: ${key}`, retryable: false }),
  },
  'a refused body that is echoed': {
    goal: `Use ${shaped}.`,
    first: (body) => fails('bad-request', { status: 400, message: `Can not read: ${body}`, wire: body }),
  },
  'what had arrived when the reply broke off': {
    first: fails('cut', { message: 'cut', partial: `The key is ${shaped}` }),
  },
  'the bytes of an odd reply': {
    first: { ...calls([{ name: 'use' }]), wire: `data: {"x":"${shaped}"}\n\n` },
  },
  'a note on an odd reply': {
    first: { ...calls([{ name: 'use' }]), notes: [{ code: 'odd', detail: `said ${shaped}` }] },
  },
  'the finish label': { first: { ...calls([{ name: 'use' }]), finish: shaped } },
  'the query of the address': {
    apiBase: 'https://h/v1?api_key=q-FAKE-123',
    url: 'https://h/v1/chat/completions?api_key=q-FAKE-123',
    throws: 'q-FAKE-123 is not known here',
  },
  'the password of the address': {
    apiBase: 'https://me:pw-FAKE-1@h/v1',
    url: 'https://me:pw-FAKE-1@h/v1/chat/completions',
    throws: 'pw-FAKE-1 is not known here',
  },
  'a token in place of a user in the address': {
    apiBase: 'https://tok1FAKE5678@h/v1',
    url: 'https://tok1FAKE5678@h/v1/chat/completions',
    throws: 'tok1FAKE5678 is not known here',
  },
  'the address of a proxy': {
    env: { HTTPS_PROXY: 'http://me:pr0xyFAKE9@p:8080' },
    throws: 'connect to http://me:pr0xyFAKE9@p:8080: 407 for pr0xyFAKE9',
  },
  "the proxy's authorization": {
    env: { HTTPS_PROXY: 'http://me:pr0xyFAKE9@p:8080' },
    throws: `sent ${base64('me:pr0xyFAKE9')}`,
    never: new RegExp(base64('me:pr0xyFAKE9').slice(4, 16)),
  },
  'an address of a database in the environment': {
    env: { DATABASE_URL: 'postgres://me:dbFAKEpw77@db/x' },
    throws: 'dbFAKEpw77 was refused',
  },
  "a header of the user's commands": { result: 'x-api-key: FAKE-abcdef-1\nCookie: sid=FAKE1234' },
  'a key at the start of a line': { result: `one\n${shaped}\ntwo\tAKIAFAKE567890123456` },
  "the user's pattern": {
    redact: ['EMP-\\d{6}'],
    goal: 'Ask EMP-123456.',
    never: /EMP-\d{6}/,
    reaches: 'EMP-123456',
  },
  "the user's pattern, as a name or a key in a result": {
    redact: ['EMP-\\d{6}'],
    result: {
      name: 'EMP-123456',
      id: 'EMP-123456',
      role: 'EMP-123456',
      type: 'EMP-123456',
      'EMP-123456': 1,
      long: 'x '.repeat(4000),
    },
    never: /EMP-\d{6}/,
  },
  "the user's pattern, in what the session keeps": {
    redact: ['EMP-\\d{6}'],
    todo: 'EMP-123456',
    never: /EMP-\d{6}/,
  },
  'retrieved context, and where it is from': {
    retrieve: ({ round }) =>
      round === 1
        ? [{ text: `It is ${shaped}.`, location: { path: `https://h/?token=${key}`, line: 1 } }]
        : [],
    reaches: shaped,
  },
  'what retrieval throws': {
    retrieve: () => {
      throw new Error(`no access with ${shaped}`);
    },
  },
  'an edit of the arguments': {
    edit: (run) =>
      run.apply({
        kind: 'set',
        target: 'm3/tool_calls/0/function/arguments',
        scope: 'pending',
        value: JSON.stringify({ key: shaped }),
      }),
    reaches: shaped,
  },
  'the reason of a rejection': {
    edit: (run) => run.apply({ kind: 'reject', target: '1.1.1', reason: `not with ${shaped}` }),
  },
  'a mocked result': {
    edit: (run) => run.apply({ kind: 'mock', target: '1.1.1', data: { key: shaped } }),
  },
  'what the model would remember': { memory: `The user asked to use the key ${shaped}. It was used.` },
  'a log point': { goal: `Use ${key}.`, logMessage: 'sent {JSON.stringify(messages)}' },
};

/** What a request says; its parameters are the user's own. */
const messagesOf = (body: string) => JSON.stringify((JSON.parse(body) as { messages: unknown }).messages);
const expressions = ['messages', 'packed', 'call', 'result', 'session', 'fresh', 'usage'];

/** Debugs to the end and looks at all there is at each stop; what the client was sent, as text. */
async function debug(launched: Launched, row: Row): Promise<readonly string[]> {
  const shown: string[] = [];
  const waiting = new Map<number, (message: DebugProtocol.Response) => void>();
  const stops: string[] = [];
  let onStop: (() => void) | undefined;
  const adapter = createAdapter({
    launch: async () => launched,
    loop: { text: loopText, source: { name: 'loop.ts', path: '/loop.ts' } },
    onFault: (error) => assert.fail(String(error)),
  });
  adapter.onDidSendMessage((raw) => {
    const message = raw as DebugProtocol.ProtocolMessage;
    shown.push(JSON.stringify(message));
    if (message.type === 'response')
      waiting.get((message as DebugProtocol.Response).request_seq)?.(message as never);
    const { event } = message as DebugProtocol.Event;
    if (event !== 'stopped' && event !== 'terminated' && event !== 'initialized') return;
    stops.push(event);
    onStop?.();
  });
  let seq = 0;
  const request = (command: string, args: object = {}) =>
    new Promise<Record<string, unknown>>((resolve) => {
      waiting.set(++seq, ({ body }) => resolve((body ?? {}) as Record<string, unknown>));
      adapter.handleMessage({ seq, type: 'request', command, arguments: args } as DebugProtocol.Request);
    });
  const next = async () => {
    while (stops.length === 0) await new Promise<void>((resolve) => (onStop = resolve));
    return stops.shift();
  };
  const look = async (variablesReference: number, depth: number) => {
    const { variables = [] } = await request('variables', { variablesReference });
    for (const row of variables as DebugProtocol.Variable[])
      if (row.variablesReference > 0 && depth > 0) await look(row.variablesReference, depth - 1);
  };
  const inspect = async () => {
    const { stackFrames = [] } = await request('stackTrace', { threadId: 1 });
    await request('exceptionInfo', { threadId: 1 });
    for (const { id, source } of stackFrames as DebugProtocol.StackFrame[]) {
      await request('source', { source, sourceReference: source?.sourceReference });
      const { scopes = [] } = await request('scopes', { frameId: id });
      for (const { variablesReference } of scopes as DebugProtocol.Scope[]) await look(variablesReference, 4);
    }
    const [frame] = stackFrames as DebugProtocol.StackFrame[];
    for (const name of expressions)
      await request('evaluate', {
        expression: `JSON.stringify(${name})`,
        context: 'repl',
        frameId: frame?.id,
      });
  };
  await request('initialize', { adapterID: 'loopscope' });
  const begun = request('launch');
  await next();
  await request('setExceptionBreakpoints', {
    filters: ['plan', 'reply', 'act', 'observe', 'modelError', 'toolFailure', 'badArguments', 'unknownTool'],
  });
  const line = loopText.split('\n').findIndex((text) => text.includes('await steps.ask')) + 1;
  if (row.logMessage !== undefined)
    await request('setBreakpoints', {
      source: { path: '/loop.ts' },
      breakpoints: [{ line, logMessage: row.logMessage }],
    });
  await request('configurationDone');
  await begun;
  while ((await next()) === 'stopped') {
    await inspect();
    await request('continue', { threadId: 1 });
  }
  await request('disconnect');
  adapter.dispose();
  return shown;
}

for (const [index, [name, row]] of Object.entries(rows).entries())
  test(`a secret in ${name} stays out of journal, exports, log, debugger, panels and memory`, async () => {
    const received: unknown[] = [];
    const use = defineTool({
      name: 'use',
      description: 'Uses a key.',
      effects: 'outside',
      input: z.object({ key: z.string().optional() }),
      run(input, { state }) {
        received.push(input);
        if (row.todo !== undefined) state.set('notes', [{ name: row.todo, id: row.todo, [row.todo]: 1 }]);
        if (row.throws !== undefined) throw new Error(row.throws);
        return row.result ?? 'used';
      },
    });
    const asides: string[] = [];
    const rounds: string[] = [];
    const first: ModelStep =
      row.first ?? calls([{ name: row.tool ?? 'use', arguments: row.arguments ?? {} }]);
    const steps = Array.from({ length: 8 }, (): ModelStep => async (body, options) => {
      const isAside = !('tools' in (JSON.parse(body) as object));
      (isAside ? asides : rounds).push(isAside ? messagesOf(body) : body);
      if (isAside) return says(row.memory ?? 'The user asked to use a key. It was used.');
      if (rounds.length > 1) return says('All done.');
      return typeof first === 'function' ? first(body, options) : first;
    });
    const file = path.join(folder, `${index}.jsonl`);
    const clock = createFixedClock();
    const opened = openSessionFile({ file, id: `s-${index}`, agent: 'a.agent.json', clock });
    assert.ok(opened.ok);
    const { session } = opened;
    const settings = {
      system_prompt: row.system_prompt ?? 'You are a test.',
      parameters: row.parameters ?? {},
      ...(row.apiBase === undefined ? {} : { api_base: row.apiBase }),
      ...(row.redact === undefined ? {} : { redact: [...row.redact] }),
    };
    const agent = await createTestAgent(createScriptedModel(steps, row.url), settings, [use]);
    const memory = { file: path.join(folder, `${index}.memory.json`), name: 'a.memory.json' };
    const live: string[] = [];
    const log: string[] = [];
    session.journal.onEvent((event) => log.push(logLine(session.state, event) ?? ''));
    let edited = row.edit === undefined;
    let refused = '';
    const shown = await debug(
      {
        agent: {
          ...agent,
          secrets: secretsOf(agent.config, key, row.env ?? {}),
          memory,
          ...(row.retrieve ? { retrieve: row.retrieve } : {}),
        },
        session,
        goal: row.goal ?? 'Use it.',
        agentSource: { name: 'a.agent.json' },
        notices: [],
        onText: (delta) => live.push(delta),
        onRun(run) {
          session.journal.onEvent((event) => {
            if (event.type !== 'paused' || session.state.checkpoint?.kind !== 'act' || edited) return;
            edited = true;
            const applied = row.edit?.(run);
            refused = applied?.ok ? '' : JSON.stringify(applied);
          });
        },
        async close() {
          const remembered = await remember({ ...agent, memory }, session, new AbortController().signal);
          live.push(JSON.stringify(remembered));
        },
      },
      row,
    );
    assert.deepEqual(problemsOf(session), []);
    assert.ok(edited);
    assert.equal(refused, '');
    session.journal.close();

    const journal = readFileSync(file, 'utf8');
    const state = foldAll(session.journal.events);
    const places = {
      journal,
      'the state': JSON.stringify([...state.parts, ...state.working, state.runs]),
      page: exportPage(state, 'en', englishExport),
      notes: exportNotes(state, englishExport),
      messages: exportMessages(state),
      log: log.join('\n'),
      debugger: shown.join('\n'),
      panels: JSON.stringify(session.journal.events.map((event) => panelEvent(event))),
      'the live text': live.join('\n'),
      memory: existsSync(memory.file) ? readFileSync(memory.file, 'utf8') : '',
      'the messages of the summary request': asides.join('\n'),
    };
    const never = row.never ?? /FAKE/;
    for (const [place, text] of Object.entries(places)) {
      const at = text.search(never);
      assert.ok(at < 0, `${place}: ${text.slice(Math.max(0, at - 120), at + 60)}`);
    }
    assert.match(journal, /\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]/);
    if (row.reaches !== undefined)
      assert.ok([...rounds, JSON.stringify(received)].some((text) => text.includes(row.reaches!)));
  });
