/** Asks in a dialog before a call runs, and remembers a yes as long as the user says. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { CommandToolConfig } from '../../core/config.ts';
import type { Approve, FileLog, ToolCallRequest, Workspace } from '../../core/ports.ts';
import type { TaskInfo } from '../../core/services.ts';
import { serialise } from '../../core/serialise.ts';
import { namedTask } from './namedTask.ts';
import type { CallPreview, Close } from './callPreview.ts';
import { type CallWords, callWords, changeWords } from './callWords.ts';
import { plannedChange, type PlannedChange } from './plannedChange.ts';

/** Calls that a workspace remembers a yes for, the newest ones. */
const longest = 500;
const memoryKey = 'loopscope.approvedCalls';

export interface ApprovalPorts {
  /** What the workspace remembers. */
  readonly memory: vscode.Memento;
  readonly workspace: Workspace;
  readonly preview: CallPreview;
  /** The command of the user's that this tool is, if it is one: a yes to one is none to another of that name. */
  readonly commandOf: (name: string) => CommandToolConfig | undefined;
}

/**
 * Asks before a call, with what exactly will happen: the command line and its folder, or the change of a file as a
 * difference beside. Closing the dialog is a no. A yes may hold for this very call, with the very change that was shown,
 * until the session ends or in this workspace from now on. A change that the tool would refuse is not asked for.
 */
export function createApproveCall(ports: ApprovalPorts): Approve {
  const { memory, workspace, commandOf } = ports;
  const session = new Set<string>();
  return async (call, signal, files) => {
    const own = commandOf(call.name);
    const change = await plannedChange(call, workspace, files);
    if (change?.ok === false) return { ok: false, reason: change.error };
    // What a task runs is in the workspace's files: a yes is one to what it runs now.
    const task = await namedTask(call, workspace, signal);
    const id = idOf(call, own, workspace, change ?? task);
    if (session.has(id)) return { ok: true, by: 'user, for the session' };
    if (vscode.workspace.isTrusted && remembered(memory).includes(id))
      return { ok: true, by: 'user, for the workspace' };
    const answer = await askAbout(call, change, own, task, ports);
    if (answer === 'no') return { ok: false, reason: 'the user said no' };
    if (!(await isStill(change, call, workspace, files)))
      return { ok: false, reason: 'the file was changed while the user was asked: read it again' };
    if (serialise((await namedTask(call, workspace, signal)) ?? null) !== serialise(task ?? null))
      return { ok: false, reason: 'the task was defined anew while the user was asked: look at it again' };
    if (answer === 'session') session.add(id);
    if (answer === 'workspace')
      await memory.update(memoryKey, [...remembered(memory).filter((one) => one !== id), id].slice(-longest));
    return { ok: true, by: answer === 'once' ? 'user' : `user, for the ${answer}` };
  };
}

type Answer = 'once' | 'session' | 'workspace' | 'no';

type Change = Extract<PlannedChange, { readonly ok: true }>;

async function askAbout(
  call: ToolCallRequest,
  change: Change | undefined,
  own: CommandToolConfig | undefined,
  task: TaskInfo | undefined,
  { workspace, preview }: ApprovalPorts,
): Promise<Answer> {
  const closeChange = change && (await preview.showChange(change));
  // Where a difference can't be shown, the arguments are.
  const words =
    change && closeChange
      ? changeWords(change.path, change.real, change.before === undefined)
      : callWords(call, workspace, own?.command, task);
  const closeText = await showWhole(words, preview);
  try {
    return await ask(words, closeChange !== undefined, (closeChange ?? closeText) !== undefined);
  } finally {
    await closeChange?.();
    await closeText?.();
  }
}

async function showWhole({ whole }: CallWords, preview: CallPreview): Promise<Close | undefined> {
  return whole === undefined
    ? undefined
    : preview.showText(vscode.l10n.t('What the agent wants to run'), whole);
}

/**
 * The dialog; and, for somebody who reads first what stands beside (a dialog keeps all else from being scrolled), the same
 * question as a notification that waits.
 */
async function ask(words: CallWords, isChange: boolean, isBeside: boolean): Promise<Answer> {
  const { t } = vscode.l10n;
  const answers = answersOf(isChange);
  const read = t('Read First');
  const labels = [...answers.keys(), ...(isBeside ? [read] : [])];
  const { question } = words;
  const detail = detailOf(words, isBeside);
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...labels);
  const last = chosen === read ? await vscode.window.showWarningMessage(question, ...answers.keys()) : chosen;
  return (last === undefined ? undefined : answers.get(last)) ?? 'no';
}

function answersOf(isChange: boolean): ReadonlyMap<string, Answer> {
  const { t } = vscode.l10n;
  const [once, again, always] = isChange
    ? [t('Apply'), t('Apply, and Again in This Session'), t('Apply, and Always in This Workspace')]
    : [t('Run'), t('Run, and Again in This Session'), t('Run, and Always in This Workspace')];
  return new Map<string, Answer>([
    [once, 'once'],
    [again, 'session'],
    ...(vscode.workspace.isTrusted ? [[always, 'workspace'] as const] : []),
  ]);
}

function detailOf({ detail, whole }: CallWords, isBeside: boolean): string {
  if (whole === undefined) return detail;
  const { t } = vscode.l10n;
  const rest = isBeside
    ? t('All of it is shown beside.')
    : t('The middle is left out: it is too long to be shown.');
  return `${detail}\n${rest}`;
}

/** Whether what was shown is what would be done now: a dialog may stand for long. */
async function isStill(
  change: Change | undefined,
  call: ToolCallRequest,
  workspace: Workspace,
  files: Pick<FileLog, 'seen'>,
): Promise<boolean> {
  if (!change) return true;
  const now = await plannedChange(call, workspace, files);
  return now?.ok === true && serialise(now) === serialise(change);
}

/** Of all that was shown: the call, the command that it runs and where, the task, or the change that it makes. */
function idOf(
  { name, arguments: given }: ToolCallRequest,
  own: CommandToolConfig | undefined,
  workspace: Workspace,
  exact: Change | TaskInfo | undefined,
): string {
  const shown = exact ?? [own?.command ?? null, workspace.folder(), workspace.root ?? null];
  return createHash('sha256')
    .update(serialise([name, given, shown]))
    .digest('hex');
}

function remembered(memory: vscode.Memento): readonly string[] {
  return memory.get<readonly string[]>(memoryKey) ?? [];
}
