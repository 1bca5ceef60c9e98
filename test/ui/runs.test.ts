/** What is on record, as a person meets it: the Runs tree, a run opened by keyboard, exported, deleted, its budget changed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import type { PageElement } from './harness/pageElement.ts';
import { openFromExplorer, shownIn } from './harness/panelText.ts';
import { openWorkbench } from './harness.ts';

const goal = 'I am busy, plan the rest of my day';
const pictures = path.resolve(import.meta.dirname, '..', '..', 'out', 'pictures');

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

  await vscode.step(t, 'what Rounds shows survives hiding, another column and a reload', async () => {
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
    await vscode.reload();
    // VS Code may not have kept yet which tab was the active one.
    await page.getByRole('tab', { name: /Rounds/ }).click();
    await check('after a reload');
    await vscode.runCommand('Loopscope: Show Context');
    await shownIn(vscode, 'Context', 'the budget after a reload', /Budget round 2/i);
  });

  await vscode.step(t, 'an export asks for a form and a place; the page needs nothing else', async () => {
    await goToRow(['Home', 'ArrowDown', 'ArrowDown'], /8 rounds/);
    await page.keyboard.press('Enter');
    await shownIn(vscode, 'Rounds', 'the run of eight rounds', /8 rounds/);
    const forms = ['OpenAI messages (JSON)', 'Last request (JSON)', 'Notes (Markdown)', 'Page (HTML)'];
    const quickInputTitle = page.locator('.quick-input-title');
    const proposed = page.locator('.quick-input-widget .quick-input-box input');
    const exported = async (form: string, name: string) => {
      await vscode.runCommand('Loopscope: Export…');
      await quickInputTitle.filter({ hasText: 'Export as' }).waitFor();
      const labels = await vscode.quickPickLabels();
      assert.deepEqual(
        labels.map((label) => label.split(',')[0]),
        forms,
      );
      if (form === forms[0]) await vscode.shot('export-forms');
      await vscode.quickPick(form);
      const target = path.join(vscode.folder ?? '', name);
      await quickInputTitle.filter({ hasText: form }).waitFor();
      await eventually(
        'the name that is proposed',
        () => proposed.inputValue(),
        (at) => /small-window-s-[0-9a-f]{8}/.test(at),
      );
      await vscode.quickInput(target, 'Enter');
      // Said when the file is open: the next command would be typed into it before.
      const isTold = (all: readonly string[]) => all.some((one) => one.startsWith(`Exported to ${target}.`));
      await eventually(`the word of ${name}`, () => vscode.notifications(), isTold);
      return readFile(target, 'utf8');
    };
    const messages = JSON.parse(await exported('OpenAI messages (JSON)', 'exported.json')) as unknown[];
    assert.ok(messages.length > 10);
    assert.match(await exported('Notes (Markdown)', 'exported.md'), /drop-oldest/);
    await vscode.shot('exported-notes');
    const html = await exported('Page (HTML)', 'exported.html');
    assert.ok(!/<script|<link|<img|https?:/.test(html));
    const asked: string[] = [];
    const browser = await page.context().newPage();
    browser.on('request', (request) => asked.push(request.url()));
    await browser.setContent(html);
    assert.match(
      await browser.locator('body').innerText(),
      /dropped · m\d+ · tool · .*drop-oldest, need [\d,]+, room [\d,]+/,
    );
    assert.deepEqual(asked, []);
    await browser.screenshot({ path: path.join(pictures, 'exported-page.png') });
    await browser.close();
  });

  await vscode.step(
    t,
    'a budget that was tried out goes into the agent file; one undo takes it back',
    async () => {
      const file = path.join(vscode.folder ?? '', 'small-window.agent.json');
      const before = await readFile(file, 'utf8');
      await vscode.runCommand('Loopscope: Show Context');
      const { frame } = await shownIn(vscode, 'Context', 'the budget', /What if/i);
      await frame.getByRole('spinbutton', { name: 'limit' }).fill('1200');
      await frame.getByRole('button', { name: 'Use in the Agent File' }).click();
      const editor = page.locator('.editor-group-container.active .view-lines');
      const changed = '"context": { "max_tokens": 1200, "reserve": 100, "policy": "drop-oldest" }';
      const lines = async () => (await editor.innerText()).replaceAll('\u00a0', ' ');
      const text = await eventually('the edit', lines, (all) => all.includes(changed));
      assert.match(text, /\/\/ Make it 1200 and the same goal is reached in four rounds\./);
      await vscode.shot('budget-applied');
      assert.equal(await readFile(file, 'utf8'), before, 'not saved');
      await editor.click();
      await page.keyboard.press('ControlOrMeta+Z');
      await eventually('the undo', lines, (all) => all.includes('"max_tokens": 670'));
    },
  );

  await vscode.step(t, 'a run is deleted by a key after a question, and is gone', async () => {
    await goToRow(['End'], /4 rounds/);
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog').filter({ hasText: 'Delete the session' });
    await dialog.waitFor();
    await vscode.shot('runs-delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const left = await eventually('one run', labels, (all) => all.length === 3);
    assert.match(left.join('\n'), /small-window/);
  });
});
