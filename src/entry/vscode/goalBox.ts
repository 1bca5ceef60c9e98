import * as vscode from 'vscode';

export interface GoalBox {
  readonly agent: string;
  readonly prompt: string;
  /** Offers a new session, for a box that goes on with one. */
  readonly offersNew?: boolean;
}

/** What the user wants instead of a goal for this session. */
export const newSession = Symbol('a new session');

/** Asks for a goal, with the last one of that agent to take or change; undefined when the user gave up. */
export async function askGoal(
  memory: vscode.Memento,
  { agent, prompt, offersNew = false }: GoalBox,
): Promise<string | typeof newSession | undefined> {
  const key = `goal:${agent}`;
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Loopscope: Goal');
  box.prompt = prompt;
  box.placeholder = vscode.l10n.t('I am busy, plan the rest of my day');
  box.value = memory.get<string>(key) ?? '';
  box.valueSelection = [0, box.value.length];
  box.ignoreFocusOut = true;
  if (offersNew)
    box.buttons = [{ iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('New Session') }];
  const answer = await new Promise<string | typeof newSession | undefined>((resolve) => {
    box.onDidAccept(() => resolve(box.value.trim() || undefined));
    box.onDidTriggerButton(() => resolve(newSession));
    box.onDidHide(() => resolve(undefined));
    box.show();
  });
  box.dispose();
  if (typeof answer === 'string') await memory.update(key, answer);
  return answer;
}
