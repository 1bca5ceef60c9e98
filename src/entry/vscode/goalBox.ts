import * as vscode from 'vscode';

/** Asks for a goal, with the last one of that agent to take or change; undefined when the user gave up. */
export async function askGoal(
  memory: vscode.Memento,
  agent: string,
  prompt: string,
): Promise<string | undefined> {
  const key = `goal:${agent}`;
  const goal = await vscode.window.showInputBox({
    title: vscode.l10n.t('Loopscope: Goal'),
    prompt,
    placeHolder: vscode.l10n.t('I am busy, plan the rest of my day'),
    value: memory.get<string>(key) ?? '',
    ignoreFocusOut: true,
  });
  if (goal === undefined || goal.trim() === '') return undefined;
  await memory.update(key, goal);
  return goal.trim();
}
