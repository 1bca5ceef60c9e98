import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { readFileSync } from 'node:fs';
import { demoAgent, planGoal, startDemo, stopAll, watchAdapter, type Watched, when } from './debugHelpers.ts';

const extension = () =>
  vscode.extensions.getExtension('loopscope.loopscope') ?? assert.fail('the extension is not there');

describe('the extension', () => {
  it('activates and registers every command that its manifest promises', async () => {
    await extension().activate();
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = await vscode.commands.getCommands(true);
    for (const { command } of manifest.contributes.commands) assert.ok(registered.includes(command), command);
  });

  it('gives agent files their language, and leaves other JSON alone', async () => {
    const agent = await vscode.workspace.openTextDocument(demoAgent());
    assert.equal(agent.languageId, 'loopscope-agent');
    // A file: VS Code shows an untitled document that was only opened, and asks where to save it before it debugs.
    const other = demoAgent('other.jsonc');
    await vscode.workspace.fs.writeFile(other, new TextEncoder().encode('{}'));
    assert.equal((await vscode.workspace.openTextDocument(other)).languageId, 'jsonc');
    await vscode.workspace.fs.delete(other);
  });
});

describe('a debug session', () => {
  let adapter: Watched;
  beforeEach(() => {
    adapter = watchAdapter();
  });
  afterEach(async () => {
    await stopAll();
    adapter.dispose();
  });

  const frames = async (session: vscode.DebugSession) =>
    (
      (await session.customRequest('stackTrace', { threadId: 1 })) as {
        stackFrames: DebugProtocol.StackFrame[];
      }
    ).stackFrames;

  it('stops at plan of round 1 and shows the loop that runs, read-only, at its line', async () => {
    const session = await startDemo({ stopOnEntry: true });
    assert.equal((await adapter.next<{ reason: string }>('stopped')).reason, 'entry');
    const item = await when(vscode.debug.onDidChangeActiveStackItem, () =>
      vscode.debug.activeStackItem instanceof vscode.DebugStackFrame
        ? vscode.debug.activeStackItem
        : undefined,
    );
    assert.equal(item.session.id, session.id);
    const editor = await when(vscode.window.onDidChangeActiveTextEditor, () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.uri.scheme === 'loopscope' ? active : undefined;
    });
    const source = readFileSync(extension().extensionUri.fsPath + '/dist/loop.ts', 'utf8');
    assert.equal(editor.document.getText(), source);
    const [top] = await frames(session);
    assert.match(source.split('\n')[(top?.line ?? 0) - 1] ?? '', /gate\.checkpoint\('plan'\)/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem('loopscope'), true);
    assert.equal(
      (await vscode.workspace.fs.stat(editor.document.uri)).permissions,
      vscode.FilePermission.Readonly,
    );
  });

  it('opens the round of the second frame as a readable document that follows the run', async () => {
    const session = await startDemo();
    await adapter.next('stopped');
    const [, round] = await frames(session);
    const uri = vscode.Uri.parse(round?.source?.path ?? '');
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /Context \(not sent yet\)/);
    await session.customRequest('next', { threadId: 1 });
    await adapter.next('stopped');
    await when(vscode.workspace.onDidChangeTextDocument, () =>
      /Context \(sent: /.test(document.getText()) ? true : undefined,
    );
    assert.match(document.getText(), /list_todos/);
  });

  it('opens Rounds at the first stop and keeps the focus in the source', async () => {
    await startDemo({ stopOnEntry: true });
    await adapter.next('stopped');
    const isRounds = (tab: vscode.Tab) =>
      tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith('loopscope.rounds');
    await when(vscode.window.tabGroups.onDidChangeTabs, () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(isRounds),
    );
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'loop.ts');
  });

  it('runs through to the answer without debugging, and ends by itself', async () => {
    const ended = new Promise<void>((resolve) => {
      const registration = vscode.debug.onDidTerminateDebugSession(() => {
        registration.dispose();
        resolve();
      });
    });
    await startDemo({}, { noDebug: true });
    await ended;
  });

  it('restarts with the same settings on a new session', async () => {
    const session = await startDemo({ stopOnEntry: true });
    await adapter.next('stopped');
    await session.customRequest('next', { threadId: 1 });
    await adapter.next('stopped');
    await vscode.commands.executeCommand('workbench.action.debug.restart');
    assert.equal((await adapter.next<{ reason: string }>('stopped')).reason, 'entry');
  });

  it('goes on with the conversation at the end, from the command as from the console', async () => {
    const session = await startDemo();
    await adapter.next('stopped');
    await session.customRequest('setExceptionBreakpoints', { filters: [] });
    await session.customRequest('continue', { threadId: 1 });
    assert.equal((await adapter.next<{ reason: string }>('stopped')).reason, 'end');
    await session.customRequest('evaluate', { expression: '> What is left for today?', context: 'repl' });
    assert.equal((await adapter.next<{ reason: string }>('stopped')).reason, 'end');
    const [, , run] = await frames(session);
    assert.equal(run?.name, 'run 2: What is left for today?');
  });

  it('edits a pending argument in an editor: saving applies it, a refusal is a diagnostic', async () => {
    const session = await startDemo();
    await adapter.next('stopped');
    await session.customRequest('next', { threadId: 1 });
    await adapter.next('stopped');
    const { scopes } = (await session.customRequest('scopes', { frameId: 1 })) as {
      scopes: DebugProtocol.Scope[];
    };
    const children = async (variablesReference: number) =>
      (
        (await session.customRequest('variables', { variablesReference })) as {
          variables: DebugProtocol.Variable[];
        }
      ).variables;
    const call = (await children(scopes[0]?.variablesReference ?? 0)).find(
      ({ name }) => name === 'call 1.1.1',
    );
    const variablesReference = call?.variablesReference ?? 0;
    await vscode.commands.executeCommand('loopscope.editInEditor', {
      container: { variablesReference },
      variable: { name: 'arguments' },
    });
    const editor = vscode.window.activeTextEditor ?? assert.fail('no editor');
    assert.equal(editor.document.uri.scheme, 'loopscope');
    assert.equal(editor.document.getText(), '{}');

    // What `save` answers is not asked: on a busy machine VS Code answers before the file is written.
    const saveAs = async (text: string) => {
      await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 99, 0), text));
      await editor.document.save();
    };
    // VS Code's own JSON checks speak too; what is asked for is our word.
    const ours = () =>
      vscode.languages.getDiagnostics(editor.document.uri).filter(({ source }) => source === 'Loopscope');
    const refused = when(vscode.languages.onDidChangeDiagnostics, () => ours()[0]?.message);
    await saveAs('{"open":');
    assert.match(await refused, /bad-arguments/);
    assert.equal(editor.document.isDirty, true);

    await saveAs('{ "note": "edited" }');
    await adapter.next('invalidated');
    await when(vscode.languages.onDidChangeDiagnostics, () => ours().length === 0 || undefined);
    await when(vscode.workspace.onDidSaveTextDocument, () => !editor.document.isDirty || undefined);
    const again = (
      (await session.customRequest('scopes', { frameId: 1 })) as { scopes: DebugProtocol.Scope[] }
    ).scopes;
    const now = (await children(again[0]?.variablesReference ?? 0)).find(({ name }) => name === 'call 1.1.1');
    assert.match(now?.value ?? '', /"note": "edited"/);
  });
});

