/** What is on record, as a person meets it: the Runs tree, a run opened by keyboard, and what stays of how it was looked at. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import type { PageElement } from './harness/pageElement.ts';
import { openFromExplorer, shownIn } from './harness/panelText.ts';
import { openWorkbench } from './harness.ts';

const goal = 'I am busy, plan the rest of my day';

test('runs on record', async (t) => {
  const vscode = await openWorkbench({
    theme: 'dark',
    viewport: { width: 1500, height: 950 },
    settings: { 'debug.internalConsoleOptions': 'neverOpen' },
  });
  t.after(() => vscode.close());
  const { page } = vscode;
  const tree = page.getByRole('tree', { name: 'Runs' });
  const labels = () =>
    tree
      .getByRole('treeitem')
      .evaluateAll((rows: PageElement[]) => rows.map((row) => row.getAttribute('aria-label') ?? ''));
  /** Goes to a row by keyboard as it is pressed there. */
  const goToRow = async (keys: readonly string[], wanted: RegExp) => {
    await vscode.runCommand('Loopscope: Focus on Runs View');
    await tree.focus();
    for (const key of keys) await page.keyboard.press(key);
    await tree.locator('.monaco-list-row.focused').and(page.getByLabel(wanted)).waitFor();
  };
  let chats = 0;
  const chat = async (agent: string, text: string) => {
    await vscode.runCommand('Loopscope: Chat…');
    if (chats++ > 0)
      await page.locator('.quick-input-widget').getByRole('button', { name: 'New Session' }).click();
    await vscode.quickPick(agent);
    await vscode.quickInput(text, 'Enter');
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
    // A session that goes closes what is being asked: the next question comes when it is gone.
    await vscode.whenNotDebugging();
    await shownIn(vscode, 'Rounds', 'the first run', /4 rounds/);
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
    await shownIn(vscode, 'Rounds', 'the run that came last', /8 rounds/);
    await vscode.shot('runs-tree');
    await page.getByRole('button', { name: /^(Hide|Close) Panel/ }).click();
  });

  await vscode.step(
    t,
    'by keyboard a run is opened at its last round; it is there after a reload',
    async () => {
      await vscode.runCommand('View: Close All Editors');
      await vscode.reload();
      await vscode.runCommand('Loopscope: Focus on Runs View');
      await eventually('the stored runs', labels, (all) => all.length === 6);
      await goToRow(['End'], /4 rounds/);
      await page.keyboard.press('Enter');
      await shownIn(vscode, 'Rounds', 'its last round', /4 rounds.*round 4 against round 3/);
      await vscode.shot('runs-opened');
    },
  );

  await vscode.step(t, 'what Rounds shows survives hiding and another column; Context follows', async () => {
    const isKept = /Stop at round 2 .*Follow the run/;
    const check = async (when: string) => {
      const { frame } = await shownIn(vscode, 'Rounds', `round 2 ${when}`, isKept);
      const history = frame.getByRole('button', { name: 'History' });
      await eventually(
        `the history ${when}`,
        async () => (await history.getAttribute('aria-pressed')) === 'true',
      );
    };
    const rounds = await vscode.frame('Rounds');
    await rounds.locator('[role=option]').nth(1).click();
    await rounds.getByRole('button', { name: 'History' }).click();
    await check('when it is chosen');
    await openFromExplorer(vscode, 'README.md');
    await page.getByRole('tab', { name: /README/ }).waitFor();
    await page.getByRole('tab', { name: /Rounds/ }).click();
    await check('after it was hidden');
    await vscode.runCommand('View: Move Editor into Right Group');
    await check('in another column');
    await vscode.runCommand('Loopscope: Show Context');
    await shownIn(vscode, 'Context', 'the budget of the round that is chosen', /Budget round 2/i);
    await vscode.shot('context-of-chosen-round');
  });
});
