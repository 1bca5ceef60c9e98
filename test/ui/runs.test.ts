/** What is on record, as a person meets it: the Runs tree, files of sessions, exports, a budget applied and undone. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Frame } from 'playwright-core';
import { eventually } from './harness/eventually.ts';
import type { PageElement } from './harness/pageElement.ts';
import { openWorkbench } from './harness.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const goal = 'I am busy, plan the rest of my day';

/** The demo folder with files of sessions in it. */
async function folderWithFiles(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-runs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(path.join(root, 'examples', 'demo'), folder, { recursive: true });
  await cp(
    path.join(root, 'test', 'fixtures', 'journal-example.jsonl'),
    path.join(folder, 's-0a1b2c3d.jsonl'),
  );
  await writeFile(path.join(folder, 'their-agent.jsonl'), foreignLog());
  const other = { model: 'm', system: 's', messages: [{ role: 'user', content: 'hi' }] };
  await writeFile(path.join(folder, 'other-api.jsonl'), `${JSON.stringify(other)}\n`);
  return folder;
}

/** What another agent sent: a message edited in place, one dropped, and at last a result without its call. */
function foreignLog(): string {
  const system = { role: 'system', content: 'You look things up.' };
  const user = { role: 'user', content: 'How warm is it in Bremen and in Kiel?' };
  const call = (id: string, city: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [
      { id, type: 'function', function: { name: 'weather', arguments: JSON.stringify({ city }) } },
    ],
  });
  const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
  const first = [call('c1', 'Bremen'), result('c1', 'Bremen: 21 degrees, light wind from the west')];
  const second = [call('c2', 'Kiel'), result('c2', 'Kiel: 18 degrees, rain in the evening')];
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
  const bodies = [
    [system, user],
    [system, user, ...first],
    [{ ...system, content: 'You look things up and answer in one line.' }, user, ...first, ...second],
    [{ ...system, content: 'You look things up and answer in one line.' }, user, first[1], ...second],
  ];
  return bodies.map((messages) => `${JSON.stringify({ model: 'gpt-x', messages, tools })}\n`).join('');
}

const textOf = async (frame: Frame) => (await frame.locator('body').innerText()).replace(/\s+/g, ' ');

