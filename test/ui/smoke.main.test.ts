import { test } from 'node:test';
import { openWorkbench } from './harness.ts';

test('the workbench runs the extension', async (t) => {
  const vscode = await openWorkbench();
  t.after(() => vscode.close());

  await vscode.step(t, 'a command from the palette opens a view with its page', async () => {
    await vscode.runCommand('Loopscope: Show Context');
    const context = await vscode.frame('Context');
    await context.locator('body *').first().waitFor({ state: 'attached' });
    await vscode.shot('smoke');
  });
});
