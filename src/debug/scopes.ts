/** What Variables shows at a pause: Pending, Messages, Context, Session, Usage. Made from the journal's fold. */
import * as l10n from '@vscode/l10n';
import {
  type CallState,
  currentRound,
  currentRun,
  type JournalState,
  type RoundState,
  textOf,
} from '../core/journalState.ts';
import { currentText } from '../core/editText.ts';
import { callProblem } from '../core/messageProblem.ts';
import { contentText, type MessageId } from '../core/messages.ts';
import { parseJson, parseMessage } from '../core/parseMessage.ts';
import { requestParameters } from '../core/requestParameters.ts';
import { isOut, sentList } from '../core/sentList.ts';
import { totalBeforeEdits } from '../core/totalBeforeEdits.ts';
import { visible, visibleJson } from '../core/visible.ts';
import type { Checkpoint } from '../runner/gate.ts';
import { argumentsEdit, callSubject, contentNode, messageNode } from './messageNode.ts';
import { type Node, preview, valueNode } from './node.ts';
import { usageNodes } from './usageNodes.ts';

export interface ScopeNode extends Node {
  /** Says what an edit here lasts for. */
  readonly hint?: 'arguments' | 'locals';
  readonly expensive: boolean;
}

export function scopesAt(state: JournalState, at: Checkpoint): ScopeNode[] {
  const scope = (name: string, children: () => readonly Node[], expensive = false): ScopeNode => ({
    name,
    value: '',
    children,
    expensive,
  });
  return [
    { ...scope(l10n.t('Pending'), () => pending(state, at)), hint: 'locals' },
    scope(l10n.t('Messages'), () =>
      state.history.map((id, index) => messageNode(state, id, 'history', `messages[${index}]`)),
    ),
    scope(l10n.t('Context'), () => contextNodes(state)),
    scope(l10n.t('Session'), () => sessionNodes(state)),
    scope(l10n.t('Usage'), () => usageNodes(state), true),
  ];
}

function pending(state: JournalState, at: Checkpoint): Node[] {
  const round = currentRound(state);
  const reply = round?.replies.at(-1);
  switch (at.kind) {
    case 'plan':
      return round ? requestNodes(state, round) : [];
    case 'end':
      return endNodes(state);
    case 'reply':
    case 'act':
    case 'observe': {
      if (!round) return [];
      if (!reply)
        return [
          { name: 'reply', value: l10n.t('none: the model could not be asked') },
          ...setAsideNodes(state, round),
        ];
      const calls = round.calls.map((call) => callNode(state, reply.message, call, call.key === at.key));
      const first = calls.filter((_, index) => round.calls[index]?.key === at.key);
      return [
        ...first,
        ...calls.filter((call) => !first.includes(call)),
        replyNode(state, reply.message),
        ...setAsideNodes(state, round),
      ];
    }
  }
}

/** What is about to be sent: parameters and messages of this request only. */
function requestNodes(state: JournalState, round: RoundState): Node[] {
  const sent = sentList(state, round)?.items ?? [];
  return [
    ...[...requestParameters(state)].map(([name, text]): Node => {
      const edit = { target: `request/${name}`, scope: 'request', text, form: 'json' } as const;
      const isEdited = round.requestEdits.parameters.has(name);
      const menu = isEdited ? ['edited'] : [];
      const subject = { kind: 'parameter', target: edit.target, scope: 'request', menu } as const;
      return { ...valueNode(name, parseJson(text)), value: visibleJson(text), edit, subject };
    }),
    {
      name: 'messages',
      value: l10n.t('{0} of {1} messages are sent', sent.length, state.history.length),
      indexed: sent.length,
      children: () =>
        sent.map(({ id, part }, index) => {
          const whole = messageNode(state, id, 'request', `packed[${index}]`);
          const text = state.parts.get(part ?? '');
          return text === undefined || text === currentText(state, id, 'request')
            ? whole
            : shortenedNode(whole, text);
        }),
    },
    ...setAsideNodes(state, round),
  ];
}

function endNodes(state: JournalState): Node[] {
  const ended = currentRun(state)?.ended;
  const answer = ended?.answer;
  const content = answer === undefined ? undefined : parseMessage(textOf(state, answer) ?? '')?.content;
  const expression = `messages[${state.history.indexOf(answer ?? '')}].content`;
  return [
    { name: 'outcome', value: ended?.outcome ?? 'unknown' },
    ...(ended?.limit === undefined ? [] : [{ name: 'why', value: JSON.stringify(ended.limit) }]),
    // It has entered the history: an edit of it is one of the history.
    ...(content === undefined
      ? []
      : [
          {
            ...contentNode(content, `${answer}/content`, 'history', expression),
            name: 'answer',
            ...(answer === undefined ? {} : { watched: answer }),
          },
        ]),
  ];
}

/** A message that is sent shortened: what is sent, and beside it the whole of it, which is what can be edited. */
function shortenedNode(whole: Node, sent: string): Node {
  const message = parseMessage(sent);
  return {
    name: whole.name,
    value: `${message?.role ?? ''}: ${preview(message ? contentText(message) : sent)}`,
    ...(whole.type === undefined ? {} : { type: whole.type }),
    ...(whole.expression === undefined ? {} : { expression: whole.expression }),
    ...(whole.watched === undefined ? {} : { watched: whole.watched }),
    ...(whole.subject === undefined ? {} : { subject: whole.subject }),
    children: () => [
      ...Object.entries(message ?? {}).map(([key, value]) => valueNode(key, value)),
      { ...whole, name: l10n.t('whole message') },
    ],
  };
}

