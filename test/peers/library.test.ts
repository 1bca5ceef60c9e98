/** The built library as another project meets it: its types, and an agent that chats. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { after, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '..', '..');
const folder = mkdtempSync(path.join(tmpdir(), 'library-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, 'node_modules'));
symlinkSync(root, path.join(folder, 'node_modules', 'loopscope'));
writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');

const run = promisify(execFile);
const program = (annotation: string) => `
import { Agent, builtinTools, createDemoModel } from 'loopscope';
const agent = new Agent({ model: createDemoModel(), tools: builtinTools });
const first = await agent.chat('What is 45 + 20?');
const second = await agent.chat('What is 1 + 1?', { session: first.session });
const message: ${annotation} = second.message;
process.stdout.write([first.message, message, second.session.state.runs.length].join('|'));
`;

test('a program written in TypeScript against the library compiles and runs', async () => {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const types = path.join(root, 'node_modules', '@types');
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--strict',
    '--typeRoots',
    types,
    '--types',
    'node',
    '--outDir',
    'out',
  ];
  writeFileSync(path.join(folder, 'right.ts'), program('string | undefined'));
  await run(process.execPath, [tsc, ...options, 'right.ts'], { cwd: folder });
  const { stdout } = await run(process.execPath, ['out/right.js'], { cwd: folder });
  assert.equal(stdout, '45 + 20 = 65|1 + 1 = 2|2');
  writeFileSync(path.join(folder, 'wrong.ts'), program('number'));
  await assert.rejects(run(process.execPath, [tsc, ...options, '--noEmit', 'wrong.ts'], { cwd: folder }));
});