describe('two sessions at once', () => {
  let adapter: Watched;
  beforeEach(() => (adapter = watchAdapter()));
  afterEach(async () => {
    adapter.dispose();
    await stopAll();
  });

  /** The row of the goal in the scope Messages, and what it shows. */
  async function goalRow(session: vscode.DebugSession): Promise<readonly [number, string]> {
    const ask = <T>(command: string, args: object) => session.customRequest(command, args) as Thenable<T>;
    const children = async (variablesReference: number) =>
      (await ask<{ variables: DebugProtocol.Variable[] }>('variables', { variablesReference })).variables;
    const { scopes } = await ask<{ scopes: DebugProtocol.Scope[] }>('scopes', { frameId: 1 });
    const messages = scopes.find(({ name }) => name === 'Messages')?.variablesReference ?? 0;
    for (const { variablesReference } of await children(messages)) {
      const rows = await children(variablesReference);
      const content = rows.find(({ name }) => name === 'content');
      if (rows.some(({ value }) => value === '"user"') && content) return [variablesReference, content.value];
    }
    return assert.fail('no goal in Messages');
  }

  it('Edit in Editor edits the session whose row it was called on, not the focused one', async () => {
    const first = await startDemo({ stopOnEntry: true });
    await adapter.next('stopped');
    const second = await startDemo({ stopOnEntry: true, goal: 'What is 45 + 20?' });
    await adapter.next('stopped');
    assert.notEqual(first.id, second.id);
    const [variablesReference, before] = await goalRow(first);
    assert.equal(before, JSON.stringify(planGoal));
    const row = { container: { variablesReference }, variable: { name: 'content' } };
    await vscode.commands.executeCommand('loopscope.editInEditor', { sessionId: first.id, ...row });
    const editor = vscode.window.activeTextEditor ?? assert.fail('no editor');
    assert.equal(editor.document.getText(), planGoal);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 99, 0), 'Another goal'));
    // That the other one goes on is no reason to refuse the save.
    await second.customRequest('next', { threadId: 1 });
    await adapter.next('stopped');
    await editor.document.save();
    await adapter.next('invalidated');
    await when(vscode.workspace.onDidSaveTextDocument, () => !editor.document.isDirty || undefined);
    assert.equal((await goalRow(first))[1], '"Another goal"');
    assert.equal((await goalRow(second))[1], '"What is 45 + 20?"');
  });
});

describe('bad input', () => {
  afterEach(stopAll);

  it('a wrong agent file becomes diagnostics at its lines', async () => {
    const uri = demoAgent('wrong.agent.json');
    await vscode.workspace.fs.writeFile(
      uri,
      new TextEncoder().encode('{\n  "model_name": "demo",\n  "temperature": 9\n}\n'),
    );
    const found = when(vscode.languages.onDidChangeDiagnostics, () => {
      const own = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Loopscope');
      return own.length > 0 ? own : undefined;
    });
    const launch = { type: 'loopscope', request: 'launch', name: 'x', agent: uri.toString(), goal: planGoal };
    // The launch is refused with a dialog that nobody answers in a test; the diagnostics are there before it.
    void vscode.debug.startDebugging(undefined, launch);
    const [diagnostic] = await found;
    assert.equal(diagnostic?.range.start.line, 2);
    assert.match(diagnostic?.message ?? '', /"temperature" can not be 9/);
    await vscode.workspace.fs.delete(uri);
  });
});
