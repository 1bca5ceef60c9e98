/** What opening a journal puts right, in the journal and so that everybody sees it. */
import { type CallState, currentRound, currentRun, textOf } from '../core/journalState.ts';
import { callsOf, contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { type Repair, repairs } from '../core/repair.ts';
import { serialise } from '../core/serialise.ts';
import type { Journal } from './journal.ts';

export interface Repaired {
  /** The last run had not ended: its writer died. */
  readonly interrupted: boolean;
  /** Messages that were changed, removed or put in. */
  readonly messages: number;
}

/** Ends a run that its writer did not live to end, and makes the history legal. Writes nothing when nothing is wrong. */
export function repairSession(journal: Journal): Repaired {
  const interrupted = endInterrupted(journal);
  const { state } = journal;
  const found = repairs(state.history.map((id) => ({ id, text: textOf(state, id) })));
  let at: string | undefined;
  for (const repair of found) at = journalRepair(journal, repair, at);
  return { interrupted, messages: found.length };
}

/**
 * Calls of an interrupted round get a result each, so that the model is told: those that had finished the one they
 * had; one that had started may have run; the others have not. Nothing is executed again.
 */
function endInterrupted(journal: Journal): boolean {
  const { state } = journal;
  const run = currentRun(state);
  if (!run || run.ended) return false;
  const round = currentRound(state);
  const reply = round?.replies.at(-1);
  const message = reply && parseMessage(state.parts.get(reply.part) ?? '');
  const says = message && (contentText(message) !== '' || callsOf(message).length > 0);
  if (round && reply && says && !state.messages.has(reply.message)) {
    for (const call of round.calls) if (call.status !== 'finished') finishUnknown(journal, call);
    const results = round.calls.flatMap(({ key, message: id, part }) => {
      const origin = { kind: 'call', call: key } as const;
      return id !== undefined && part !== undefined ? [{ id, role: 'tool' as const, part, origin }] : [];
    });
    const origin = { kind: 'reply', request: reply.request } as const;
    journal.append({
      type: 'history.appended',
      inferred: true,
      messages: [{ id: reply.message, role: 'assistant', part: reply.part, origin }, ...results],
    });
  }
  if (round && !round.ended)
    journal.append({ type: 'round.ended', inferred: true, round: round.round, next: 'crashed' });
  const limit = 'The process that ran it ended without a word.';
  journal.append({ type: 'run.ended', inferred: true, run: run.run, outcome: 'crashed', limit });
  return true;
}

function finishUnknown(journal: Journal, call: CallState): void {
  const error =
    call.status === 'running'
      ? 'interrupted while running: it may or may not have run to its end, effects unknown'
      : 'interrupted before start: it has not run';
  const content = serialise({ success: false, error });
  journal.append({
    type: 'call.finished',
    inferred: true,
    key: call.key,
    outcome: 'cancelled',
    message: journal.nextMessage(),
    part: journal.part(serialise({ role: 'tool', tool_call_id: call.wireId, content })),
    ms: 0,
    source: 'live',
  });
}

/** One edit and one anomaly that says why. Returns the id that a further insert at the same place goes behind. */
function journalRepair(journal: Journal, repair: Repair, before: string | undefined): string | undefined {
  const by = { scope: 'history', by: 'repair', inferred: true } as const;
  const say = (seq: number, what: string) =>
    void journal.append({
      type: 'anomaly',
      code: 'repaired',
      detail: `${what}: ${repair.why}`,
      about: [seq],
    });
  if (repair.kind === 'insert') {
    const target = journal.nextMessage();
    // Results of one block that are missing side by side keep the order of their calls.
    const behind = before?.startsWith(`${repair.behind}>`)
      ? before.slice(before.indexOf('>') + 1)
      : repair.behind;
    const place = behind === undefined ? {} : { behind };
    const after = journal.part(repair.text);
    say(
      journal.append({ type: 'edited', op: 'insert', target, ...place, after, ...by }).seq,
      `${target} was put in`,
    );
    return `${repair.behind}>${target}`;
  }
  const text = textOf(journal.state, repair.id);
  const old = text === undefined ? {} : { before: journal.part(text) };
  if (repair.kind === 'remove')
    say(
      journal.append({ type: 'edited', op: 'remove', target: repair.id, ...old, ...by }).seq,
      `${repair.id} was taken out`,
    );
  else {
    const after = journal.part(repair.text);
    say(
      journal.append({ type: 'edited', op: 'set', target: repair.id, ...old, after, ...by }).seq,
      `${repair.id} was changed`,
    );
  }
  return undefined;
}
