/** Files of sessions from any folder, as a person opens them: a journal, what another agent sent, and what is neither. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test, type TestContext } from 'node:test';
import { longJournal } from '../doubles/longJournal.ts';
import { ATTEMPT_MS, actUntil, eventually } from './harness/eventually.ts';
import { whenKept } from './harness/keptState.ts';
import { openFromExplorer, shownIn } from './harness/panelText.ts';
import { openWorkbench } from './harness.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const journal = 's-0a1b2c3d.jsonl';
const long = 's-5e6f7a8b.jsonl';
const log = 'their-agent.jsonl';

/** The demo folder with files of sessions in it. */
async function folderWithFiles(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(path.join(root, 'examples', 'demo'), folder, { recursive: true });
  await cp(path.join(root, 'test', 'fixtures', 'journal-example.jsonl'), path.join(folder, journal));
  const events = longJournal({ rounds: 20, calls: 2, chars: 200 });
  await writeFile(path.join(folder, long), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await writeFile(path.join(folder, log), foreignLog());
  const other = { model: 'm', system: 's', messages: [{ role: 'user', content: 'hi' }] };
  await writeFile(path.join(folder, 'other-api.jsonl'), `${JSON.stringify(other)}\n`);
  return folder;
}

/** What another agent sent: a message edited in place, one dropped, and at last a result without its call. */
function foreignLog(): string {
  const system = { role: 'system', content: 'You look things up.' };
  const edited = { ...system, content: 'You look things up and answer in one line.' };
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
    [edited, user, ...first, ...second],
    [edited, user, first[1], ...second],
  ];
  return bodies.map((messages) => `${JSON.stringify({ model: 'gpt-x', messages, tools })}\n`).join('');
}

test('files of sessions', async (t) => {
  const folder = await folderWithFiles(t);
  const vscode = await openWorkbench({ folder, theme: 'dark', viewport: { width: 1500, height: 950 } });
  t.after(() => vscode.close());
  const { page } = vscode;

  await vscode.step(t, 'a journal opens by a double click, and comes back as it was looked at', async () => {
    await openFromExplorer(vscode, journal);
    const opened = await shownIn(vscode, journal, 'the journal', /day-planner\.agent\.json · gpt-x/);
    await opened.frame.locator('[role=option]').nth(1).click();
    await shownIn(vscode, journal, 'its round 2', /round 2 against/);
    await vscode.shot('journal-by-double-click');
    await openFromExplorer(vscode, 'README.md');
    await page.getByRole('tab', { name: /README/ }).waitFor();
    await page.getByRole('tab', { name: journal }).click();
    await shownIn(vscode, journal, 'round 2 after it was hidden', /round 2 against/);
  });

  await vscode.step(t, 'after a restart a journal is there as it was left; Context follows it', async () => {
    await openFromExplorer(vscode, long);
    const opened = await shownIn(vscode, long, 'the long journal', /20 rounds/);
    await opened.frame.locator('#cell-1-15').click();
    await opened.frame.getByRole('button', { name: 'History' }).click();
    await opened.frame.getByRole('button', { name: 'Filter' }).click();
    await opened.frame.getByLabel('role').selectOption('tool');
    await opened.frame.getByLabel('Find in all rounds').fill('report');
    /** The first row in view, and how many pixels of it are not; empty at the top. */
    const top = async () =>
      (await vscode.frame(long)).evaluate<string>(`(() => {
        const scroll = document.querySelector('.scroll');
        const edge = scroll?.getBoundingClientRect().top;
        if (!scroll?.scrollTop) return '';
        const first = [...scroll.querySelectorAll('[data-key]')].find((row) => row.getBoundingClientRect().bottom > edge);
        return first.dataset.key + ' ' + Math.round(edge - first.getBoundingClientRect().top);
      })()`);
    await opened.frame.locator('.scroll').evaluate((element: { scrollTop: number }) => {
      element.scrollTop = 333;
    });
    const place = await eventually('a place', top);
    const [key] = place.split(' ');
    const kept = new RegExp(
      `"session":"file-[0-9a-f]{12}","selection":\\{"run":1,"round":15\\}[^]*"view":"history"[^]*"find":"report"[^]*"role":"tool"[^]*"place":\\{"key":"${key}"`,
    );
    await whenKept(page, 'how the journal is looked at', kept);
    await vscode.reload();
    await page.getByRole('tab', { name: long }).click();
    const { frame } = await shownIn(vscode, long, 'round 15 after a restart', /round 15.*Follow the run/);
    await eventually('the place', top, (now) => now === place);
    assert.equal(await frame.getByRole('button', { name: 'History' }).getAttribute('aria-pressed'), 'true');
    assert.equal(await frame.getByLabel('role').inputValue(), 'tool');
    assert.equal(await frame.getByLabel('Find in all rounds').inputValue(), 'report');
    await vscode.shot('journal-after-restart');
    // Opened for the first time: it has nothing of its own to go by.
    await vscode.runCommand('Loopscope: Show Context');
    await shownIn(vscode, 'Context', 'the round that the file was left at', /Budget round 15/i);
  });

  await vscode.step(t, 'a file that is closed leaves Context to the one that is looked at', async () => {
    await openFromExplorer(vscode, log);
    await page.getByRole('button', { name: 'Open in Rounds…' }).click();
    await shownIn(vscode, log, 'the log', /4 rounds/);
    await vscode.runCommand('Loopscope: Show Context');
    await shownIn(vscode, 'Context', 'the log', /Budget round 4/i);
    const tabs = page.getByRole('tab', { name: log });
    await actUntil(
      'the log closed',
      async () => {
        await tabs.last().click({ timeout: ATTEMPT_MS });
        await vscode.runCommand('View: Close Editor');
      },
      async () => (await tabs.count()) === 0,
    );
    await page.getByRole('tab', { name: long }).click();
    await shownIn(vscode, 'Context', 'the journal', /Budget round 15/i);
  });

  await vscode.step(
    t,
    'a log of another agent: rounds, what is inferred, what left and why not',
    async () => {
      await vscode.runCommand('View: Close All Editors');
      await openFromExplorer(vscode, log);
      await page.getByRole('button', { name: 'Open in Rounds…' }).click();
      const { frame, text } = await shownIn(vscode, log, 'the last body', /round 4 against round 3/);
      await vscode.shot('foreign-log');
      for (const wanted of [/inferred/, /−1 dropped/, /4 rounds/]) assert.match(text, wanted);
      // What the log does not tell is not shown: no limit, no times.
      assert.doesNotMatch(text, /limit|0 ms/);
      await frame.locator('[role=option]').nth(2).click();
      const third = await shownIn(vscode, log, 'the edit', /round 3 against round 2.*and answer in one line/);
      await vscode.shot('foreign-log-edit');
      assert.match(third.text, /~1 edited/);
      assert.match(third.text, /differs since round 3; that it is the same message is inferred by content/);
      assert.doesNotMatch(third.text, /for good|a rule|Stop at round/);
    },
  );

  await vscode.step(t, 'a file that can not be shown says what it is', async () => {
    await openFromExplorer(vscode, 'other-api.jsonl');
    await page.getByRole('button', { name: 'Open in Rounds…' }).click();
    const told = await eventually(
      'a message',
      () => vscode.notifications(),
      (all) => all.length > 0,
    );
    assert.match(told[0] ?? '', /^other-api\.jsonl holds requests of the Anthropic Messages API/);
    await vscode.openNotifications();
    await vscode.shot('other-api');
  });
});
