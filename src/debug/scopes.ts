/** What Variables shows at a pause: Pending, Messages, Context, Session, Usage. Made from the journal's fold. */
import * as l10n from '@vscode/l10n';
import { fatesAt } from '../core/fates.ts';
import {
  type CallState,
  currentRound,
  currentRun,
  type JournalState,
  type RoundState,
  textOf,
} from '../core/journalState.ts';
import { callsOf, contentText, type MessageId } from '../core/messages.ts';
import type { Scope } from '../core/events.ts';
import { currentText } from '../core/ops.ts';
import { isRecord, parseJson, parseMessage } from '../core/parseMessage.ts';
import { requestFrame } from '../planner/parameters.ts';
import type { Checkpoint } from '../runner/gate.ts';
import { type Node, preview, textLeaf, valueNode } from './node.ts';

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
      if (!round || !reply) return [{ name: 'reply', value: l10n.t('none: the model could not be asked') }];
      const calls = round.calls.map((call) => callNode(state, reply.message, call, call.key === at.key));
      const first = calls.filter((_, index) => round.calls[index]?.key === at.key);
      return [...first, ...calls.filter((call) => !first.includes(call)), replyNode(state, reply.message)];
    }
  }
}

/** What is about to be sent: parameters and messages of this request only. */
function requestNodes(state: JournalState, round: RoundState): Node[] {
  const fates = round.packing === undefined ? new Map() : fatesAt(state, round.packing);
  const sent = state.history.filter((id) => !fates.has(id));
  const parameter = (name: string, text: string): Node => {
    return { name, value: text, edit: { target: `request/${name}`, scope: 'request', text, form: 'json' } };
  };
  const { model, parameters } = requestFrame(state, configOf(state), lastUrl(state));
  const assembled = ['stream', 'stream_options'];
  return [
    parameter('model', model),
    ...[...parameters].flatMap(([name, text]) => (assembled.includes(name) ? [] : [parameter(name, text)])),
    {
      name: 'messages',
      value: l10n.t('{0} of {1} messages are sent', sent.length, state.history.length),
      indexed: sent.length,
      children: () => sent.map((id, index) => messageNode(state, id, 'request', `packed[${index}]`)),
    },
  ];
}

/** The run's settings as its journal holds them; a foreign one may hold anything. */
function configOf(state: JournalState): Parameters<typeof requestFrame>[1] {
  const known = parseJson(state.parts.get(currentRun(state)?.config ?? '') ?? 'null');
  const config = { model_name: '', temperature: null, ...(isRecord(known) ? known : {}) };
  return config as unknown as Parameters<typeof requestFrame>[1];
}

/** The end point that was asked last: what it does not take is not shown as if it were sent. */
function lastUrl(state: JournalState): string {
  return state.requests.get(state.lastRequest ?? '')?.attempts.at(-1)?.sent.url ?? '';
}

function endNodes(state: JournalState): Node[] {
  const ended = currentRun(state)?.ended;
  const answer = ended?.answer === undefined ? undefined : textOf(state, ended.answer);
  const message = answer === undefined ? undefined : parseMessage(answer);
  return [
    { name: 'outcome', value: ended?.outcome ?? 'unknown' },
    ...(ended?.limit === undefined ? [] : [{ name: 'why', value: JSON.stringify(ended.limit) }]),
    ...(message ? [{ name: 'answer', value: JSON.stringify(contentText(message)), type: 'string' }] : []),
  ];
}

/** A message with its editable text. `scope` says what an edit of it lasts for. */
function messageNode(state: JournalState, id: MessageId, scope: Scope, expression: string): Node {
  const text = currentText(state, id, scope) ?? '';
  const message = parseMessage(text);
  if (!message) return { name: id, value: preview(text) };
  const calls = callsOf(message);
  const content = contentText(message);
  const said = content === '' ? calls.map((call) => call.function.name).join(', ') : content;
  const extra = Object.entries(message).filter(([key]) => key !== 'content' && key !== 'tool_calls');
  return {
    name: id,
    value: `${message.role}: ${preview(said)}`,
    type: message.role,
    expression,
    children: () => [
      contentNode(message.content, `${id}/content`, scope, `${expression}.content`),
      ...calls.map((call, index) => ({
        name: call.function.name,
        value: call.function.arguments,
        edit: argumentsEdit(`${id}/tool_calls/${index}/function/arguments`, scope, call.function.arguments),
      })),
      ...extra.map(([key, value]) => valueNode(key, value, `${expression}.${key}`)),
      ...(state.tokens.has(id) ? [{ name: 'tokens', value: String(state.tokens.get(id)) }] : []),
    ],
  };
}

