/** The list of an agent's tools, by keyboard: from its file, with what is wrong in it, and from a debug session. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

const agent = `{
  // Comments and trailing commas may stand in it.
  "model_name": "demo",
  "tools": [
    "read_file",
    "run_command",
    "get_diagnostcs",
    {
      "name": "run tests",
      "description": "Runs the tests of one file.",
      "parameters": { "type": "object", "properties": { "file name": { "type": "string" } } },
      "command": ["node", "--test"],
      "effects": "none"
    }
  ],
  "approvals": { "run_command": { "*": "ask", "npm test*": "allow" } },
}
`;

test('the tools of an agent', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'loopscope-tools-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, 'wrong.agent.json'), agent);
  await writeFile(path.join(folder, 'right.agent.json'), agent.replace('    "get_diagnostcs",\n', ''));
  const vscode = await openWorkbench({ folder });
  t.after(() => vscode.close());
  const { page } = vscode;
  const entry = async (name: string) => {
    const labels = await eventually(
      `${name} in the list`,
      () => vscode.quickPickLabels(),
      (all) => all.some((label) => label.includes(name)),
    );
    return labels.find((label) => label.includes(name)) ?? '';
  };
  /** Filters the list to one tool and chooses it. */
  const choose = async (name: string) => {
    await vscode.quickInput(name);
    await eventually(
      'the one that is meant',
      () => vscode.quickPickLabels(),
      ([first]) => first?.includes(name) === true,
    );
    await page.keyboard.press('Enter');
  };
  const cursor = () => page.locator('[id="status.editor.selection"]').innerText();

  await vscode.step(t, 'what is wrong is marked in the file as soon as it is open', async () => {
    await vscode.openFile('wrong.agent.json');
    await page.locator('.squiggly-error').first().waitFor();
    await vscode.runCommand('Problems: Focus on Problems View');
    const problems = page.locator('.markers-panel-container');
    await problems.getByText('There is no tool "get_diagnostcs". Did you mean "get_diagnostics"?').waitFor();
    await problems.getByText(/The model is told of this tool as run_tests_[0-9a-f]{8}/).waitFor();
    await problems.getByText(/Some providers refuse the tool run tests.*"file name"/).waitFor();
    // VS Code's own JSON service says one thing, of the name that there is not.
    await problems.getByText(/^Value is not accepted/).waitFor();
    assert.equal(await problems.locator('.monaco-list-row').count(), 5);
    await vscode.shot('tools-problems');
  });

  await vscode.step(
    t,
    'the list says of each what it is, does, needs and costs, also to a screen reader',
    async () => {
      await vscode.runCommand('Loopscope: Show Tools…');
      assert.match(
        await entry('run_command'),
        /\d+ tokens.*acts outside the workspace · asks first \(by the agent file\)/,
      );
      assert.match(await entry('run tests'), /warning/);
      assert.match(await entry('get_diagnostcs'), /error.*there is no such tool/);
      assert.match(await entry('read_result'), /sent once a result was cut/);
      await vscode.shot('tools');
      await choose('get_diagnostcs');
      await eventually('the cursor at the tool', cursor, (text) => text.startsWith('Ln 7,'));
    },
  );

  await vscode.step(
    t,
    'a command is shown where it is defined, a tool that ships as it is sent',
    async () => {
      await vscode.openFile('right.agent.json');
      await vscode.runCommand('Loopscope: Show Tools…');
      await choose('run tests');
      await eventually('the cursor at the tool', cursor, (text) => text.startsWith('Ln 7,'));
      await vscode.runCommand('Loopscope: Show Tools…');
      await choose('run_command');
      await eventually(
        'the document',
        () => vscode.activeEditor(),
        (name) => name.startsWith('right.agent.json tools'),
      );
      await page.locator('.view-lines').getByText('"command"').first().waitFor();
      await vscode.shot('tools-as-sent');
    },
  );

  await vscode.step(t, 'the tools of the session that is debugged', async () => {
    await vscode.runCommand('Loopscope: Debug Agent…');
    await vscode.quickPick('right.agent.json');
    await vscode.quickInput('What is 1 + 1?', 'Enter');
    await vscode.whenStopped(/^plan/);
    await vscode.runCommand('Loopscope: Show Tools…');
    await page.locator('.quick-input-title').getByText('Tools of the session of right.agent.json').waitFor();
    await vscode.shot('tools-of-session');
    await page.keyboard.press('Escape');
    await vscode.debugToolbar('stop');
  });
});
