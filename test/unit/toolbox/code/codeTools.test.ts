/** Issue 7: the tools that ask language services, on a plain folder with a TypeScript of its own. */
import assert from 'node:assert/strict';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import type { FileDiagnostic } from '../../../../src/core/ports.ts';
import type { CodePlace, CodeSymbol } from '../../../../src/core/services.ts';
import { codeTools } from '../../../../src/toolbox/builtinTools.ts';
import { createTypeScriptCode } from '../../../../src/toolbox/code/typeScriptCode.ts';
import { createToolbox } from '../../../../src/toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../../../../src/toolbox/folderWorkspace.ts';
import { buildCodeWorker } from '../../../doubles/codeWorker.ts';
import { temporaryTree, writeTree } from '../temporaryTree.ts';
import { toolContext } from '../toolContext.ts';

const repository = join(import.meta.dirname, '../../../..');
const afterAll: (() => unknown)[] = [];
after(() => Promise.all(afterAll.map((end) => end())));
const worker = await buildCodeWorker({ after: (end) => void afterAll.push(end as () => unknown) });
const box = createToolbox(codeTools);

interface Answer {
  readonly symbols?: readonly CodeSymbol[];
  readonly references?: readonly CodePlace[];
  readonly diagnostics?: readonly FileDiagnostic[];
  readonly outside_workspace?: number;
}

async function folderOf(t: TestContext, files: Readonly<Record<string, string>>, typescript = 'installed') {
  const root = await temporaryTree(t, { 'node_modules/': '', ...files });
  if (typescript === 'installed')
    await symlink(join(repository, 'node_modules/typescript'), join(root, 'node_modules/typescript'));
  const workspace = createFolderWorkspace(root, { code: createTypeScriptCode(root, worker) });
  const perform = async (name: string, input: object, context = {}) => {
    const call = { name, arguments: JSON.stringify(input) };
    return (await box.perform(call, toolContext({ workspace, ...context }))).observation;
  };
  const ask = async (name: string, input: object): Promise<Answer> => {
    const observation = await perform(name, input);
    assert.ok(observation.success, JSON.stringify(observation));
    return observation.data as Answer;
  };
  const refusal = async (name: string, input: object, context = {}): Promise<string> => {
    const observation = await perform(name, input, context);
    assert.ok(!observation.success, JSON.stringify(observation));
    return observation.error;
  };
  const symbols = async (input: object) =>
    ((await ask('find_symbols', input)).symbols ?? []).map(
      ({ name, kind, path, line, column, end, container }) =>
        `${path}:${line}:${column}-${end} ${kind} ${container === undefined ? '' : `${container}.`}${name}`,
    );
  return { root, ask, refusal, symbols };
}

const shop = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }',
  'src/total.ts':
    'export interface Item {\n  price: number;\n}\n\n/** total */\nexport function total(items: Item[]): number {\n  const sum = (one: number, item: Item) => one + item.price;\n  return items.reduce(sum, 0);\n}\n',
  'src/cart.ts':
    "import { total, type Item } from './total';\n\nexport class Cart {\n  readonly items: Item[] = [];\n  get totalPrice() {\n    return total(this.items) + total([]);\n  }\n}\n",
};

test('symbols by name and of a file, with places, kinds and what they are a part of', async (t) => {
  const { symbols, ask } = await folderOf(t, shop);
  assert.deepEqual(await symbols({ name: 'total' }), [
    'src/total.ts:6:17-9 function total',
    'src/cart.ts:5:7-7 property Cart.totalPrice',
  ]);
  assert.deepEqual(await symbols({ path: 'src/cart.ts' }), [
    'src/cart.ts:3:14-8 class Cart',
    'src/cart.ts:4:12-4 property Cart.items',
    'src/cart.ts:5:7-7 property Cart.totalPrice',
  ]);
  assert.deepEqual(await symbols({ path: 'src/total.ts', name: 'Item' }), [
    'src/total.ts:1:18-3 interface Item',
  ]);
  assert.deepEqual(await ask('find_symbols', { name: 'nothingOfTheKind' }), {
    symbols: [],
    more: false,
    note: 'TypeScript told of nothing. That is no proof that there is nothing: search_text finds text',
  });
});

