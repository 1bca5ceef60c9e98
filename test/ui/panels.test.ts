/** Both panels as people meet them: in four themes with axe's findings, by keyboard, the three truths of a round. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Frame } from 'playwright-core';
import { axeFindings } from './harness/axeFindings.ts';
import { eventually } from './harness/eventually.ts';
import { assertTheme, type ThemeName, themeNames } from './harness/themes.ts';
import { openWorkbench, type Workbench } from './harness.ts';

const themes: Readonly<Record<ThemeName, string>> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};
async function setSettings(vscode: Workbench, settings: object): Promise<void> {
  const folder = join(vscode.folder ?? '', '.vscode');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
}

const textOf = (frame: Frame) => frame.locator('body').innerText();

test('the panels', async (t) => {
  const vscode = await openWorkbench({ theme: 'dark', viewport: { width: 1500, height: 950 } });
  t.after(() => vscode.close());
  const rounds = () => vscode.frame('Rounds');
  const context = () => vscode.frame('Context');

  await vscode.step(t, 'a run stops in its third round, both panels are open', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickPick('day-planner.agent.json');
    await vscode.quickInput('I am busy, plan the rest of my day', 'Enter');
    await vscode.whenStopped(/^plan$/);
    for (const frame of ['act · list_todos', 'observe', 'plan']) {
      await vscode.pressF5();
      await vscode.whenStopped(frame);
    }
    await vscode.runCommand('Loopscope: Show Context');
    await eventually(
      'the budget',
      async () => textOf(await context()),
      (text) => /8,192/.test(text),
    );
  });

  for (const name of themeNames) {
    await vscode.step(t, `axe finds nothing in ${name}`, async () => {
      await setSettings(vscode, { 'workbench.colorTheme': themes[name] });
      const kind = `vscode-${name}`;
      for (const panel of [rounds, context]) {
        const frame = await panel();
        await frame.locator(`body.${kind}`).waitFor();
        await assertTheme(frame, name);
        assert.deepEqual(await axeFindings(frame), []);
      }
      await vscode.shot(`panels-${name}`);
    });
  }

  await vscode.step(
    t,
    'by keyboard through the lane; the three truths; what is found is marked and counted',
    async () => {
      await setSettings(vscode, {});
      const frame = await rounds();
      await frame.getByRole('listbox').first().focus();
      await vscode.page.keyboard.press('ArrowLeft');
      await eventually(
        'round 1',
        () => textOf(frame),
        (text) => /round 1 \(/.test(text) || /first request/i.test(text) || /\+2 new/.test(text),
      );
      await vscode.page.keyboard.press('End');
      await frame.getByRole('button', { name: 'History' }).click();
      await eventually(
        'the history',
        () => textOf(frame),
        (text) => /m4/.test(text),
      );
      await frame.getByRole('button', { name: 'As sent' }).click();
      await frame.getByLabel('Find in all rounds').fill('weekly report');
      await eventually(
        'the sum',
        () => textOf(frame),
        (text) => /places: \d+ · messages: \d+/.test(text),
      );
      await vscode.shot('rounds-find');
      await vscode.page.keyboard.press('Enter');
      await vscode.page.keyboard.press('Escape');
      await frame.locator('[role=option]').first().click();
      await frame.getByRole('button', { name: 'Wire' }).click();
      const wire = await eventually(
        'the bytes',
        () => textOf(frame),
        (text) => /sha256 [0-9a-f]{64}/.test(text),
      );
      for (const check of ['hash as recorded', 'size as recorded', 'legal'])
        assert.ok(wire.includes(check), check);
      assert.ok(!/not legal|another/.test(wire));
      await vscode.shot('rounds-wire');
      assert.deepEqual(await axeFindings(frame), []);
    },
  );
});
