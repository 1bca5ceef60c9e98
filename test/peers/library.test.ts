/** The built library as another project meets it: its types, and agents that chat, tell, remember and retrieve. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { after, before, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'library-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, 'node_modules'));
symlinkSync(root, path.join(folder, 'node_modules', 'loopscope'));
writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');

const chat = (annotation: string) => `
import { Agent, builtinTools, createDemoModel } from 'loopscope';
const agent = new Agent({ model: createDemoModel(), tools: builtinTools });
const first = await agent.chat('What is 45 + 20?');
const second = await agent.chat('What is 1 + 1?', { session: first.session });
const message: ${annotation} = second.message;
process.stdout.write([first.message, message, second.session.state.runs.length].join('|'));
`;

const events = (field: string) => `
import { Agent, type AgentEvent, builtinTools, createDemoModel, isJournalEvent } from 'loopscope';
const lines: string[] = [];
function onEvent(event: AgentEvent): void {
  switch (event.type) {
    case 'tool_call':
      lines.push(\`call \${event.id} \${event.name} \${JSON.stringify(event.arguments)}\`);
      break;
    case 'tool_result':
      lines.push(event.success ? \`data \${JSON.stringify(event.data)}\` : \`error \${event.${field}}\`);
      break;
    case 'message':
      lines.push(\`\${event.role} \${event.run}.\${event.round} \${event.role === 'tool' ? '' : event.text}\`);
      break;
    default:
      if (event.seq === 0) lines.push(\`journal \${event.type} \${isJournalEvent(event)}\`);
  }
}
await new Agent({ model: createDemoModel(), tools: builtinTools }).chat('What is 45 + 20?', { onEvent });
process.stdout.write(lines.join('|'));
`;

const memory = `
import { Agent, builtinTools, createDemoModel } from 'loopscope';
const agent = new Agent({ model: createDemoModel(), tools: builtinTools, memoryFile: 'memory.json' });
const first = await agent.chat('What is 45 + 20?');
const remembered = await agent.remember(first.session);
if (remembered.kind !== 'saved') throw new Error(JSON.stringify(remembered));
const background: string[] = [];
await agent.chat('Hello', {
  onEvent: (event) => {
    if (event.type === 'message' && event.origin === 'memory') background.push(event.text);
  },
});
const without = new Agent({ model: createDemoModel(), tools: builtinTools });
const refused = await without.remember(first.session).catch((error: Error) => error.message);
process.stdout.write(JSON.stringify({ id: first.session.id, summary: remembered.summary, background, refused }));
`;

const retrieve = `
import { Agent, builtinTools, createDemoModel, type ModelClient, type Retrieve } from 'loopscope';
const demo = createDemoModel();
const bodies: string[] = [];
const model: ModelClient = {
  url: demo.url,
  label: demo.label,
  send: (body, options) => {
    bodies.push(body.text);
    return demo.send(body, options);
  },
};
const asked: string[] = [];
const retrieve: Retrieve = async ({ goal, round, messages, signal }) => {
  asked.push([goal, round, messages.length > 0, signal.aborted].join());
  return [{ text: 'The sum is asked for often.', location: { path: 'notes.md', line: 3 } }];
};
const agent = new Agent({ model, tools: builtinTools, retrieve });
const { message, session } = await agent.chat('What is 45 + 20?');
const origins = [...session.state.messages.values()].map(({ origin }) => origin);
const sent = bodies.map((body) => body.split('The sum is asked for often.').length - 1);
process.stdout.write(JSON.stringify({ message, asked, sent, origins: origins.filter(({ kind }) => kind === 'retrieval') }));
`;

const run = promisify(execFile);

/** Compiles programs as a stranger's project would, all at once: the library's types are read once. */
function compile(programs: Readonly<Record<string, string>>, ...options: readonly string[]) {
  for (const [name, text] of Object.entries(programs)) writeFileSync(path.join(folder, `${name}.ts`), text);
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const types = path.join(root, 'node_modules', '@types');
  const strict = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--typeRoots', types];
  const files = Object.keys(programs).map((name) => `${name}.ts`);
  return run(process.execPath, [tsc, ...strict, '--types', 'node', ...options, ...files], { cwd: folder });
}

before(() =>
  compile({ chat: chat('string | undefined'), events: events('error'), memory, retrieve }, '--outDir', 'out'),
);

/** What a program prints. */
async function printed(name: string): Promise<string> {
  const { stdout } = await run(process.execPath, [`out/${name}.js`], { cwd: folder });
  return stdout;
}

test('a program written in TypeScript against the library compiles and runs', async () => {
  assert.equal(await printed('chat'), '45 + 20 = 65|1 + 1 = 2|2');
});

test('a wrong type is refused: of an answer, and of an event whose type says that it has no such field', async () => {
  const refused = compile({ wrongChat: chat('number'), wrongEvents: events('data') }, '--noEmit');
  const { stdout } = await refused.then(
    () => assert.fail('it compiles'),
    (error: { readonly stdout: string }) => error,
  );
  const problems = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith(' '));
  assert.deepEqual(
    problems.map((line) => /^(\w+)\.ts\(\d+,\d+\): error (TS\d+)/.exec(line)?.slice(1)),
    [
      ['wrongChat', 'TS2322'],
      ['wrongEvents', 'TS2339'],
    ],
  );
});

test('events narrow by their type, and say what happened', async () => {
  assert.deepEqual((await printed('events')).split('|'), [
    'journal session.opened true',
    'user 1.0 What is 45 + 20?',
    'assistant 1.1 I let the calculator do that.',
    'call 1.1.1 calculator {"expression":"45 + 20"}',
    'data 65',
    'tool 1.1 ',
    'assistant 1.2 45 + 20 = 65',
  ]);
});

test('memoryFile: a session is remembered in a file, and the next one begins with it', async () => {
  const { id, summary, background, refused } = JSON.parse(await printed('memory')) as {
    readonly id: string;
    readonly summary: string;
    readonly background: readonly string[];
    readonly refused: unknown;
  };
  const file = JSON.parse(readFileSync(path.join(folder, 'memory.json'), 'utf8')) as {
    readonly memories: readonly { readonly session: string; readonly summary: string }[];
  };
  assert.deepEqual(
    file.memories.map((one) => [one.session, one.summary]),
    [[id, summary]],
  );
  assert.match(summary, /45 \+ 20/);
  assert.equal(background.length, 1);
  assert.ok(background[0]?.includes(summary) && background[0].includes(id));
  assert.match(String(refused), /memoryFile/);
});

test('retrieve: a function of the user adds context to what is sent, once, with its origin', async () => {
  assert.deepEqual(JSON.parse(await printed('retrieve')), {
    message: '45 + 20 = 65',
    asked: ['What is 45 + 20?,1,true,false', 'What is 45 + 20?,2,true,false'],
    sent: [1, 1],
    origins: [{ kind: 'retrieval', location: { path: 'notes.md', line: 3 } }],
  });
});