test('references with their lines; a symbol that is not there is refused with its line', async (t) => {
  const { ask, refusal } = await folderOf(t, shop);
  assert.deepEqual(await ask('find_references', { path: 'src/total.ts', line: 6, symbol: 'total' }), {
    references: [
      { path: 'src/cart.ts', line: 1, column: 10, text: "import { total, type Item } from './total';" },
      { path: 'src/cart.ts', line: 6, column: 12, text: 'return total(this.items) + total([]);' },
      { path: 'src/cart.ts', line: 6, column: 32, text: 'return total(this.items) + total([]);' },
      { path: 'src/total.ts', line: 6, column: 17, text: 'export function total(items: Item[]): number {' },
    ],
    more: false,
  });
  const wrong = (line: number, symbol: string) =>
    refusal('find_references', { path: 'src/total.ts', line, symbol });
  assert.match(await wrong(2, 'total'), /"total" does not stand in line 2/);
  assert.match(await wrong(99, 'total'), /src\/total\.ts has 10 lines; line was 99/);
});

test('C36 diagnostics are those of the files as they are, also right after an edit, and of what depends on it', async (t) => {
  const { root, ask } = await folderOf(t, shop);
  const found = async (path?: string) => {
    const { diagnostics = [] } = await ask('get_diagnostics', path === undefined ? {} : { path });
    return diagnostics.map(({ path: at, line, severity, message }) => `${at}:${line} ${severity} ${message}`);
  };
  assert.deepEqual(await found(), []);
  const wrong = shop['src/total.ts'].replace('price: number', 'price: string');
  // Of the same size, in the same moment.
  await writeTree(root, { 'src/total.ts': wrong });
  assert.match(String(await found('src/total.ts')), /src\/total\.ts:8 error Type 'Item' is not assignable/);
  await writeTree(root, { 'src/total.ts': shop['src/total.ts'] });
  assert.deepEqual(await found('src/total.ts'), []);
  await writeTree(root, { 'src/total.ts': shop['src/total.ts'].replace('function total', 'function sumOf') });
  assert.match(String(await found('src/cart.ts')), /src\/cart\.ts:1 error .*no exported member 'total'/);
  await writeTree(root, { 'src/new.ts': 'export const x: number = "no";\n' });
  assert.match(String(await found()), /src\/new\.ts:1 error Type 'string'/);
});

test('JavaScript without a configuration counts, as in an editor; other kinds of files are told as such', async (t) => {
  const { ask, refusal, symbols } = await folderOf(t, {
    'a.mjs': 'export const area = (w, h) => w * h;\nfunction unused() {}\n',
    'b.js': "import { area } from './a.mjs';\nconsole.log(area(2, 3));\nlet broken = ;\n",
    'c.py': 'x = 1\n',
  });
  assert.deepEqual(await symbols({ name: 'area' }), ['a.mjs:1:14-1 constant area']);
  const { references = [] } = await ask('find_references', { path: 'a.mjs', line: 1, symbol: 'area' });
  assert.deepEqual(
    references.map(({ path }) => path),
    ['a.mjs', 'b.js', 'b.js'],
  );
  const { diagnostics = [] } = await ask('get_diagnostics', { path: 'b.js' });
  assert.deepEqual(diagnostics, [
    {
      path: 'b.js',
      line: 3,
      column: 14,
      severity: 'error',
      message: 'Expression expected.',
      source: 'ts 1109',
    },
  ]);
  assert.equal(
    await refusal('find_symbols', { path: 'c.py' }),
    'c.py: the language service here knows JavaScript and TypeScript only; search_text finds text',
  );
  assert.match(await refusal('get_diagnostics', { path: 'c.py' }), /run_command can run the checks/);
  assert.match(await refusal('find_symbols', { path: 'none.ts' }), /none\.ts: there is no such file/);
});

