/** What a call is about to do, for the dialog that asks whether it may: all of it, and nothing that reads as something else. */
import * as vscode from 'vscode';
import { capText, countCodePoints } from '../../core/capText.ts';
import type { CommandToolConfig } from '../../core/config.ts';
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import type { ToolCallRequest, Workspace } from '../../core/ports.ts';
import type { TaskInfo } from '../../core/services.ts';
import { prettyJson } from '../../core/prettyJson.ts';
import { exactLine, exactLines } from './exactText.ts';

/** Characters of a text that the dialog shows; of a longer one it shows both ends, and all of it stands beside. */
const shown = 1200;

export interface CallWords {
  readonly question: string;
  readonly detail: string;
  /** What the dialog has no room for. */
  readonly whole?: string;
}

/**
 * @param own the command of the user's that the tool is
 * @param task the task that it runs
 */
export function callWords(
  { name, arguments: given }: ToolCallRequest,
  workspace: Workspace,
  own: CommandToolConfig['command'] | undefined,
  task?: TaskInfo,
): CallWords {
  const { t } = vscode.l10n;
  const question = t('The agent wants to run {0}.', line(name));
  const place = workspace.folder();
  const top = place.ok ? place.path : (workspace.root ?? '');
  const inArguments = prettyJson(given) ?? given;
  if (own !== undefined) {
    const command = typeof own === 'string' ? own : own.map((word) => JSON.stringify(word)).join(' ');
    const detail = t('Command: {0}\nArguments: {1}\nFolder: {2}', line(command), line(given), line(top));
    return { question, detail, ...wholeOf([command, shellLines(command)], [given, inArguments]) };
  }
  if (task) return { question, ...taskWords(task, top) };
  const input = parseJson(given);
  const { command, folder } = isRecord(input) ? input : {};
  if (name === 'run_command' && typeof command === 'string') {
    const where = typeof folder === 'string' && folder !== '' ? `${top}/${folder}` : top;
    const detail = t('Command: {0}\nFolder: {1}', line(command), line(where));
    return { question, detail, ...wholeOf([command, shellLines(command)]) };
  }
  const detail = t('Arguments: {0}\nFolder: {1}', line(given), line(top));
  return { question, detail, ...wholeOf([given, inArguments]) };
}

function taskWords(
  { task, command, detail: script, folder }: TaskInfo,
  top: string,
): Omit<CallWords, 'question'> {
  const { t } = vscode.l10n;
  const runs = [command, script === undefined ? undefined : `(${script})`].filter((one) => one !== undefined);
  const text = runs.length > 0 ? runs.join(' ') : t('what an extension of VS Code makes of it');
  const detail = t('Task: {0}\nRuns: {1}\nFolder: {2}', line(task), line(text), line(folder ?? top));
  return { detail, ...wholeOf([text, shellLines(text)]) };
}

/** Of a change that is shown beside. `real`: where the links in its path lead, when there are some. */
export function changeWords(path: string, real: string, isNew: boolean): CallWords {
  const { t } = vscode.l10n;
  const question = isNew
    ? t('The agent wants to create {0}.', line(path))
    : t('The agent wants to change {0}.', line(path));
  const file =
    real === path ? t('File: {0}', line(path)) : t('File: {0}, which is {1}', line(path), line(real));
  return { question, detail: `${file}\n${t('The change is shown beside.')}` };
}

function line(text: string): string {
  return capText(exactLine(text), shown);
}

/** The line breaks of a command are its own, unlike those that are only there for reading. */
function shellLines(command: string): string {
  return command.replaceAll('\n', '\u240a\n');
}

/** All texts, for reading, where one of them is too long for the dialog. */
function wholeOf(...texts: readonly (readonly [text: string, readable: string])[]): { whole?: string } {
  const isLong = texts.some(([text]) => countCodePoints(exactLine(text)) > shown);
  return isLong ? { whole: texts.map(([, readable]) => exactLines(readable)).join('\n\n') } : {};
}
