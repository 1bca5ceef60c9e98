/** Rows of one message: its text, its calls, a provider's own fields. Editable where an edit would be taken. */
import { changingTools } from '../core/changingTools.ts';
import type { Scope } from '../core/events.ts';
import { currentText } from '../core/editText.ts';
import { currentRound, type JournalState } from '../core/journalState.ts';
import { callProblem, isOpenReply } from '../core/messageProblem.ts';
import { callsOf, contentText, type MessageId, type WireCall } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { isOut } from '../core/sentList.ts';
import { visible, visibleJson } from '../core/visible.ts';
import { type Node, preview, textLeaf, valueNode } from './node.ts';

/** A message with its editable text. `scope` says what an edit of it lasts for; `expression` leads to it. */
export function messageNode(state: JournalState, id: MessageId, scope: Scope, expression: string): Node {
  const text = currentText(state, id, scope) ?? '';
  const message = parseMessage(text);
  if (!message) return { name: id, value: preview(text) };
  const calls = callsOf(message);
  const content = contentText(message);
  const said = content === '' ? calls.map(nameOf).join(', ') : content;
  const extra = Object.entries(message).filter(([key]) => key !== 'content' && key !== 'tool_calls');
  return {
    name: id,
    value: `${message.role}: ${preview(said)}`,
    type: message.role,
    expression,
    watched: id,
    subject: { kind: 'message', target: id, scope, menu: messageMenu(state, id, scope) },
    children: () =>
      [
        contentNode(message.content, `${id}/content`, scope, `${expression}.content`),
        ...calls.map((call, index) => toolCallNode(state, id, scope, call, index, expression)),
        ...extra.map(([key, value]) => valueNode(key, value, `${expression}[${JSON.stringify(key)}]`)),
        ...(state.tokens.has(id) ? [{ name: 'tokens', value: String(state.tokens.get(id)) }] : []),
      ].map((row) => ({ ...row, watched: id })),
  };
}

function messageMenu(state: JournalState, id: MessageId, scope: Scope): string[] {
  if (scope === 'pending') {
    const isReply = currentRound(state)?.replies.at(-1)?.message === id;
    if (!isReply || state.checkpoint?.kind !== 'reply') return [];
    return isOpenReply(state) ? ['reply', 'open'] : ['reply'];
  }
  const isAtPlan = state.checkpoint?.kind === 'plan';
  const added = currentRound(state)?.requestEdits.inserted ?? [];
  if (added.some(({ ids }) => ids.includes(id))) return isAtPlan ? ['added'] : [];
  return [
    state.pins.has(id) ? 'pinned' : 'unpinned',
    'kept',
    ...(isAtPlan ? [isOut(state.fates.get(id)?.fate) ? 'dropped' : 'sent'] : []),
  ];
}

/** Named by its place: a reply may call one tool several times. */
function toolCallNode(
  state: JournalState,
  id: MessageId,
  scope: Scope,
  call: WireCall,
  index: number,
  expression: string,
): Node {
  const text = String(call?.function?.arguments ?? '');
  const isOpen = callProblem(state, id, scope, index) === undefined;
  return {
    name: `tool_calls[${index}] ${visible(nameOf(call))}`,
    value: visibleJson(text),
    expression: `${expression}.tool_calls[${index}].function.arguments`,
    ...(nameOf(call) === '' ? {} : { tool: nameOf(call) }),
    ...(isOpen ? argumentsEdit(id, index, scope, text) : {}),
    ...callSubject(state, id, scope, index),
  };
}

/** A call as a whole: one that waits can be answered, one of the history leaves with its result. */
export function callSubject(
  state: JournalState,
  id: MessageId,
  scope: Scope,
  index: number,
): Pick<Node, 'subject'> {
  const target = `${id}/tool_calls/${index}`;
  if (scope !== 'pending') {
    const isOpen = scope === 'history' || state.checkpoint?.kind === 'plan';
    return isOpen ? { subject: { kind: 'call', target, scope, menu: ['removable'] } } : {};
  }
  const call = currentRound(state)?.calls[index];
  if (!call || call.status !== 'waiting') return {};
  const changes = changingTools.has(call.name) ? ['changes'] : [];
  const menu = ['waiting', ...changes, ...(isOpenReply(state) ? ['removable'] : [])];
  return { subject: { kind: 'call', target, scope, call: call.key, menu } };
}

/** A hand-edited or foreign file may hold anything here. */
function nameOf(call: WireCall): string {
  return String(call?.function?.name ?? '');
}

export function argumentsEdit(
  id: MessageId,
  index: number,
  scope: Scope,
  text: string,
): Pick<Required<Node>, 'edit'> {
  const target = `${id}/tool_calls/${index}/function/arguments`;
  return { edit: { target, scope, text, form: 'json-text' } };
}

export function contentNode(content: unknown, target: string, scope: Scope, expression: string): Node {
  return typeof content === 'string'
    ? textLeaf('content', content, target, scope, expression)
    : valueNode('content', content ?? null, expression);
}
