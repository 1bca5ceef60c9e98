/** The demo agent that repairs a failing test, as examples/demo/README.md has a newcomer do it: for real, under the debugger. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { test } from 'node:test';
import { testEnvironment } from '../hosts/testEnvironment.mjs';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

test('a failing test is repaired, step by step', async (t) => {
  const vscode = await openWorkbench();
  t.after(() => vscode.close());
  const { page } = vscode;
  const onDisk = () => readFile(path.join(vscode.folder ?? '', 'broken/total.js'), 'utf8');

  await vscode.step(t, 'its file, a goal, and it stops before it runs the test', async () => {
    await vscode.openFile('fix-test.agent.json');
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickInput('Fix the failing test', 'Enter');
    await vscode.whenStopped('plan');
    await vscode.pressF10();
    await vscode.whenStopped('act · run_command');
    await vscode.expandVariable('Pending', 'call 1.1.1');
    await vscode.shot('fix-test-runs');
  });

  await vscode.step(t, 'the test that fails stops it, with what the test wrote', async () => {
    for (const phase of ['Plan', 'Act', 'Observe']) await vscode.toggleBreakpoint(phase);
    await vscode.pressF5();
    await page.locator('.exception-widget').waitFor();
    assert.match(await page.locator('.exception-widget').innerText(), /exit code 1/);
    await vscode.shot('fix-test-fails');
  });

  await vscode.step(
    t,
    'a stop rule holds it before the edit, whose arguments say what it will change',
    async () => {
      await vscode.runCommand('Loopscope: Stop Rules…');
      await vscode.quickPick('Stop at a tool…');
      await page.locator('.quick-input-widget').getByText('The name of the tool').waitFor();
      await vscode.quickInput('edit_file', 'Enter');
      await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await vscode.pressF5();
      await vscode.whenStopped('act · edit_file');
      await vscode.expandVariable('Pending', 'call 1.4.1');
      assert.match(await onDisk(), /\(1 - discount\)/);
      await vscode.shot('fix-test-edits');
    },
  );

  await vscode.step(t, 'the difference that it will make stands beside, until it is made', async () => {
    const proposed = page.locator('.tab', { hasText: 'proposed by the agent' });
    const changed = page.locator('.monaco-diff-editor .view-line', { hasText: 'discount / 100' });
    const rounds = await vscode.frame('Rounds');
    await rounds.getByRole('button', { name: 'Show difference' }).click();
    await proposed.waitFor();
    await changed.first().waitFor();
    await vscode.shot('fix-test-difference');
    assert.match(await onDisk(), /\(1 - discount\)/);
  });

  await vscode.step(t, 'it runs on to the end: the test passes, the file is changed', async () => {
    await vscode.pressF5();
    await vscode.whenStopped(/^end/);
    await page.locator('.tab', { hasText: 'proposed by the agent' }).waitFor({ state: 'detached' });
    await eventually(
      'the answer',
      () => vscode.debugConsoleText(),
      (text) => text.includes('The test passes now: in broken/total.js'),
    );
    assert.match(await onDisk(), /\(1 - discount \/ 100\)/);
    const own = spawnSync(process.execPath, ['--test', 'broken/total.test.js'], {
      cwd: vscode.folder,
      env: testEnvironment(process.env),
    });
    assert.equal(own.status, 0);
    await vscode.shot('fix-test-done');
  });

  await vscode.step(t, 'one undo takes the edit back', async () => {
    await vscode.openFile('total.js');
    const line = page.locator('.editor-instance .view-line', { hasText: 'discount' }).first();
    await line.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await page.locator('.editor-instance .view-line', { hasText: '(1 - discount)' }).first().waitFor();
    await vscode.debugToolbar('stop');
  });
});
