/**
 * Quick picks and input boxes in host tests: nobody chooses there, so what the extension asks is answered in order, where
 * it asks `vscode.window`.
 */
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { pretend } from './pretend.ts';

export interface Picking extends vscode.Disposable {
  /** Each question as it was asked, with what could be chosen. */
  readonly asked: readonly string[];
  /** What was told to the user. */
  readonly told: readonly string[];
  /** Answers for the questions to come: a label begins with it, or it is typed. Undefined: Escape. */
  answer(...answers: readonly (string | undefined)[]): void;
  /** Takes back what was not asked for. */
  clear(): void;
  /** Fails where an answer was not asked for. */
  assertDone(): void;
}

export async function picking(): Promise<Picking> {
  const [asked, told]: [string[], string[]] = [[], []];
  let answers: (string | undefined)[] = [];
  const next = (question: string) => {
    asked.push(question);
    assert.ok(answers.length > 0, `an unexpected question: ${question}`);
    return answers.shift();
  };
  const showQuickPick = async (
    items: readonly vscode.QuickPickItem[],
    { title = '' }: vscode.QuickPickOptions = {},
  ) => {
    const answer = next(`${title}: ${items.map(({ label }) => label).join(' | ')}`);
    if (answer === undefined) return undefined;
    return (
      items.find(({ label }) => label.startsWith(answer)) ?? assert.fail(`no ${answer} in ${asked.at(-1)}`)
    );
  };
  const showInputBox = async (options: vscode.InputBoxOptions = {}) => {
    const answer = next(`${options.title ?? ''}: [${options.value ?? ''}]`);
    const problem = answer === undefined ? undefined : await options.validateInput?.(answer);
    assert.equal(problem ?? undefined, undefined, asked.at(-1));
    return answer;
  };
  const tell = async (message: string) => void told.push(message);
  const pretences = [
    await pretend('window', 'showQuickPick', showQuickPick),
    await pretend('window', 'showInputBox', showInputBox),
    await pretend('window', 'showInformationMessage', tell),
    await pretend('window', 'showWarningMessage', tell),
  ];
  return {
    asked,
    told,
    answer: (...more) => void (answers = [...answers, ...more]),
    clear: () => void (answers = []),
    assertDone: () => assert.deepEqual(answers, []),
    dispose: () => pretences.forEach((one) => void one.dispose()),
  };
}
