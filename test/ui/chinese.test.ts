/** The extension in Simplified Chinese (VS Code's own words stay English: its language pack is not installed). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './harness/eventually.ts';
import { openWorkbench } from './harness.ts';

test('in Simplified Chinese', async (t) => {
  const vscode = await openWorkbench({ locale: 'zh-cn' });
  t.after(() => vscode.close());

  await vscode.step(
    t,
    'commands, stops, check boxes, both panels and the demo model speak Chinese',
    async () => {
      await vscode.runCommand('Loopscope: 调试智能体…');
      await vscode.quickPick('day-planner.agent.json');
      await vscode.quickInput('帮我安排今天剩下的时间', 'Enter');
      await vscode.whenStopped('plan');
      const boxes = await eventually(
        'check boxes',
        () => vscode.breakpoints(),
        (all) => all.length > 3,
      );
      assert.deepEqual(
        boxes.slice(0, 4).map(({ name }) => name),
        ['规划', '行动', '观察', '回复'],
      );
      await vscode.pressF10();
      await vscode.whenStopped('act · list_todos');
      const console = await eventually(
        'the reply',
        () => vscode.debugConsoleText(),
        (text) => text.includes('list_todos'),
      );
      assert.match(console, /\p{Script=Han}/u);
      const rounds = await vscode.frame('轮次');
      const text = await eventually(
        'Rounds',
        () => rounds.locator('body').innerText(),
        (all) => all.includes('m2'),
      );
      assert.match(text, /暂停在行动之前/);
      await vscode.runCommand('Loopscope: 显示上下文');
      const context = await vscode.frame('上下文');
      const budget = await eventually(
        'Context',
        () => context.locator('body').innerText(),
        (all) => /8,192/.test(all),
      );
      assert.match(budget, /\p{Script=Han}/u);
      await vscode.shot('chinese');
    },
  );
});
