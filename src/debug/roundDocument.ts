/** A round as a readable text: messages as sent, reply, calls, results. The source of the round's stack frame. */
import { itemId, itemText, requestItems } from '../core/body.ts';
import type { CheckpointKind } from '../core/events.ts';
import { type JournalState, type RoundState, roundAt } from '../core/journalState.ts';
import { callsOf, contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { sentList } from '../core/sentList.ts';
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
  const request = round.requests.at(-1);
  const sent = request === undefined ? undefined : state.requests.get(request)?.attempts.at(-1);
  if (request === undefined || !sent) {
    const waiting = sentList(state, round)?.items ?? [];
    const lines = waiting.flatMap(({ id, part }) => messageLines(id, state.parts.get(part ?? '')));
    return ['Context (not sent yet)', ...lines];
  }
  const items = requestItems(state, request);
  return [
    `Context (sent: ${items.length} messages, ${sent.sent.bytes} bytes, sha256 ${sent.sent.hash.slice(0, 12)})`,
    ...items.flatMap((item) => messageLines(itemId(item), itemText(state, item, sent.seq))),
  ];
}

function replyLines(state: JournalState, round: RoundState): string[] {
  const reply = round.replies.at(-1);
  if (!reply) return ['Reply (none yet)'];
  const finish = reply.event.finish ?? 'not said';
  return [
    `Reply (finish: ${finish}, ${reply.event.ms} ms)`,
    ...messageLines(reply.message, state.parts.get(reply.part)),
  ];
}

function callLines(state: JournalState, round: RoundState): string[] {
  if (round.calls.length === 0) return ['Calls (none)'];
  const lines = round.calls.flatMap((call) => [
    `  ${call.key} ${call.name} ${visible(call.arguments)}`,
    ...(call.status === 'finished'
      ? indent(
          `→ ${call.outcome ?? ''} ${contentText(parseMessage(state.parts.get(call.part ?? '') ?? '') ?? { role: 'tool' })}`,
          4,
        )
      : [`    → ${call.status}`]),
  ]);
  return ['Calls', ...lines];
}

function observeLines(state: JournalState, round: RoundState): string[] {
  const entered = round.appended.filter((id) => state.messages.get(id)?.role !== 'user');
  const words =
    entered.length === 0
      ? 'nothing has entered the history yet'
      : `${entered.join(', ')} entered the history`;
  return [`Observe (${words})`];
}

function messageLines(id: string, text: string | undefined): string[] {
  const message = text === undefined ? undefined : parseMessage(text);
  if (!message) return [`  ${id} (unreadable)`];
  const content = contentText(message);
  const calls = callsOf(message).map(
    (call) => `    → ${call.function.name} ${visible(call.function.arguments)}`,
  );
  return [`  ${id} ${message.role}`, ...(content === '' ? [] : indent(content, 4)), ...calls];
}

function indent(text: string, by: number): string[] {
  return visible(text)
    .split('\n')
    .map((line) => ' '.repeat(by) + line);
}
