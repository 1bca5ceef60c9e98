/** Breakpoints in the loop as a person sets them, with a picture. */
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

/** The box breaks long texts into lines. */
const bare = (text: string) => text.replace(/\s/g, '');

test('breakpoints in the loop', async (t) => {
  const lines = checkpointLines(await readFile(new URL('../../dist/loop.ts', import.meta.url), 'utf8'));
  const vscode = await openWorkbench();
  t.after(() => vscode.close());
  const { page } = vscode;
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
});