/** Replies of this round that were not taken: to be compared with, not to be edited. */
function setAsideNodes(state: JournalState, { setAside }: RoundState): Node[] {
  return setAside.map(({ message: id, part }) => {
    const message = parseMessage(state.parts.get(part) ?? '');
    const fields = Object.entries(message ?? {}).map(([key, value]) => valueNode(key, value));
    const value = preview(message ? contentText(message) : '');
    return { name: l10n.t('{0}, set aside', id), value, type: 'assistant', children: () => fields };
  });
}

function replyNode(state: JournalState, id: MessageId): Node {
  return { ...messageNode(state, id, 'pending', 'reply'), name: 'reply' };
}

function callNode(state: JournalState, reply: MessageId, call: CallState, isCurrent: boolean): Node {
  const index = call.position - 1;
  const isOpen = callProblem(state, reply, 'pending', index) === undefined;
  const result = call.part === undefined ? undefined : state.parts.get(call.part);
  return {
    name: `call ${call.key}`,
    value: `${visible(call.name)} ${preview(call.arguments)} · ${callState(call)}`,
    ...(isCurrent ? { expression: 'call' } : {}),
    tool: call.name,
    ...callSubject(state, reply, 'pending', index),
    children: () => [
      { name: 'name', value: visible(call.name), expression: `reply.tool_calls[${index}].function.name` },
      {
        name: 'arguments',
        value: visibleJson(call.arguments),
        expression: `reply.tool_calls[${index}].function.arguments`,
        ...(isOpen ? argumentsEdit(reply, index, 'pending', call.arguments) : {}),
      },
      { name: 'state', value: callState(call) },
      ...(result !== undefined && call.message !== undefined
        ? [resultNode(state, result, call.message)]
        : []),
    ],
  };
}

function resultNode(state: JournalState, text: string, id: MessageId): Node {
  const content = parseMessage(text)?.content;
  const results = currentRound(state)?.calls.filter((call) => call.message !== undefined) ?? [];
  const index = results.findIndex((call) => call.message === id);
  const expression = `fresh.results[${index}].content`;
  return { ...contentNode(content, `${id}/content`, 'pending', expression), name: 'result', watched: id };
}

function callState(call: CallState): string {
  if (call.verdict) return l10n.t('waiting; will be answered by you ({0})', call.verdict.op);
  if (call.status === 'waiting') return l10n.t('waiting, has not run');
  if (call.status === 'running') return l10n.t('running');
  return `${call.outcome ?? ''} · ${call.ms ?? 0} ms`;
}

function contextNodes(state: JournalState): Node[] {
  const packing = state.packings.at(-1);
  if (!packing) return [];
  const { policy, limit, reserve, fixed, total, meter } = packing.event;
  const out = [...state.fates.values()].filter(({ fate }) => isOut(fate)).length;
  const round = currentRound(state);
  const before = round && totalBeforeEdits(state, round);
  const number = (name: string, value: number): Node => ({ name, value: String(value), type: 'tokens' });
  return [
    { name: 'policy', value: policy },
    ...(limit === undefined ? [] : [number('limit', limit)]),
    number('reserve', reserve),
    number('tools', fixed.tools),
    number('total', total),
    ...(before === undefined ? [] : [number('total before edits', before)]),
    ...(limit === undefined ? [] : [number('free', limit - reserve - total)]),
    ...(fixed.measured === undefined ? [] : [number('measured', fixed.measured)]),
    ...(meter.factor === undefined || meter.factor === 1 ? [] : [valueNode('factor', meter.factor)]),
    ...(meter.anchor ? [valueNode('anchor', meter.anchor)] : []),
    ...(meter.error === undefined ? [] : [valueNode('error', meter.error)]),
    {
      name: 'fates',
      value: out === 0 ? l10n.t('every message is sent') : l10n.t('{0} not sent', out),
      children: () =>
        state.history.map((id) => {
          const fate = state.fates.get(id);
          const row = fate ? { ...valueNode(id, fate), value: fateWords(fate) } : { name: id, value: 'kept' };
          return { ...row, watched: id };
        }),
    },
  ];
}

function fateWords({
  fate,
  rule,
  need,
  room,
}: {
  fate: string;
  rule: string;
  need?: number;
  room?: number;
}): string {
  return need === undefined
    ? `${fate} (${rule})`
    : l10n.t('{0} ({1}: needs {2}, room {3})', fate, rule, need, room ?? 0);
}

function sessionNodes(state: JournalState): Node[] {
  return [
    { name: 'id', value: state.opened?.session ?? '' },
    ...[...state.working].map(([key, part]): Node => {
      const text = state.parts.get(part) ?? 'null';
      const edit = { target: `state/${key}`, scope: 'state', text, form: 'json' } as const;
      const value = valueNode(key, parseJson(text), `session[${JSON.stringify(key)}]`);
      return { ...value, value: visibleJson(text), edit, watched: `state/${key}` };
    }),
    { name: 'runs', value: String(state.runs.length) },
    { name: 'pinned', value: [...state.pins].join(', ') || l10n.t('none by you') },
  ];
}
