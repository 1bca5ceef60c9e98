import { itemId } from './body.ts';
import type { CheckpointKind, Edited, EditedBy, EditKind, Scope } from './events.ts';
import type { JournalState, RoundState } from './journalState.ts';
import { splitTarget } from './pointer.ts';
import type { MessageId, PartId } from './messages.ts';

/** One edit as a panel tells of it: what, by whom, where, and how far it reaches. */
export interface EditNote {
  readonly seq: number;
  readonly op: EditKind;
  readonly target: string;
  readonly scope: Scope;
  readonly by: EditedBy;
  /** The checkpoint it was made at. */
  readonly at: CheckpointKind | undefined;
  readonly run: number;
  readonly round: number;
  readonly before?: PartId;
  readonly after?: PartId;
}

/** Edits of messages between two events (after `from`, before `to`) by message, oldest first. */
export function editNotes(state: JournalState, from: number, to: number): Map<MessageId, EditNote[]> {
  const notes = new Map<MessageId, EditNote[]>();
  for (const run of state.runs) {
    for (const round of run.rounds) {
      for (const edit of round.edits) {
        if (edit.seq <= from || edit.seq >= to || edit.scope === 'state') continue;
        for (const id of [messageOf(round, edit), ...(edit.with ?? []).map(itemId)]) {
          const list = notes.get(id);
          if (list) list.push(noteOf(round, edit));
          else notes.set(id, [noteOf(round, edit)]);
        }
      }
    }
  }
  return notes;
}

/** A verdict on a call is told of at the call's result; one on a call of a reply that was set aside is over. */
function messageOf(round: RoundState, edit: Edited & { readonly seq: number }): MessageId {
  const [root] = splitTarget(edit.target);
  if (edit.seq < (round.replies.at(-1)?.seq ?? 0)) return root;
  return round.calls.find((call) => call.key === root)?.message ?? root;
}

function noteOf(round: RoundState, edit: Edited & { readonly seq: number }): EditNote {
  const { seq, op, target, scope, by } = edit;
  return {
    seq,
    op,
    target,
    scope,
    by,
    at: round.checkpoints.findLast((checkpoint) => checkpoint.seq < seq)?.kind,
    run: round.run,
    round: round.round,
    ...(edit.before === undefined ? {} : { before: edit.before }),
    ...(edit.after === undefined ? {} : { after: edit.after }),
  };
}
