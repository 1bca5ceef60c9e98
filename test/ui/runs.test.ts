/** What is on record, as a person meets it: the Runs tree, a run opened by keyboard, exported, deleted, its budget changed. */
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { test } from 'node:test';
import { ATTEMPT_MS, actUntil, eventually } from './harness/eventually.ts';
import { whenKept } from './harness/keptState.ts';
import type { PageElement } from './harness/pageElement.ts';
import { openFromExplorer, shownIn, textOf } from './harness/panelText.ts';
import { webviewTitles } from './harness/webviews.ts';
import { openWorkbench } from './harness.ts';

const goal = 'I am busy, plan the rest of my day';
const pictures = path.resolve(import.meta.dirname, '..', '..', 'out', 'pictures');
const SHORT = { timeout: ATTEMPT_MS };

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
  /** Goes to a row by keyboard and presses a key there, until that shows; a list that is made anew forgets the focus. */
  const pressOnRow = (keys: readonly string[], wanted: RegExp, key: string, isSeen: () => Promise<boolean>) =>
    actUntil(
      `${key} on the row ${wanted}`,
      async () => {
        await vscode.runCommand('Loopscope: Focus on Runs View');
        await tree.focus(SHORT);
        for (const one of keys) await page.keyboard.press(one);
        await tree.locator('.monaco-list-row.focused').and(page.getByLabel(wanted)).waitFor(SHORT);
        await page.keyboard.press(key);
      },
      isSeen,
    );
  const reads = async (title: string, wanted: RegExp) =>
    (await webviewTitles(page)).includes(title) && wanted.test(await textOf(await vscode.frame(title)));
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
      await pressOnRow(['End'], /4 rounds/, 'Enter', () =>
        reads('Rounds', /4 rounds.*round 4 against round 3/),
      );
      await vscode.shot('runs-opened');
    },
  );

  await vscode.step(
    t,
    'what Rounds shows survives hiding, another column and a reload; Context follows',
    async () => {
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
      await whenKept(page, 'round 2', /"selection":\{"run":1,"round":2\}[^]*"view":"history"/);
      await vscode.reload();
      await page.getByRole('tab', { name: /Rounds/ }).click();
      await check('after a reload');
      await vscode.runCommand('Loopscope: Show Context');
      await shownIn(vscode, 'Context', 'the budget after a reload', /Budget round 2/i);
    },
  );

  await vscode.step(t, 'an export asks for a form and a place; the page needs nothing else', async () => {
    await pressOnRow(['Home', 'ArrowDown', 'ArrowDown'], /8 rounds/, 'Enter', () =>
      reads('Rounds', /8 rounds/),
    );
    const forms = ['OpenAI messages (JSON)', 'Last request (JSON)', 'Notes (Markdown)', 'Page (HTML)'];
    const title = page.locator('.quick-input-title');
    const input = page.locator('.quick-input-widget .quick-input-box input');
    const isThere = (file: string) =>
      access(file).then(
        () => true,
        () => false,
      );
    const exported = async (form: string, name: string) => {
      const target = path.join(vscode.folder ?? '', name);
      const choose = async () => {
        await page.keyboard.press('Escape');
        await vscode.runCommand('Loopscope: Export…');
        await title.filter({ hasText: 'Export as' }).waitFor(SHORT);
        const offered = await vscode.quickPickLabels();
        assert.deepEqual(
          offered.map((label) => label.split(',')[0]),
          forms,
        );
        if (form === forms[0]) await vscode.shot('export-forms');
        await page
          .locator('.quick-input-list .monaco-list-row')
          .filter({ hasText: form })
          .first()
          .click(SHORT);
        await title.filter({ hasText: form }).waitFor(SHORT);
        // The name is proposed once the dialog has looked at the folder, and would be written over what is typed before.
        await eventually(
          'the proposed name',
          () => input.inputValue(SHORT),
          (at) => /small-window-s-[0-9a-f]{8}/.test(at),
          ATTEMPT_MS,
        );
        await input.fill(target, SHORT);
        await input.press('Enter', SHORT);
      };
      await actUntil(`the export ${name}`, choose, () => isThere(target));
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
      const editor = page.locator('.editor-group-container.active .view-lines');
      const reads1200 = '"context": { "max_tokens": 1200, "reserve": 100, "policy": "drop-oldest" }';
      const lines = async () => (await editor.innerText(SHORT)).replaceAll('\u00a0', ' ');
      await vscode.runCommand('Loopscope: Show Context');
      await shownIn(vscode, 'Context', 'the budget', /What if/i);
      const tryOut = async () => {
        const frame = await vscode.frame('Context');
        await frame.getByRole('spinbutton', { name: 'limit' }).fill('1200', SHORT);
        await frame.getByRole('button', { name: 'Use in the Agent File' }).click(SHORT);
      };
      await actUntil('the edit', tryOut, async () => (await lines()).includes(reads1200));
      assert.match(await lines(), /\/\/ Make it 1200 and the same goal is reached in four rounds\./);
      await vscode.shot('budget-applied');
      assert.equal(await readFile(file, 'utf8'), before, 'not saved');
      const undo = async () => {
        await editor.click(SHORT);
        await page.keyboard.press('ControlOrMeta+Z');
      };
      await actUntil('the undo', undo, async () => (await lines()).includes('"max_tokens": 670'));
    },
  );

  await vscode.step(t, 'a run is deleted by a key after a question, and is gone', async () => {
    const dialog = page.getByRole('dialog').filter({ hasText: 'Delete the session' });
    await pressOnRow(['End'], /4 rounds/, 'Delete', () => dialog.isVisible());
    await vscode.shot('runs-delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const left = await eventually('one run', labels, (all) => all.length === 3);
    assert.match(left.join('\n'), /small-window/);
  });
});
