import { messageFacts } from '../core/messageFacts.ts';
import { callsOf } from '../core/messages.ts';
import type { ModelReply, ReadNote } from '../core/ports.ts';
import { createAccumulator } from './accumulate.ts';
import { replyMessage } from './readReplyMessage.ts';
import { createNotes } from './readReplyNotes.ts';

type ReplyMessage = ModelReply['message'];

/**
 * A reply that no reader of ours has read (a model client of somebody else's) as one that can be sent back: ids, names,
 * types and half characters are settled as the reader settles them, with a note of each. A reply that needs nothing is
 * the same object.
 */
export function normaliseReply(message: ReplyMessage): {
  readonly message: ReplyMessage;
  readonly notes: readonly ReadNote[];
} {
  const notes = createNotes();
  if (isSettled(message)) return { message, notes: notes.all };
  const accumulator = createAccumulator(notes, () => undefined);
  accumulator.add({ choices: [{ message }] });
  const calls = accumulator.calls().map(({ call }) => call);
  return { message: replyMessage(accumulator.content, accumulator.extra(), calls, notes), notes: notes.all };
}

/** Arguments that are no object are told to the model, and an empty reply ends the run: both are met later. */
const metLater: ReadonlySet<string> = new Set(['bad-arguments', 'empty-assistant']);

function isSettled(message: ReplyMessage): boolean {
  const faults = messageFacts(message).faults.filter(({ rule }) => !metLater.has(rule));
  return faults.length === 0 && callsOf(message).every(({ type }) => (type as string) === 'function');
}
