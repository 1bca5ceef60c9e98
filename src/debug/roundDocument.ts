/** A round as a readable text: messages as sent, reply (and those set aside), calls, results, and what was edited. The source of the round's stack frame. */
import { itemId, itemText, requestItems } from '../core/body.ts';
import type { CheckpointKind } from '../core/events.ts';
import { type EditNote, editNotes } from '../core/editNotes.ts';
import { type CallState, type JournalState, type RoundState, roundAt } from '../core/journalState.ts';
import { callsOf, contentText, type MessageId } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { roundBefore, sentList } from '../core/sentList.ts';
import { visible } from '../core/visible.ts';

export interface RoundDocument {
  readonly text: string;
  /** Line from 1 where each checkpoint's part begins; `act` is the first call. */
  readonly lines: Readonly<Record<CheckpointKind, number>>;
}

/** The document of a round, as far as it has come; undefined for a round that is not in the journal. */
export function roundDocument(state: JournalState, run: number, round: number): RoundDocument | undefined {
  const at = roundAt(state, run, round);
  if (!at) return undefined;
  const lines: string[] = [`Run ${run}, round ${round}`, ''];
  const mark = () => lines.length + 1;
  const plan = mark();
  lines.push(...sentLines(state, at), '');
  const reply = mark();
  lines.push(...replyLines(state, at), '');
  const act = mark();
  lines.push(...callLines(state, at), '');
  const observe = mark();
  lines.push(...observeLines(state, at));
  return { text: `${lines.join('\n')}\n`, lines: { plan, reply, act, observe, end: observe } };
}

function sentLines(state: JournalState, round: RoundState): string[] {
  const list = sentList(state, round);
  const request = list?.request;
  const sent = request === undefined ? undefined : state.requests.get(request)?.attempts.at(-1);
  const notes = editNotes(state, roundBefore(state, round)?.seq ?? -1, round.ended?.seq ?? Infinity);
  const label = (id: MessageId) => editLabel(notes.get(id));
  if (request === undefined || !sent) {
    const again = round.requests.length > 0 ? ', asked again' : '';
    const lines = (list?.items ?? []).flatMap(({ id, part }) =>
      messageLines(id, state.parts.get(part ?? ''), label(id)),
    );
    return [`Context (not sent yet${again})`, ...lines];
  }
  const items = requestItems(state, request);
  return [
    `Context (sent: ${items.length} messages, ${sent.sent.bytes} bytes, sha256 ${sent.sent.hash.slice(0, 12)})`,
    ...items.flatMap((item) =>
      messageLines(itemId(item), itemText(state, item, sent.seq), label(itemId(item))),
    ),
  ];
}

function replyLines(state: JournalState, round: RoundState): string[] {
  const aside = round.setAside.flatMap(({ event, message, part }) => [
    `Reply set aside, the model was asked again (finish: ${event.finish ?? 'not said'}, ${event.ms} ms)`,
    ...messageLines(message, state.parts.get(part)),
    '',
  ]);
  const reply = round.replies.at(-1);
  if (!reply) return [...aside, 'Reply (none yet)'];
  const finish = reply.event.finish ?? 'not said';
  const notes = editNotes(state, reply.seq, round.ended?.seq ?? Infinity);
  return [
    ...aside,
    `Reply (finish: ${finish}, ${reply.event.ms} ms)`,
    ...messageLines(reply.message, state.parts.get(reply.part), editLabel(notes.get(reply.message))),
  ];
}

/** `, edited by user at plan, for this request`: what was done to a message, last edit first. */
function editLabel(notes: readonly EditNote[] = []): string {
  const note = notes.findLast(({ op }) => op !== 'pin' && op !== 'unpin');
  if (!note) return '';
  const { op, by, at, scope } = note;
  const what = op === 'insert' ? 'added' : op === 'set' || op === 'remove' ? 'edited' : pastWords[op];
  return ` (${what} by ${by === 'user' ? 'you' : by} at ${at ?? 'the start'}, ${reach[scope]})`;
}

const pastWords = {
  pin: 'pinned',
  unpin: 'unpinned',
  drop: 'dropped',
  restore: 'restored',
  mock: 'mocked',
  skip: 'skipped',
  reject: 'rejected',
} as const;

const reach = {
  history: 'for good',
  request: 'this request only',
  pending: 'before it entered the history',
  state: 'session',
} as const;

function callLines(state: JournalState, round: RoundState): string[] {
  if (round.calls.length === 0) return ['Calls (none)'];
  const lines = round.calls.flatMap((call) => [
    `  ${call.key} ${call.name} ${visible(call.arguments)}${callLabel(call)}`,
    ...(call.status === 'finished'
      ? indent(
          `→ ${call.outcome ?? ''} ${contentText(parseMessage(state.parts.get(call.part ?? '') ?? '') ?? { role: 'tool' })}`,
          4,
        )
      : [`    → ${call.status}`]),
  ]);
  return ['Calls', ...lines];
}

/** What the user decided instead of running it, and that its result is not what it gave. */
function callLabel({ verdict, edited }: CallState): string {
  const said = verdict ? ` (${pastWords[verdict.op]} by you)` : '';
  return edited ? `${said} (result edited by you)` : said;
}

function observeLines(state: JournalState, round: RoundState): string[] {
  const entered = round.appended.filter((id) => state.messages.get(id)?.role !== 'user');
  const words =
    entered.length === 0
      ? 'nothing has entered the history yet'
      : `${entered.join(', ')} entered the history`;
  return [`Observe (${words})`];
}

function messageLines(id: MessageId, text: string | undefined, label = ''): string[] {
  const message = text === undefined ? undefined : parseMessage(text);
  if (!message) return [`  ${id} (unreadable)`];
  const content = contentText(message);
  const calls = callsOf(message).map(
    (call) => `    → ${call.function.name} ${visible(call.function.arguments)}`,
  );
  return [`  ${id} ${message.role}${label}`, ...(content === '' ? [] : indent(content, 4)), ...calls];
}

function indent(text: string, by: number): string[] {
  return visible(text)
    .split('\n')
    .map((line) => ' '.repeat(by) + line);
}
