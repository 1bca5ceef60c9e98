/**
 * Dialogs and notifications in host tests: VS Code gives nobody a hand to press their buttons with, so what the extension
 * shows is answered where it asks `vscode.window`. (That the real dialog takes a key is the UI tests' part.)
 */
import type * as vscode from 'vscode';
import { pretend } from './pretend.ts';

type Kind = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

export interface Shown {
  readonly message: string;
  readonly options: vscode.MessageOptions;
  readonly buttons: readonly string[];
}

export interface Answering extends vscode.Disposable {
  readonly shown: readonly Shown[];
}

/** Answers with the button of that name, or closes what it does not find it in. */
export async function answering(kind: Kind, button: string | undefined): Promise<Answering> {
  const shown: Shown[] = [];
  const answer = async (message: string, ...rest: readonly unknown[]) => {
    const buttons = rest.filter((one) => typeof one === 'string');
    const options = rest.find((one) => typeof one === 'object') as vscode.MessageOptions | undefined;
    shown.push({ message, options: options ?? {}, buttons });
    return buttons.find((one) => one === button);
  };
  const pretence = await pretend('window', kind, answer);
  return {
    shown,
    dispose() {
      pretence.dispose();
    },
  };
}
