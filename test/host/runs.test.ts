/** Runs that are on record: listed, opened, exported, deleted; and files of sessions from any folder. */
import * as assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { createScriptedServer, repliesCalls, repliesText } from '../doubles/scriptedServer.ts';
import { answering } from './answering.ts';
import { demoAgent, stopAll } from './debugHelpers.ts';
import { createMemoryFiles } from './memoryFiles.ts';
import { eventually, runThrough, writeAgent } from './ownAgent.ts';
import { pretend } from './pretend.ts';

interface Picked extends vscode.QuickPickItem {
  readonly run: {
    readonly session: string;
    readonly run: number;
    readonly goal: string;
    readonly outcome?: string;
    readonly rounds: number;
    readonly tokens?: number;
    readonly cost?: number;
  };
}

/** The runs that are offered, newest first; the one that fits is chosen. */
async function listed(wanted: (run: Picked['run']) => boolean = () => false): Promise<readonly Picked[]> {
  let items: readonly Picked[] = [];
  const pretence = await pretend('window', 'showQuickPick', async (given: Promise<readonly Picked[]>) => {
    items = await given;
    return items.find(({ run }) => wanted(run));
  });
  await vscode.commands.executeCommand('loopscope.openRun');
  pretence.dispose();
  return items;
}

const example = path.resolve(__dirname, '../../test/fixtures/journal-example.jsonl');
const folder = () => path.dirname(demoAgent().fsPath);
const fileIn = (name: string) => path.join(folder(), name);

/** Exports the session that is shown, in the form whose label begins so; returns the file. */
async function exported(form: string): Promise<string> {
  const target = fileIn(`exported-${Math.random().toString(36).slice(2)}`);
  const picks = await pretend('window', 'showQuickPick', async (items: readonly vscode.QuickPickItem[]) =>
    items.find(({ label }) => label.startsWith(form)),
  );
  const place = await pretend('window', 'showSaveDialog', async () => vscode.Uri.file(target));
  const told = await answering('showInformationMessage', undefined);
  await vscode.commands.executeCommand('loopscope.exportRun');
  for (const one of [picks, place, told]) one.dispose();
  assert.match(told.shown[0]?.message ?? '', /^Exported to /);
  return readFileSync(target, 'utf8');
}

/** The custom editor that is active, once it is. */
const shownFile = () =>
  eventually(async () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputCustom ? input : undefined;
  });

const hundred = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 };

