/** What ships: packaged without a network, holding nothing that it should not, running from the file. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { test } from 'node:test';
import { openWorkbench } from './harness.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const vsix = path.join(root, 'dist', 'loopscope.vsix');
const run = promisify(execFile);

test('the package', async (t) => {
  await t.test('is made offline and holds only what ships', async () => {
    // An address where nobody listens: whoever asks a registry fails at once.
    const env = { ...process.env, npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9/' };
    await run('npm', ['run', 'package'], { cwd: root, env });
    const zip = await readFile(vsix);
    assert.ok(zip.byteLength <= 3_000_000, `${zip.byteLength} bytes`);
    const names = entriesOf(zip);
    assert.ok(names.includes('extension/dist/extension.js'));
    const allowed =
      /^(extension\/(package(\.nls(\.zh-cn)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt|l10n\/[\w.-]+\.json|dist\/((extension|cli)\.js|loop\.ts|chunks\/([\w.-]+\.js|data\/(\w+\.bin|LICENSE))|media\/[\w.-]+\.(js|css|ttf))|media\/([\w-]+\.(png|svg)|agent[\w.-]*\.json|pictures\/[\w-]+\.png))|extension\.vsixmanifest|\[Content_Types\]\.xml)$/;
    assert.deepEqual(
      names.filter((name) => !allowed.test(name)),
      [],
    );
  });

  const vscode = await openWorkbench({ vsix: [vsix] });
  t.after(() => vscode.close());
  await vscode.step(t, 'installed from the file, it stops the demo agent at plan', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickPick('day-planner.agent.json');
    await vscode.quickInput('What is 45 + 20?', 'Enter');
    await vscode.whenStopped('plan');
    await vscode.pressF10();
    await vscode.whenStopped('act · calculator');
    await vscode.shot('packaged');
  });
});

/** Names in a zip's central directory. */
function entriesOf(zip: Buffer): string[] {
  const names: string[] = [];
  const signature = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  for (let at = zip.indexOf(signature); at >= 0; at = zip.indexOf(signature, at + 4)) {
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  return names;
}