function contentNode(content: unknown, target: string, scope: Scope, expression: string): Node {
  return typeof content === 'string'
    ? textLeaf('content', content, target, scope, expression)
    : valueNode('content', content ?? null);
}

function argumentsEdit(target: string, scope: Scope, text: string) {
  return { target, scope, text, form: 'json-text' } as const;
}

function replyNode(state: JournalState, id: MessageId): Node {
  return { ...messageNode(state, id, 'pending', 'reply'), name: 'reply' };
}

function callNode(state: JournalState, reply: MessageId, call: CallState, isCurrent: boolean): Node {
  const index = call.position - 1;
  const editable = call.status === 'waiting' && !call.verdict;
  const target = `${reply}/tool_calls/${index}/function/arguments`;
  const result = call.part === undefined ? undefined : state.parts.get(call.part);
  return {
    name: `call ${call.key}`,
    value: `${call.name} ${preview(call.arguments)} · ${callState(call)}`,
    ...(isCurrent ? { expression: 'call' } : {}),
    children: () => [
      { name: 'name', value: call.name },
      {
        name: 'arguments',
        value: call.arguments,
        ...(isCurrent ? { expression: 'call.arguments' } : {}),
        ...(editable ? { edit: argumentsEdit(target, 'pending', call.arguments) } : {}),
      },
      { name: 'state', value: callState(call) },
      ...(result !== undefined && call.message !== undefined ? [resultNode(result, call.message)] : []),
    ],
  };
}

function resultNode(text: string, id: MessageId): Node {
  const content = parseMessage(text)?.content;
  return { ...contentNode(content, `${id}/content`, 'pending', 'result.content'), name: 'result' };
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
  const number = (name: string, value: number): Node => ({ name, value: String(value), type: 'tokens' });
  return [
    { name: 'policy', value: policy },
    number('limit', limit),
    number('reserve', reserve),
    number('tools', fixed.tools),
    number('total', total),
    number('free', limit - reserve - total),
    ...(meter.anchor ? [valueNode('anchor', meter.anchor)] : []),
    {
      name: 'fates',
      value:
        state.fates.size === 0 ? l10n.t('every message is sent') : l10n.t('{0} not sent', state.fates.size),
      children: () =>
        state.history.map((id) => {
          const fate = state.fates.get(id);
          return fate ? { ...valueNode(id, fate), value: fateWords(fate) } : { name: id, value: 'kept' };
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
  return `${fate} (${rule}${need === undefined ? '' : `: needs ${need}, room ${room ?? 0}`})`;
}

function sessionNodes(state: JournalState): Node[] {
  return [
    { name: 'id', value: state.opened?.session ?? '' },
    ...[...state.working].map(([key, part]): Node => {
      const text = state.parts.get(part) ?? 'null';
      const edit = { target: `state/${key}`, scope: 'state', text, form: 'json' } as const;
      return { ...valueNode(key, parseJson(text), `session.${key}`), value: text, edit };
    }),
    { name: 'runs', value: String(state.runs.length) },
    { name: 'pinned', value: [...state.pins].join(', ') || l10n.t('none by you') },
  ];
}

function usageNodes(state: JournalState): Node[] {
  const attempts = [...state.requests.values()].flatMap((request) => request.attempts);
  const reports = attempts.flatMap((attempt) => (attempt.replied?.usage ? [attempt.replied.usage] : []));
  const sum = (field: 'prompt' | 'completion') =>
    reports.reduce((total, usage) => total + (usage[field] ?? 0), 0);
  return [
    { name: 'requests', value: String(attempts.length) },
    ...(reports.length === 0
      ? [{ name: 'tokens', value: l10n.t('not reported by the provider') }]
      : [
          { name: 'prompt tokens', value: String(sum('prompt')) },
          { name: 'completion tokens', value: String(sum('completion')) },
          valueNode('last', reports.at(-1)),
        ]),
  ];
}