describe('runs on record', () => {
  afterEach(stopAll);

  it('are listed with outcome, rounds, reported tokens and cost; one is shown and exported in each form', async () => {
    const server = await createScriptedServer([
      repliesCalls([{ name: 'calculator', arguments: { expression: '45+20' }, id: 'call_1' }], {}, hundred),
      repliesText('65, and my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD.', hundred),
    ]);
    const agent = await writeAgent('priced.agent.json', {
      model_name: 'm',
      api_base: server.apiBase,
      system_prompt: 'You add up.',
      tools: ['calculator'],
      price: { input: 2, output: 10 },
    });
    await runThrough(agent, 'What is 45 + 20?');
    const last = JSON.parse(server.requests.at(-1)?.body ?? '') as { messages: object[] };
    await server.close();

    const [first] = await listed((run) => run.goal === 'What is 45 + 20?');
    assert.deepEqual(
      [first?.label, first?.description, first?.run.outcome, first?.run.rounds, first?.run.tokens],
      ['What is 45 + 20?', 'priced.agent.json', 'done', 2, 200],
    );
    assert.ok(Math.abs((first?.run.cost ?? 0) - 0.00056) < 1e-9, String(first?.run.cost));

    const messages = JSON.parse(await exported('OpenAI messages')) as object[];
    assert.deepEqual(messages.slice(0, -1), last.messages);
    assert.equal(messages.length, last.messages.length + 1);
    assert.deepEqual(JSON.parse(await exported('Last request')), last);

    const notes = await exported('Notes');
    assert.match(notes, /^# priced\.agent\.json\n\n## Run 1: What is 45 \+ 20\?/);
    assert.match(notes, /### Round 2[^]*- kept: 2 messages, from m1\n- \*\*new\*\* m3 \(assistant\)/);
    assert.match(notes, /1\. `calculator \{"expression":"45\+20"\}` → ok: `.*65/);
    assert.match(notes, /Ended: done · rounds: 2 · 200 tokens · \$0\.00056/);

    const page = await exported('Page');
    assert.ok(!/<script|<link|<img|src=|https?:/.test(page));
    for (const text of [JSON.stringify(messages), notes, page]) {
      assert.ok(!text.includes('sk-proj-abcdef'), 'no key in it');
      assert.ok(text.includes('[redacted:'));
    }
  });

  it('are deleted after a question, and then the file is gone', async () => {
    await runThrough(demoAgent(), 'Delete me');
    const items = await listed((run) => run.goal === 'Delete me');
    const run = items.find(({ label }) => label === 'Delete me')?.run;
    const node = { kind: 'run', run };
    const no = await answering('showWarningMessage', undefined);
    await vscode.commands.executeCommand('loopscope.deleteRun', node);
    no.dispose();
    const [question] = no.shown;
    assert.equal(question?.message, 'Delete the session “Delete me”?');
    assert.equal(question.options.modal, true);
    const file = /: (.*)$/.exec(question.options.detail ?? '')?.[1] ?? '';
    assert.ok(existsSync(file), file);

    const yes = await answering('showWarningMessage', 'Delete');
    const errors = await answering('showErrorMessage', undefined);
    await vscode.commands.executeCommand('loopscope.deleteRun', node);
    yes.dispose();
    errors.dispose();
    assert.deepEqual(errors.shown, []);
    assert.equal(existsSync(file), false);
    assert.equal(existsSync(`${file}.lock`), false);
    assert.ok(!(await listed()).some(({ run: left }) => left.session === run?.session));
  });
});

describe('files of sessions', () => {
  afterEach(stopAll);
  const body = (...texts: string[]) =>
    JSON.stringify({ model: 'm', messages: texts.map((content) => ({ role: 'user', content })) });
  const open = async (name: string, content: string) => {
    writeFileSync(fileIn(name), content);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(fileIn(name)));
  };

  it('a journal opens in Rounds by its name, and goes on as it is written', async () => {
    const lines = readFileSync(example, 'utf8').trimEnd().split('\n');
    const second = lines.findIndex((line) => line.includes('"type":"run.started","run":2'));
    await open('s-0a1b2c3d.jsonl', `${lines.slice(0, second).join('\n')}\n`);
    assert.equal((await shownFile()).viewType, 'loopscope.journal');
    assert.doesNotMatch(await exported('Notes'), /## Run 2/);
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(fileIn('s-0a1b2c3d.jsonl')));
    await shownFile();
    appendFileSync(fileIn('s-0a1b2c3d.jsonl'), `${lines.slice(second).join('\n')}\n`);
    await eventually(async () => {
      const notes = await exported('Notes');
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(fileIn('s-0a1b2c3d.jsonl')));
      await shownFile();
      return notes.includes('## Run 2: And what is left') || undefined;
    });
  });

  it('a log of another agent is read by a command, and exported without its keys', async () => {
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD';
    writeFileSync(fileIn('agent.log.jsonl'), `${body('a')}\nnonsense\n${body('a', `the key: ${key}`)}\n`);
    const notes = await answering('showWarningMessage', undefined);
    await vscode.commands.executeCommand('loopscope.openFile', vscode.Uri.file(fileIn('agent.log.jsonl')));
    assert.equal((await shownFile()).viewType, 'loopscope.log');
    notes.dispose();
    assert.deepEqual(
      notes.shown.map(({ message }) => message),
      ['agent.log.jsonl: 2 requests are shown; lines without one are left out: 2.'],
    );
    const text = await exported('OpenAI messages');
    assert.match(text, /the key: \[redacted:/);
    assert.ok(!text.includes(key));
    assert.ok(!(await listed()).some(({ description }) => description === 'agent.log.jsonl'));
  });

  it('a file on no disk is read too; one that is deleted stays shown', async () => {
    const files = createMemoryFiles({ '/logs/one.jsonl': `${body('from memory')}\n` });
    const provider = vscode.workspace.registerFileSystemProvider('loopscope-test-logs', files);
    const uri = vscode.Uri.from({ scheme: 'loopscope-test-logs', path: '/logs/one.jsonl' });
    await vscode.commands.executeCommand('loopscope.openFile', uri);
    await shownFile();
    assert.match(await exported('OpenAI messages'), /from memory/);
    await vscode.commands.executeCommand('loopscope.openFile', uri);
    await shownFile();
    await vscode.workspace.fs.delete(uri);
    assert.match(await exported('OpenAI messages'), /from memory/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    provider.dispose();
  });

  it('one that is closed leaves the panels to the one that was looked at before', async () => {
    const { Beside, One } = vscode.ViewColumn;
    const at = async (name: string, text: string, column: vscode.ViewColumn) => {
      writeFileSync(fileIn(name), `${body(text)}\n`);
      const uri = vscode.Uri.file(fileIn(name));
      await vscode.commands.executeCommand('vscode.openWith', uri, 'loopscope.log', column);
      await shownFile();
    };
    await at('first.log.jsonl', 'the first file', One);
    await at('second.log.jsonl', 'the second file', Beside);
    assert.match(await exported('OpenAI messages'), /the second file/);
    const agent = await vscode.workspace.openTextDocument(demoAgent());
    await vscode.window.showTextDocument(agent, One);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ label }) => label === 'second.log.jsonl'));
    assert.match(await exported('OpenAI messages'), /the first file/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('an export that can not be written says so', async () => {
    await open('s-0a1b2c3e.jsonl', readFileSync(example, 'utf8'));
    await shownFile();
    mkdirSync(fileIn('a-folder'), { recursive: true });
    const picks = await pretend('window', 'showQuickPick', async (items: readonly object[]) => items[0]);
    const place = await pretend('window', 'showSaveDialog', async () => vscode.Uri.file(fileIn('a-folder')));
    const errors = await answering('showErrorMessage', undefined);
    await vscode.commands.executeCommand('loopscope.exportRun');
    for (const one of [picks, place, errors]) one.dispose();
    assert.match(errors.shown[0]?.message ?? '', /^Could not write .*a-folder: /);
  });
});
