/** The demo agent that repairs a failing test, as examples/demo/README.md has a newcomer do it: for real, under the debugger. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

test('a failing test is repaired, step by step', async (t) => {
  const vscode = await openWorkbench();
  t.after(() => vscode.close());
  const { page } = vscode;
  const onDisk = () => readFile(path.join(vscode.folder ?? '', 'broken/total.js'), 'utf8');
  const open = async (file: string) => {
    await vscode.openPalette(file);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().waitFor();
    await page.keyboard.press('Enter');
    await eventually(
      `the editor of ${file}`,
      () => vscode.activeEditor(),
      (name) => name !== '' && file.startsWith(name),
    );
  };

  await vscode.step(t, 'F5 in its file, a goal, and it stops before it runs the test', async () => {
    await open('fix-test.agent.json');
    await page.locator('.editor-instance .view-lines').first().click();
    await vscode.pressF5();
    await vscode.quickInput('Fix the failing test', 'Enter');
    await vscode.whenStopped('plan');
    await vscode.pressF10();
    await vscode.whenStopped('act · run_command');
    await vscode.shot('fix-test-runs');
  });

  await vscode.step(
    t,
    'a stop rule holds it before the edit, whose arguments say what it will change',
    async () => {
      for (const phase of ['Plan', 'Act', 'Observe']) await vscode.toggleBreakpoint(phase);
      await vscode.runCommand('Loopscope: Stop Rules…');
      await vscode.quickPick('Stop at a tool…');
      await vscode.quickInput('edit_file', 'Enter');
      await vscode.debugToolbar('continue');
      await vscode.whenStopped('act · edit_file');
      assert.match(await onDisk(), /\(1 - discount\)/);
      await vscode.shot('fix-test-edits');
    },
  );

  await vscode.step(t, 'it runs on to the end: the test passes, the file is changed', async () => {
    await vscode.debugToolbar('continue');
    await vscode.whenStopped(/^end/);
    assert.match(await vscode.debugConsoleText(), /The test passes now: in broken\/total\.js/);
    assert.match(await onDisk(), /\(1 - discount \/ 100\)/);
    await vscode.shot('fix-test-done');
  });

  await vscode.step(t, 'one undo takes the edit back', async () => {
    await open('total.js');
    const line = page.locator('.editor-instance .view-line', { hasText: 'discount' }).first();
    await line.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await page.locator('.editor-instance .view-line', { hasText: '(1 - discount)' }).first().waitFor();
    await vscode.debugToolbar('stop');
  });
});
