/** Symbols and references, by the language services that VS Code ships and by ones that the test registers. */
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { at, call, write } from './editorCalls.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { pretend } from './pretend.ts';

interface Symbols {
  readonly symbols: readonly { readonly name: string; readonly path: string; readonly line: number }[];
  readonly note?: string;
  readonly outside_workspace?: number;
}

interface References {
  readonly references: readonly object[];
  readonly note?: string;
  readonly outside_workspace?: number;
}

describe('symbols and references', () => {
  it('of JavaScript, by the service that VS Code ships, also in a window where nothing was opened', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await write(at('symbols/shop.js'), 'export function priceOfBasket(items) {\n  return items.length;\n}\n');
    await write(
      at('symbols/use.js'),
      "import { priceOfBasket } from './shop.js';\n\nexport const two = priceOfBasket([1, 2]);\n",
    );
    const cold = await call<Symbols>('find_symbols', { name: 'priceOfBasket' });
    assert.deepEqual(
      cold.symbols.filter(({ path }) => path === 'symbols/shop.js').map(({ name, line }) => [name, line]),
      [['priceOfBasket', 1]],
      JSON.stringify(cold),
    );
    const found = await call<References>('find_references', {
      path: 'symbols/use.js',
      line: 3,
      symbol: 'priceOfBasket',
    });
    assert.deepEqual(found.references, [
      { path: 'symbols/shop.js', line: 1, column: 17, text: 'export function priceOfBasket(items) {' },
      { path: 'symbols/use.js', line: 1, column: 10, text: "import { priceOfBasket } from './shop.js';" },
      { path: 'symbols/use.js', line: 3, column: 20, text: 'export const two = priceOfBasket([1, 2]);' },
    ]);
  }).timeout(60_000);

  it('of one file: all of them in order with what they are a part of, or those of a name', async () => {
    await write(
      at('symbols/plant.json'),
      JSON.stringify({ plants: { fern: { water: 3 } }, place: 'window' }, undefined, 2),
    );
    const all = await call<Symbols>('find_symbols', { path: 'symbols/plant.json' });
    assert.deepEqual(
      all.symbols.map(({ name, line }) => [name, line]),
      [
        ['plants', 2],
        ['fern', 3],
        ['water', 4],
        ['place', 7],
      ],
    );
    const some = await call<Symbols>('find_symbols', { path: 'symbols/plant.json', name: 'fer' });
    assert.match(JSON.stringify(some.symbols), /"name":"fern".*"end":5,"container":"plants"/);
    const none = await call<Symbols>('find_symbols', { path: 'symbols/plant.json', name: 'zebra' });
    assert.deepEqual(none.symbols, []);
    assert.match(none.note ?? '', /none of that name/);
  }).timeout(30_000);

  it('where nobody answers it is not told as a fact; what leads out, or does not stand there, is refused', async () => {
    await write(at('symbols/quiet.txt'), 'quiet words\n');
    const silent = await call<Symbols>('find_symbols', { path: 'symbols/quiet.txt' });
    assert.deepEqual(silent.symbols, []);
    assert.match(silent.note ?? '', /no proof/);
    const target = { path: 'symbols/quiet.txt', line: 1, symbol: 'quiet' };
    assert.match((await call<References>('find_references', target)).note ?? '', /no proof/);
    assert.match(
      await call('find_references', { ...target, symbol: 'loud' }),
      /"loud" does not stand in line 1/,
    );
    assert.match(await call('find_references', { ...target, line: 9 }), /has 2 lines; line was 9/);
    assert.match(await call('find_symbols', { path: '../x.js' }), /leads out/);
    assert.match(await call('find_symbols', {}), /give a name, a path, or both/);
  }).timeout(30_000);

  it('places outside of the workspace are counted and left out, also by a link; twins are told once', async () => {
    await write(at('symbols/here.txt'), 'Thing\n');
    execFileSync('ln', ['-sfn', '/', at('symbols/out').fsPath]);
    const range = new vscode.Range(0, 0, 0, 5);
    const places = [
      at('symbols/here.txt'),
      at('symbols/here.txt'),
      vscode.Uri.file('/elsewhere/thing.txt'),
      at('symbols/out/etc/hostname'),
    ];
    const registered = [
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          query === 'Thing'
            ? places.map(
                (uri) =>
                  new vscode.SymbolInformation(
                    'Thing',
                    vscode.SymbolKind.TypeParameter,
                    '',
                    new vscode.Location(uri, range),
                  ),
              )
            : [],
      }),
      vscode.languages.registerReferenceProvider(
        { pattern: '**/here.txt' },
        { provideReferences: () => places.map((uri) => new vscode.Location(uri, range)) },
      ),
    ];
    try {
      const found = await call<Symbols>('find_symbols', { name: 'Thing' });
      const place = { path: 'symbols/here.txt', line: 1, column: 1 };
      assert.deepEqual(found.symbols, [{ name: 'Thing', kind: 'type parameter', ...place, end: 1 }]);
      assert.equal(found.outside_workspace, 2);
      const target = { path: 'symbols/here.txt', line: 1, symbol: 'Thing' };
      const { references, outside_workspace: outside } = await call<References>('find_references', target);
      assert.deepEqual(references, [{ ...place, text: 'Thing' }]);
      assert.equal(outside, 2);
    } finally {
      registered.forEach((one) => void one.dispose());
      await vscode.workspace.fs.delete(at('symbols/out'));
    }
  }).timeout(30_000);

  it('cancelling ends a service that does not answer', async () => {
    const never = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () => new Promise<never>(() => undefined),
    });
    const controller = new AbortController();
    const waiting = call<string>('find_symbols', { name: 'anything' }, controller.signal);
    controller.abort();
    assert.match(await waiting, /cancelled/);
    never.dispose();
  });

  it('several folders, and one that is on no disk: paths with the name of the folder', async () => {
    const scheme = 'loopscopetestcode';
    const provider = vscode.workspace.registerFileSystemProvider(
      scheme,
      createMemoryFiles({ '/proj/a.json': '{ "virtual": 1 }' }),
    );
    await write(at('several/api/a.json'), '{ "real": 1 }');
    const virtual = vscode.Uri.from({ scheme, path: '/proj' });
    const pretence = await pretend('workspace', 'workspaceFolders', [
      { uri: at('several/api'), name: 'api', index: 0 },
      { uri: virtual, name: 'proj', index: 1 },
    ]);
    try {
      const found = await call<Symbols>('find_symbols', { path: 'proj/a.json' });
      assert.deepEqual(
        found.symbols.map(({ name, path }) => [name, path]),
        [['virtual', 'proj/a.json']],
        JSON.stringify(found),
      );
      const real = await call<Symbols>('find_symbols', { path: 'api/a.json' });
      assert.equal(real.symbols[0]?.path, 'api/a.json');
      assert.match(await call('find_symbols', { path: 'a.json' }), /several folders are open/);
    } finally {
      pretence.dispose();
      provider.dispose();
    }
  }).timeout(30_000);
});
