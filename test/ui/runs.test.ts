/** What is on record, as a person meets it: the Runs tree, a run opened by keyboard, and what stays of how it was looked at. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Frame } from 'playwright-core';
import { eventually } from './harness/eventually.ts';
import type { PageElement } from './harness/pageElement.ts';
import { openWorkbench } from './harness.ts';

const goal = 'I am busy, plan the rest of my day';

const textOf = async (frame: Frame) => (await frame.locator('body').innerText()).replace(/\s+/g, ' ');

test('runs on record', async (t) => {
  const vscode = await openWorkbench({ theme: 'dark', viewport: { width: 1500, height: 950 } });
  t.after(() => vscode.close());
  const { page } = vscode;
  const tree = page.getByRole('tree', { name: 'Runs' });
  const labels = () =>
    tree
      .getByRole('treeitem')
      .evaluateAll((rows: PageElement[]) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  const explorer = page.getByRole('tree', { name: 'Files Explorer' });
  const seen = async (frame: Frame, what: string, wanted: RegExp) =>
    eventually(
      what,
      () => textOf(frame),
      (text) => wanted.test(text),
    );
  const shownIn = async (title: string, what: string, wanted: RegExp) => {
    await eventually(
      what,
      async () => textOf(await vscode.frame(title)).catch(() => ''),
      (text) => wanted.test(text),
    );
    return vscode.frame(title);
  };
  let chats = 0;
  const chat = async (agent: string, text: string) => {
    await vscode.runCommand('Loopscope: Chat…');
    if (chats++ > 0)
      await page.locator('.quick-input-widget').getByRole('button', { name: 'New Session' }).click();
    await vscode.quickPick(agent);
    await vscode.quickInput(text, 'Enter');
  };
  const openFromExplorer = async (name: string) => {
    await vscode.runCommand('View: Show Explorer');
    await explorer.getByRole('treeitem', { name }).dblclick();
  };

  await vscode.step(t, 'the tree lists runs by agent and day with what each came to', async () => {
    await vscode.runCommand('Loopscope: Focus on Runs View');
    await page.getByText('No run is on record in this workspace yet.').waitFor();
    await vscode.shot('runs-none');
    await chat('day-planner.agent.json', goal);
    await vscode.runCommand('Loopscope: Focus on Runs View');
    await eventually('the first run', labels, (all) =>
      all.some((label) => /plan the rest.*done/.test(label)),
    );
    await chat('small-window.agent.json', goal);
    const all = await eventually(
      'both runs',
      labels,
      (list) => list.length === 6 && !/running/.test(list.join()),
    );
    assert.match(
      all.join('\n'),
      /^small-window\.agent\.json.*\n.*20\d\d.*\nI am busy.*, stopped at a limit, 8 rounds/,
    );
    assert.match(all.join('\n'), /\nday-planner\.agent\.json.*\n.*20\d\d.*\nI am busy.*, done, 4 rounds/);
    await shownIn('Rounds', 'the run that came last', /8 rounds/);
    await vscode.shot('runs-tree');
  });

  await vscode.step(
    t,
    'by keyboard a run is opened at its last round; it is there after a reload',
    async () => {
      await vscode.runCommand('View: Close All Editors');
      await vscode.reload();
      await vscode.runCommand('Loopscope: Focus on Runs View');
      await eventually('the stored runs', labels, (all) => all.length === 6);
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const rounds = await shownIn('Rounds', 'the run of four rounds', /4 rounds/);
      await seen(rounds, 'its last round', /round 4 against round 3/);
      await vscode.shot('runs-opened');
    },
  );

  await vscode.step(t, 'what Rounds shows survives hiding, another column and a reload', async () => {
    const rounds = await vscode.frame('Rounds');
    await rounds.locator('[role=option]').nth(1).click();
    await rounds.getByRole('button', { name: 'History' }).click();
    const isKept = /Stop at round 2 .*Follow the run/;
    await seen(rounds, 'round 2', isKept);
    const check = async (when: string) => {
      const frame = await shownIn('Rounds', `round 2 ${when}`, isKept);
      const history = frame.getByRole('button', { name: 'History' });
      await eventually(
        `the history ${when}`,
        async () => (await history.getAttribute('aria-pressed')) === 'true',
      );
    };
    await openFromExplorer('README.md');
    await page.getByRole('tab', { name: /README/ }).waitFor();
    await page.getByRole('tab', { name: /Rounds/ }).click();
    await check('after it was hidden');
    await vscode.runCommand('View: Move Editor into Right Group');
    await check('in another column');
  });
});
