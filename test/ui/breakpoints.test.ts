/** Breakpoints, edits and faults as a person meets them, with pictures. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

/** The box breaks long texts into lines. */
const bare = (text: string) => text.replace(/\s/g, '');

test('breakpoints, edits and faults', async (t) => {
  const lines = checkpointLines(await readFile(new URL('../../dist/loop.ts', import.meta.url), 'utf8'));
  const vscode = await openWorkbench();
  t.after(() => vscode.close());
  const { page } = vscode;
  const rounds = async () => (await vscode.frame('Rounds')).locator('body').innerText();
  const consoleHas = (what: RegExp) =>
    eventually(
      `${what} in the Debug Console`,
      () => vscode.debugConsoleText(),
      (text) => what.test(text),
    );
  /** Types into the box that a breakpoint in the editor is given its text in. */
  const fillZone = async (text: string) => {
    const box = page.locator('.breakpoint-widget .inputContainer .monaco-editor');
    await box.click();
    await page.keyboard.insertText(text);
    const typed = async () => bare(await box.locator('.view-lines').innerText());
    await eventually(`“${text}” in the breakpoint's box`, typed, (all) => all.includes(bare(text)));
  };
  const acceptZone = async () => {
    await page.keyboard.press('Enter');
    await page.locator('.breakpoint-widget').waitFor({ state: 'detached' });
  };

  await vscode.step(t, 'a condition and a log message are set in the loop', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickPick('day-planner.agent.json');
    await vscode.quickInput('I am busy, plan the rest of my day', 'Enter');
    await vscode.whenStopped('plan');
    for (const phase of ['Plan', 'Act', 'Observe']) await vscode.toggleBreakpoint(phase);
    await vscode.openPalette(`:${lines.observe}`);
    await page.keyboard.press('Enter');
    await vscode.runCommand('Debug: Add Logpoint...');
    await fillZone('round {round}: {fresh.results.length} done');
    await acceptZone();
    await vscode.openPalette(`:${lines.plan}`);
    await page.keyboard.press('Enter');
    await vscode.runCommand('Debug: Add Conditional Breakpoint...');
    await fillZone('round > 1');
    await vscode.shot('conditional-breakpoint');
    await acceptZone();
    await page.locator('.codicon-debug-breakpoint-log').first().waitFor();
  });

  await vscode.step(t, 'it stops where the condition holds, and the message was logged before', async () => {
    await vscode.pressF5();
    await vscode.whenStopped('plan');
    await eventually(
      'round 2',
      () => vscode.callStack(),
      (all) => all.some(({ label }) => label === 'round 2'),
    );
    await page.keyboard.press('ControlOrMeta+Shift+Y');
    await consoleHas(/round 1: 1 done/);
    await vscode.shot('log-message');
  });

  await vscode.step(t, 'an edit in Variables is taken, and one that can not be says why', async () => {
    await vscode.setVariable('temperature', '0.9');
    await eventually(
      'the temperature',
      () => vscode.variables(),
      (all) => all.some(({ name, value }) => name === 'temperature' && value === '0.9'),
    );
    const row = page.locator('.debug-variables .monaco-list-row').filter({ hasText: 'temperature' }).first();
    await row.locator('.value').dblclick();
    const box = page.locator('.debug-variables .monaco-inputbox input:visible');
    await box.fill('9');
    await box.press('Enter');
    await page
      .getByText(/temperature must be a number from 0 to 2/)
      .first()
      .waitFor();
    await vscode.shot('refused-edit');
    await page.keyboard.press('Escape');
    await vscode.debugConsoleInput('messages[1].role = "system"');
    await consoleHas(/role of a message can not change/);
    await vscode.debugConsoleInput('messages[1].content += " Leave time for a walk."');
    await eventually('the edit in Rounds', rounds, (text) => text.includes('Leave time for a walk.'));
    await vscode.shot('console-edit');
  });

  await vscode.step(t, 'an edit in an editor is taken when it is saved', async () => {
    await vscode.expandVariable('Messages', 'm2');
    const content = page
      .locator('.debug-variables .monaco-list-row')
      .filter({ hasText: /^content/ })
      .first();
    await content.click({ button: 'right' });
    // By keyboard: a menu that has just opened takes no click, so that it is not chosen from by accident.
    await page.locator('.monaco-menu').getByText('Edit in Editor').hover();
    await page.keyboard.press('Enter');
    await eventually(
      'the editor',
      () => vscode.activeEditor(),
      (name) => name.includes('content'),
    );
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('Plan my day.\nLeave two hours free.');
    await page.keyboard.press('ControlOrMeta+S');
    await eventually('the text in Rounds', rounds, (text) => text.includes('Leave two hours free.'));
    await vscode.shot('edit-in-editor');
  });

  await vscode.step(t, 'a rule of a row in Rounds is listed there, and by the command', async () => {
    const frame = await vscode.frame('Rounds');
    // What can be done with a row is there while it is pointed at.
    await frame.getByText('Leave two hours free.').last().hover();
    await frame.getByRole('button', { name: 'Stop when m2 changes or leaves the context' }).first().click();
    await frame.getByText('m2 changes or leaves the context').first().waitFor();
    await vscode.shot('stop-rules');
    await vscode.runCommand('Loopscope: Stop Rules…');
    await eventually(
      'the rule in the list',
      () => vscode.quickPickLabels(),
      (labels) => labels.some((label) => label.includes('m2 changes or leaves')),
    );
    await vscode.shot('stop-rules-list');
    await page.keyboard.press('Escape');
  });

  await vscode.step(t, 'a fault shows what happened, where, and what usually helps', async () => {
    for (const frame of ['reply', 'act · add_todo (1/2)', 'act · calculator (2/2)']) {
      await vscode.pressF11();
      await vscode.whenStopped(frame);
    }
    await vscode.expandVariable('Pending', 'call 1.2.2');
    await vscode.setVariable('arguments', '{"expression":"1/0"}');
    await vscode.pressF5();
    await page.locator('.exception-widget').waitFor();
    const text = await page.locator('.exception-widget').innerText();
    assert.match(text, /toolFailure/);
    assert.equal(text.match(/journal event \d+: message m\d+, call 1\.2\.2/g)?.length, 1);
    assert.match(text, /Edit the result at observe/);
    await vscode.shot('exception-info');
    await vscode.debugToolbar('stop');
    await vscode.whenNotDebugging();
  });
});