test('several projects: the nearest one speaks for a file, all of them for a name', async (t) => {
  const { ask, symbols } = await folderOf(t, {
    'tsconfig.json':
      '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./lib" }] }',
    'tsconfig.app.json': '{ "include": ["app"], "compilerOptions": { "composite": true } }',
    'app/main.ts': "import { twice } from '../lib/twice';\nexport const four = twice(2);\n",
    'lib/tsconfig.json': '{ "compilerOptions": { "composite": true, "strict": true } }',
    'lib/twice.ts': 'export function twice(n) {\n  return 2 * n;\n}\n',
  });
  assert.deepEqual(await symbols({ name: 'twice' }), ['lib/twice.ts:1:17-3 function twice']);
  const { diagnostics = [] } = await ask('get_diagnostics', { path: 'lib/twice.ts' });
  assert.match(JSON.stringify(diagnostics), /Parameter 'n' implicitly has an 'any' type/);
  const { references = [] } = await ask('find_references', {
    path: 'lib/twice.ts',
    line: 1,
    symbol: 'twice',
  });
  assert.deepEqual(
    references.map(({ path, line }) => `${path}:${line}`),
    ['app/main.ts:1', 'app/main.ts:2', 'lib/twice.ts:1'],
  );
});

test('what is outside is not shown, by a path, an import or a link', async (t) => {
  const outside = await temporaryTree(t, { 'secret.ts': 'export const secretKey = 5;\n' });
  const { root, ask, refusal, symbols } = await folderOf(t, {
    'in.ts': `import { secretKey } from '${outside}/secret';\nexport const own = secretKey;\n`,
  });
  await symlink(join(outside, 'secret.ts'), join(root, 'link.ts'));
  assert.deepEqual(await symbols({ name: 'secretKey' }), []);
  const found = await ask('find_references', { path: 'in.ts', line: 2, symbol: 'secretKey' });
  assert.equal(found.outside_workspace, 1);
  assert.match(await refusal('find_symbols', { path: 'link.ts' }), /leads out of the workspace/);
  assert.match(await refusal('find_symbols', { path: '../x.ts' }), /leads out of the workspace/);
});

test('without a TypeScript each tool says so in one sentence, and what finds text', async (t) => {
  const { refusal } = await folderOf(t, { 'a.ts': 'export const a = 1;\n' }, 'none');
  const none =
    'there is no language service here: no TypeScript is installed in this folder (node_modules/typescript)';
  assert.equal(await refusal('find_symbols', { name: 'a' }), `${none}; search_text finds text`);
  assert.equal(
    await refusal('find_references', { path: 'a.ts', line: 1, symbol: 'a' }),
    `${none}; search_text finds text`,
  );
  assert.equal(
    await refusal('get_diagnostics', {}),
    `${none}; run_command can run the checks of the project`,
  );
});

test('a TypeScript that a tool has written is not run', async (t) => {
  const fake = 'module.exports = {}; require("node:fs").writeFileSync(__dirname + "/ran", "");\n';
  const files = { 'node_modules/typescript/package.json': '{"main":"lib/typescript.js"}' };
  const { root, refusal } = await folderOf(
    t,
    { ...files, 'node_modules/typescript/lib/typescript.js': 'module.exports = {};\n', 'a.ts': '' },
    'its own',
  );
  await writeTree(root, { 'node_modules/typescript/lib/typescript.js': fake });
  assert.match(await refusal('find_symbols', { name: 'a' }), /was changed since the agent was loaded/);
  assert.deepEqual(await readdir(join(root, 'node_modules/typescript/lib')), ['typescript.js']);
});

test('one that is none, and one that hangs, are the failure of a call and of no more', async (t) => {
  const files = { 'node_modules/typescript/package.json': '{"main":"lib/typescript.js"}', 'a.ts': '' };
  const at = 'node_modules/typescript/lib/typescript.js';
  const none = await folderOf(t, { ...files, [at]: 'module.exports = {};\n' }, 'its own');
  // The second question gets a thread of its own, and not the one that is about to end.
  const failures = await Promise.all([1, 2].map(() => none.refusal('find_symbols', { name: 'a' })));
  for (const failure of failures) assert.match(failure, /TypeScript failed: TypeError/);
  const leaves = await folderOf(t, { ...files, [at]: 'process.exit(0);\n' }, 'its own');
  assert.match(await leaves.refusal('find_symbols', { name: 'a' }), /TypeScript ended without an answer/);
  const hangs = await folderOf(t, { ...files, [at]: 'for (;;);\n' }, 'its own');
  const abort = new AbortController();
  const asked = hangs.refusal('find_symbols', { name: 'a' }, { signal: abort.signal });
  abort.abort();
  assert.match(await asked, /cancelled/);
});
