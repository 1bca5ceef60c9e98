/** What the edit commands ask for, by quick picks and input boxes: a message, a call, a place, a text. */
import * as vscode from 'vscode';
import { changingTools } from '../../core/changingTools.ts';
import { currentText } from '../../core/editText.ts';
import type { Scope } from '../../core/events.ts';
import { type CallState, currentRound, type JournalState } from '../../core/journalState.ts';
import { callTexts, contentText, type MessageId, type Role } from '../../core/messages.ts';
import { parseMessage } from '../../core/parseMessage.ts';
import { visible } from '../../core/visible.ts';

/** Escape gives undefined everywhere: the command is over then, and nothing has happened. */
type Picked<Value> = Promise<Value | undefined>;

interface Item<Value> extends vscode.QuickPickItem {
  readonly value: Value;
}

async function pick<Value>(items: readonly Item<Value>[], title: string): Picked<Value> {
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is nothing here that this could be done to.'),
    );
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.value;
}

/** `scope`: whose texts are shown. */
export function pickMessage(
  state: JournalState,
  ids: readonly MessageId[],
  title: string,
  scope: Scope = 'history',
): Picked<MessageId> {
  return pick(
    ids.map((id) => messageItem(state, id, scope)),
    title,
  );
}

function messageItem(state: JournalState, id: MessageId, scope: Scope): Item<MessageId> {
  const message = parseMessage(currentText(state, id, scope) ?? '');
  const calls = message ? callTexts(message).map(({ name }) => name) : [];
  const text = message ? contentText(message) : '';
  const said = text === '' ? calls.join(', ') : text;
  return { label: id, description: `${message?.role ?? ''} · ${oneLine(said)}`, value: id };
}

/** The place of something new: behind which message; null stands for the beginning. */
export function pickPlace(
  state: JournalState,
  ids: readonly MessageId[],
  title: string,
): Picked<MessageId | null> {
  const behind = ids.toReversed().map((id): Item<MessageId | null> => {
    const { label, description = '' } = messageItem(state, id, 'history');
    return { label: vscode.l10n.t('Behind {id}', { id: label }), description, value: id };
  });
  const beginning = { label: vscode.l10n.t('At the beginning'), value: null };
  return pick([...behind, beginning], title);
}

/** Calls of the reply that have not run, the one that the run stands before first. */
function waitingCalls(state: JournalState): readonly CallState[] {
  const calls = currentRound(state)?.calls.filter(({ status }) => status === 'waiting') ?? [];
  const here = state.checkpoint?.key;
  return [...calls.filter(({ key }) => key === here), ...calls.filter(({ key }) => key !== here)];
}

/** A call of the reply that waits. */
export function pickCall(
  state: JournalState,
  title: string,
  calls: readonly CallState[] = waitingCalls(state),
): Picked<CallState> {
  return pick(
    calls.map((call) => ({
      label: `${call.key} ${visible(call.name)}`,
      description: oneLine(call.arguments),
      value: call,
    })),
    title,
  );
}

/** Of those that change a file by what they say: the one the run stands before, the only one, or the one that is picked. */
export async function pickChange(state: JournalState, title: string): Picked<CallState> {
  const changing = waitingCalls(state).filter(({ name, verdict }) => changingTools.has(name) && !verdict);
  const [first] = changing;
  if (changing.length < 2 || first?.key === state.checkpoint?.key) return first;
  return pickCall(state, title, changing);
}

export function pickRole(title: string): Picked<Role> {
  const roles: readonly Role[] = ['user', 'assistant', 'system'];
  return pick(
    roles.map((role) => ({ label: role, value: role })),
    title,
  );
}

export function pickReach(title: string): Picked<'request' | 'history'> {
  return pick(
    [
      { label: vscode.l10n.t('this request only'), value: 'request' as const },
      { label: vscode.l10n.t('for good'), value: 'history' as const },
    ],
    title,
  );
}

export function pickName(names: readonly string[], title: string): Picked<string> {
  return pick(
    names.map((name) => ({ label: name, value: name })),
    title,
  );
}

export async function askText(title: string, prompt: string, value = ''): Picked<string> {
  return vscode.window.showInputBox({ title, prompt, value, ignoreFocusOut: true });
}

/** Any JSON; what is none is said while it is typed. */
export async function askJson(
  title: string,
  prompt: string,
  value: string,
): Picked<{ readonly json: unknown }> {
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => problemOf(typed),
  });
  return text === undefined ? undefined : { json: JSON.parse(text) as unknown };
}

function problemOf(typed: string): string | undefined {
  try {
    JSON.parse(typed);
    return undefined;
  } catch (error) {
    return vscode.l10n.t('This is not valid JSON: {0}', (error as Error).message);
  }
}

function oneLine(text: string): string {
  const points = [...visible(text.slice(0, 400)).replace(/\s+/g, ' ')];
  return points.length > 100 ? `${points.slice(0, 100).join('')}…` : points.join('');
}
