/**
 * The commands that edit what is paused, from a row of Variables or from the Command Palette, where they ask for what
 * the row would have said. Each comes to one op; what it means and whether it is legal is for `apply` to say.
 */
import * as vscode from 'vscode';
import { isDropped } from '../../core/fateProblem.ts';
import { currentRound, type JournalState } from '../../core/journalState.ts';
import type { CallKey } from '../../core/messages.ts';
import type { Op } from '../../core/ops.ts';
import { requestHistory } from '../../core/requestHistory.ts';
import { requestParameters } from '../../core/requestParameters.ts';
import type { Subject } from '../../debug/node.ts';
import { askSession } from './askSession.ts';
import type { CallPreview } from './callPreview.ts';
import { type EditCommand, editHere } from './editHere.ts';
import * as picks from './editPicks.ts';
import { focusedDebugSession } from './focusedDebugSession.ts';
import { meantSession } from './meantSession.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionStore } from './sessionStore.ts';
import { showChange } from './showChange.ts';
import { takeOp } from './takeOp.ts';
import type { VariableRow } from './variableRow.ts';

type Ask = (session: LiveSession, subject: Subject | undefined) => Promise<Op | undefined>;

const { t } = vscode.l10n;

/** By command; each op is asked for step by step where no row says it. */
const asked = {
  async dropMessage({ state }, subject) {
    const ids = requestHistory(state).filter((id) => !isDropped(state, id));
    const target =
      subject?.target ?? (await picks.pickMessage(state, ids, t('Drop from This Request'), 'request'));
    return target === undefined ? undefined : { kind: 'drop', target };
  },
  async restoreMessage({ state }, subject) {
    const ids = state.history.filter((id) => isDropped(state, id) || state.fates.has(id));
    const target = subject?.target ?? (await picks.pickMessage(state, ids, t('Restore in This Request')));
    return target === undefined ? undefined : { kind: 'restore', target };
  },
  async pinMessage({ state }, subject) {
    const ids = state.history.filter((id) => !state.pins.has(id));
    const target = subject?.target ?? (await picks.pickMessage(state, ids, t('Pin')));
    return target === undefined ? undefined : { kind: 'pin', target };
  },
  async unpinMessage({ state }, subject) {
    const target = subject?.target ?? (await picks.pickMessage(state, [...state.pins], t('Unpin')));
    return target === undefined ? undefined : { kind: 'unpin', target };
  },
  async removeMessage({ state }, subject) {
    const ids = requestHistory(state);
    const target = subject?.target ?? (await picks.pickMessage(state, ids, t('Remove for Good')));
    if (target === undefined) return undefined;
    return { kind: 'remove', target, scope: state.history.includes(target) ? 'history' : 'request' };
  },
  addMessage: ({ state }, subject) => newMessage(state, subject),
  async setParameter({ state }, subject) {
    const title = t('Set a Parameter of This Request');
    const shown = requestParameters(state);
    const names = [...new Set([...shown.keys(), ...commonParameters])];
    const name = subject?.target.split('/')[1] ?? (await picks.pickName(names, title));
    if (name === undefined) return undefined;
    const value = await picks.askJson(
      title,
      t('{name} for this request, as JSON', { name }),
      shown.get(name) ?? '',
    );
    return value && { kind: 'set', target: `request/${name}`, scope: 'request', value: value.json };
  },
  async resetParameter({ state }, subject) {
    const names = [...(currentRound(state)?.requestEdits.parameters.keys() ?? [])];
    const name =
      subject?.target.split('/')[1] ?? (await picks.pickName(names, t('Undo the Edit of a Parameter')));
    return name === undefined ? undefined : { kind: 'remove', target: `request/${name}`, scope: 'request' };
  },
  addCall: (session) => newCall(session),
  async removeCall({ state }, subject) {
    if (subject) return { kind: 'remove', target: subject.target, scope: subject.scope };
    const call = await picks.pickCall(state, t('Remove a Call'));
    const reply = currentRound(state)?.replies.at(-1)?.message;
    if (!call || reply === undefined) return undefined;
    return { kind: 'remove', target: `${reply}/tool_calls/${call.position - 1}`, scope: 'pending' };
  },
  async mockCall({ state }, subject) {
    const title = t('Answer for the Tool');
    const target = subject?.call ?? (await picks.pickCall(state, title))?.key;
    if (target === undefined) return undefined;
    const data = await picks.askJson(
      title,
      t('The result of call {key}, as JSON; the tool does not run', { key: target }),
      '""',
    );
    return data && { kind: 'mock', target, data: data.json };
  },
  async skipCall({ state }, subject) {
    const target = subject?.call ?? (await picks.pickCall(state, t('Skip a Call')))?.key;
    return target === undefined ? undefined : { kind: 'skip', target };
  },
  async rejectCall({ state }, subject) {
    const title = t('Reject a Call');
    const target = subject?.call ?? (await picks.pickCall(state, title))?.key;
    if (target === undefined) return undefined;
    const reason = await picks.askText(title, t('Reason (the model reads it)'));
    return reason === undefined ? undefined : { kind: 'reject', target, reason: reason.trim() };
  },
  askAgain: () => Promise.resolve({ kind: 'askAgain' }),
} satisfies Record<EditCommand, Ask>;

