import * as vscode from 'vscode';
import { visible } from '../../core/visible.ts';
import type { ShowCommand } from '../../toolbox/process/runShown.ts';

export interface CommandChannel extends vscode.Disposable {
  readonly show: ShowCommand;
}

/** The output channel in which people see the commands that agents run. It is made with the first one. */
export function createCommandChannel(): CommandChannel {
  let channel: vscode.OutputChannel | undefined;
  return {
    show(line, folder) {
      channel ??= vscode.window.createOutputChannel(vscode.l10n.t('Loopscope Commands'));
      const output = channel;
      let isLineOpen = false;
      output.appendLine(`${visible(folder)}> ${visible(line)}`);
      return {
        write(text) {
          if (text === '') return;
          isLineOpen = !text.endsWith('\n');
          output.append(visible(text.replaceAll('\r\n', '\n')));
        },
        end: (words) => output.appendLine(`${isLineOpen ? '\n' : ''}[${visible(words)}]\n`),
      };
    },
    dispose: () => channel?.dispose(),
  };
}
