/** Asks in a dialog before a call runs, and remembers a yes as long as the user says. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { capText } from '../../core/capText.ts';
import type { CommandToolConfig } from '../../core/config.ts';
import { isRecord, parseJson } from '../../core/parseMessage.ts';
import type { Approval, Approve, ToolCallRequest, Workspace } from '../../core/ports.ts';
import { serialise } from '../../core/serialise.ts';
import { visible } from '../../core/visible.ts';
import type { EditPreview } from './editPreview.ts';

/** Characters of the arguments that are shown. */
const shown = 2000;
/** Calls that a workspace remembers a yes for, the newest ones. */
const longest = 500;
const memoryKey = 'loopscope.approvedCalls';

export interface ApprovalPorts {
  /** What the workspace remembers. */
  readonly memory: vscode.Memento;
  readonly workspace: Workspace;
  readonly preview: EditPreview;
  /** The command of the user's that this tool is, if it is one: a yes to one is none to another of that name. */
  readonly commandOf: (name: string) => CommandToolConfig | undefined;
}

/**
 * Asks before a call, with what exactly will happen: the command line and its folder, or the change of a file as a
 * difference beside. Closing the dialog is a no. A yes may hold for this very call, word for word, until the session ends
 * or in this workspace from now on.
 */
export function createApproveCall({ memory, workspace, preview, commandOf }: ApprovalPorts): Approve {
  const session = new Set<string>();
  return async (call) => {
    const own = commandOf(call.name);
    const id = idOf(call, own);
    if (session.has(id)) return { ok: true, by: 'user, for the session' };
    if (vscode.workspace.isTrusted && remembered(memory).includes(id))
      return { ok: true, by: 'user, for the workspace' };
    const close = await preview.show(workspace, call);
    try {
      const answer = await ask(call, workspace, own?.command);
      if (answer === 'session') session.add(id);
      if (answer === 'workspace')
        await memory.update(
          memoryKey,
          [...remembered(memory).filter((one) => one !== id), id].slice(-longest),
        );
      return approvalOf(answer);
    } finally {
      await close();
    }
  };
}

type Answer = 'once' | 'session' | 'workspace' | 'no';

async function ask(
  call: ToolCallRequest,
  workspace: Workspace,
  command: CommandToolConfig['command'] | undefined,
): Promise<Answer> {
  const { t } = vscode.l10n;
  const answers = new Map<string | undefined, Answer>([
    [t('Run'), 'once'],
    [t('Run, and Again in This Session'), 'session'],
    ...(vscode.workspace.isTrusted
      ? [[t('Run, and Always in This Workspace'), 'workspace'] as [string, Answer]]
      : []),
  ]);
  const chosen = await vscode.window.showWarningMessage(
    t('The agent wants to run {0}.', oneLine(call.name)),
    { modal: true, detail: detailOf(call, workspace, command) },
    ...[...answers.keys()].filter((label) => label !== undefined),
  );
  return answers.get(chosen) ?? 'no';
}

/** What will happen, with nothing in it that would read as something else. */
function detailOf(
  { name, arguments: given }: ToolCallRequest,
  workspace: Workspace,
  own: CommandToolConfig['command'] | undefined,
): string {
  const { t } = vscode.l10n;
  const place = workspace.folder();
  const top = place.ok ? place.path : (workspace.root ?? '');
  if (own !== undefined) {
    const line = typeof own === 'string' ? own : own.map((word) => JSON.stringify(word)).join(' ');
    return t('Command: {0}\nArguments: {1}\nFolder: {2}', oneLine(line), oneLine(given), oneLine(top));
  }
  const input = parseJson(given);
  if (!isRecord(input)) return visible(capText(given, shown));
  const { command, folder, path } = input;
  if (name === 'run_command' && typeof command === 'string') {
    const where = typeof folder === 'string' && folder !== '' ? `${top}/${folder}` : top;
    return t('Command: {0}\nFolder: {1}', oneLine(command), oneLine(where));
  }
  if ((name === 'edit_file' || name === 'create_file') && typeof path === 'string')
    return t('File: {0}\nThe change is shown beside.', oneLine(path));
  return t('Arguments: {0}\nFolder: {1}', oneLine(given), oneLine(top));
}

/** A line break in a command is a further command: it is shown as what it is. */
function oneLine(text: string): string {
  return visible(capText(text, shown)).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}

function approvalOf(answer: Answer): Approval {
  switch (answer) {
    case 'no':
      return { ok: false, reason: 'the user said no' };
    case 'once':
      return { ok: true, by: 'user' };
    default:
      return { ok: true, by: `user, for the ${answer}` };
  }
}

function idOf({ name, arguments: given }: ToolCallRequest, command: unknown): string {
  return createHash('sha256')
    .update(serialise([name, given, command ?? null]))
    .digest('hex');
}

function remembered(memory: vscode.Memento): readonly string[] {
  return memory.get<readonly string[]>(memoryKey) ?? [];
}