/** Known to every server of this API. */
const commonParameters = ['temperature', 'top_p', 'max_tokens', 'seed', 'tool_choice', 'response_format'];

async function newMessage(state: JournalState, subject: Subject | undefined): Promise<Op | undefined> {
  const title = t('Add a Message');
  const isAtPlan = state.checkpoint?.kind === 'plan';
  const scope = isAtPlan ? await picks.pickReach(title) : 'history';
  if (scope === undefined) return undefined;
  const ids = scope === 'request' ? requestHistory(state) : state.history;
  const behind = subject?.target ?? (await picks.pickPlace(state, ids, title));
  const role = behind === undefined ? undefined : await picks.pickRole(title);
  const content = role === undefined ? undefined : await picks.askText(title, t('What the message says'));
  if (behind === undefined || role === undefined || content === undefined) return undefined;
  const place = behind === null ? {} : { behind };
  return { kind: 'insert', target: 'messages', scope, value: { role, content }, ...place };
}

async function newCall({ state, effects }: LiveSession): Promise<Op | undefined> {
  const title = t('Add a Call to the Reply');
  const reply = currentRound(state)?.replies.at(-1)?.message;
  const name = reply === undefined ? undefined : await picks.pickName(Object.keys(effects), title);
  if (reply === undefined || name === undefined) return undefined;
  const text = await picks.askText(title, t('Arguments of {name}, a JSON object', { name }), '{}');
  if (text === undefined) return undefined;
  return {
    kind: 'insert',
    target: `${reply}/tool_calls`,
    scope: 'pending',
    value: { name, arguments: text },
  };
}

/** The commands by name, each for a row of Variables or without one. */
export function editCommands(
  store: SessionStore,
  preview: CallPreview,
): Record<EditCommand | 'editHere' | 'showChange', (row?: VariableRow) => Promise<void>> {
  const run = async (ask: Ask, row: VariableRow | undefined) => {
    const subject = await subjectOf(store, row);
    if (subject === 'refused') return;
    const session = subject?.session ?? meantSession(store);
    if (!session?.state.paused) {
      void vscode.window.showInformationMessage(t('No agent is paused.'));
      return;
    }
    const op = await ask(session, subject?.subject);
    if (op) await takeOp(session, op);
  };
  const commands = Object.fromEntries(
    Object.entries(asked).map(([name, ask]) => [name, (row?: VariableRow) => run(ask, row)] as const),
  ) as Record<EditCommand, (row?: VariableRow) => Promise<void>>;
  const showDifference = async (row?: VariableRow | string, key?: CallKey) => {
    // A panel names the call of its session, which need not be the one that is meant here.
    if (typeof row === 'string') return showOf(store.live(row), key, preview);
    const subject = await subjectOf(store, row);
    if (subject === 'refused') return;
    const session = subject?.session ?? meantSession(store);
    if (!session?.state.paused) return showOf(session, undefined, preview);
    const call =
      subject?.subject.call ?? (await picks.pickChange(session.state, t('Show a Difference')))?.key;
    return showOf(session, call, preview);
  };
  return {
    ...commands,
    showChange: showDifference,
    editHere: () => editHere(meantSession(store), { ...commands, showChange: showDifference }),
  };
}

async function showOf(
  session: LiveSession | undefined,
  key: CallKey | undefined,
  preview: CallPreview,
): Promise<void> {
  if (session?.state.paused) return showChange(session, key ?? '', preview);
  void vscode.window.showInformationMessage(t('No agent is paused.'));
}

/** What a row of Variables stands for, in the session that it belongs to; `refused`: why not was told. */
async function subjectOf(
  store: SessionStore,
  row: VariableRow | undefined,
): Promise<{ readonly session: LiveSession; readonly subject: Subject } | 'refused' | undefined> {
  const variablesReference = row?.container?.variablesReference;
  const name = row?.variable?.name;
  if (variablesReference === undefined || name === undefined) return undefined;
  const id = row?.sessionId ?? focusedDebugSession()?.id;
  const session = id === undefined ? undefined : store.liveOf(id);
  if (!session) return undefined;
  const where = { variablesReference, name };
  const subject = await askSession<Subject>(session.debugSession, 'loopscope/row', where);
  return subject ? { session, subject } : 'refused';
}