test('runs on record', async (t) => {
  const folder = await folderWithFiles(t);
  const vscode = await openWorkbench({ folder, theme: 'dark', viewport: { width: 1500, height: 950 } });
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
    await page.keyboard.press('ControlOrMeta+P');
    await vscode.quickInput('README.md', 'Enter');
    await page.getByRole('tab', { name: /README/ }).waitFor();
    await page.getByRole('tab', { name: /Rounds/ }).click();
    await check('after it was hidden');
    await vscode.runCommand('View: Move Editor into Right Group');
    await check('in another column');
    await vscode.runCommand('Loopscope: Show Context');
    await shownIn('Context', 'the budget of round 2', /Budget round 2/);
    await vscode.reload();
    await check('after a reload');
    await vscode.runCommand('Loopscope: Show Context');
    await shownIn('Context', 'the budget after a reload', /8,192/);
  });

  await vscode.step(t, 'a journal opens by a double click, and comes back as it was looked at', async () => {
    await vscode.runCommand('View: Close All Editors');
    await openFromExplorer('s-0a1b2c3d.jsonl');
    const file = await shownIn('s-0a1b2c3d.jsonl', 'the journal', /day-planner\.agent\.json · gpt-x/);
    await file.locator('[role=option]').nth(1).click();
    await seen(file, 'its round 2', /round 2 against/);
    await vscode.shot('journal-by-double-click');
    await page.keyboard.press('ControlOrMeta+P');
    await vscode.quickInput('README.md', 'Enter');
    await page.getByRole('tab', { name: /README/ }).waitFor();
    await page.getByRole('tab', { name: /s-0a1b2c3d/ }).click();
    await shownIn('s-0a1b2c3d.jsonl', 'round 2 after it was hidden', /round 2 against/);
    await vscode.reload();
    await shownIn('s-0a1b2c3d.jsonl', 'round 2 after a reload', /round 2 against/);
  });

  await vscode.step(
    t,
    'a log of another agent: rounds, what is inferred, what left, what is not legal',
    async () => {
      await openFromExplorer('their-agent.jsonl');
      await page.getByRole('button', { name: 'Open in Rounds…' }).click();
      const file = await shownIn('their-agent.jsonl', 'the log', /inferred from a log, by content/);
      const text = await seen(file, 'the last body', /round 4 against round 3/);
      for (const wanted of [/−1 dropped/, /dropped by its agent: m3/, /illegalHistory/, /4 rounds/])
        assert.match(text, wanted);
      await vscode.shot('foreign-log');
      await file.locator('[role=option]').nth(2).click();
      const third = await seen(file, 'the edit', /round 3 against round 2/);
      assert.match(third, /~1 edited/);
      assert.match(third, /and answer in one line/);
      await file
        .getByRole('button', { name: 'Open where this tool is defined' })
        .first()
        .or(file.locator('.call-line').first())
        .first()
        .waitFor();
      await vscode.shot('foreign-log-edit');
    },
  );

  await vscode.step(t, 'a file that can not be shown says what it is and what can be', async () => {
    await openFromExplorer('other-api.jsonl');
    await page.getByRole('button', { name: 'Open in Rounds…' }).click();
    const message = page.getByText(/holds requests of the Anthropic Messages API/).first();
    await message.waitFor();
    await vscode.shot('other-api');
  });

  await vscode.step(t, 'an export asks for a form and a place; the page needs nothing else', async () => {
    await vscode.runCommand('View: Close All Editors');
    await vscode.runCommand('Loopscope: Focus on Runs View');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await shownIn('Rounds', 'the run of eight rounds', /8 rounds/);
    await vscode.runCommand('Loopscope: Export…');
    const forms = await vscode.quickPickLabels();
    assert.deepEqual(
      forms.map((label) => label.split(',')[0]),
      ['OpenAI messages (JSON)', 'Last request (JSON)', 'Notes (Markdown)', 'Page (HTML)'],
    );
    await vscode.shot('export-forms');
    await vscode.quickPick('Page (HTML)');
    const target = path.join(folder, 'exported.html');
    await vscode.quickInput(target, 'Enter');
    const html = await eventually(
      'the page',
      () => readFile(target, 'utf8').catch(() => ''),
      (text) => text.includes('</html>'),
    );
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
    await browser.screenshot({ path: path.join(root, 'out', 'pictures', 'exported-page.png') });
    await browser.close();
  });

  await vscode.step(
    t,
    'a budget that was tried out is written into the agent file, and one undo takes it back',
    async () => {
      const before = await readFile(path.join(folder, 'small-window.agent.json'), 'utf8');
      await vscode.runCommand('Loopscope: Show Context');
      const context = await shownIn('Context', 'the budget', /What if/);
      await context.getByRole('spinbutton', { name: 'limit' }).fill('1200');
      await context.getByRole('button', { name: 'Use in the Agent File' }).click();
      const editor = page.locator('.editor-group-container.active .view-lines');
      const changed = '"context": { "max_tokens": 1200, "reserve": 100, "policy": "drop-oldest" }';
      const lines = async () => (await editor.innerText()).replaceAll('\u00a0', ' ');
      const text = await eventually('the edit', lines, (all) => all.includes(changed));
      assert.match(text, /\/\/ Make it 1200 and the same goal is reached in four rounds\./);
      await vscode.shot('budget-applied');
      assert.equal(await readFile(path.join(folder, 'small-window.agent.json'), 'utf8'), before, 'not saved');
      await editor.click();
      await page.keyboard.press('ControlOrMeta+Z');
      await eventually('the undo', lines, (all) => all.includes('"max_tokens": 670'));
    },
  );

  await vscode.step(t, 'a run is deleted by a key after a question, and is gone', async () => {
    await vscode.runCommand('Loopscope: Focus on Runs View');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    const dialog = page.getByRole('dialog').filter({ hasText: 'Delete the session' });
    await dialog.waitFor();
    await vscode.shot('runs-delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const left = await eventually('one run', labels, (all) => all.length === 3);
    assert.match(left.join('\n'), /small-window/);
  });
});
