/** The fold of edits: what one `edited` changes in the state. Never throws, as `fold`. */
import { appendMessage } from './appendMessage.ts';
import { blockOf } from './blockOf.ts';
import type { Edited } from './events.ts';
import { callAt, currentRound, type JournalState, type RoundState } from './journalState.ts';
import { learnRepair } from './learnt.ts';
import type { MessageId, PartId } from './messages.ts';
import { parseMessage } from './parseMessage.ts';
import { listCalls } from './pendingCalls.ts';
import { splitTarget } from './pointer.ts';

export function foldEdit(state: JournalState, event: AtSeq<Edited>): void {
  const round = currentRound(state);
  round?.edits.push(event);
  const [root = '', path] = splitTarget(event.target);
  if (event.by === 'repair' && root === 'request') {
    learnRepair(state, event);
    // A request beside the conversation has no edits, and those of the round's request are not its own.
    if (state.lastSent?.purpose !== 'round') return;
  }
  switch (event.op) {
    case 'pin':
      state.pins.add(root);
      return;
    case 'unpin':
      state.pins.delete(root);
      return;
    case 'drop':
    case 'restore':
      round?.requestEdits.fates.set(root, event.op);
      if (event.op === 'restore' && round) restoreResults(state, round, root);
      return;
    case 'mock':
    case 'skip':
    case 'reject': {
      const call = callAt(state, event.target);
      if (call && event.after !== undefined) call.verdict = { op: event.op, observation: event.after };
      return;
    }
    case 'set':
      if (event.after !== undefined) set(state, event, root, path, event.after);
      return;
    case 'insert':
      if (event.scope === 'pending') return set(state, event, root, path, event.after ?? '');
      if (event.after !== undefined) insert(state, event, event.after);
      return;
    case 'remove':
      remove(state, event, root, path);
  }
}

/** A block whose results had left with their calls is sent as it stands in the history again. */
function restoreResults(state: JournalState, { requestEdits }: RoundState, root: MessageId): void {
  const block = blockOf(state, root);
  const isBack = block.filter((id) => requestEdits.removed.delete(id)).length > 0;
  if (isBack && block[0] !== undefined) requestEdits.texts.delete(block[0]);
}

type AtSeq<Event> = Event & { readonly seq: number };

/** For good they stand in the history, for a request only beside it; either way they are messages from now on. */
function insert(state: JournalState, event: AtSeq<Edited>, part: PartId): void {
  const { target, behind, with: others = [], seq, scope } = event;
  const place = behind === undefined ? 0 : state.history.indexOf(behind) + 1;
  const items = [[target, part] as const, ...others.filter((item) => typeof item !== 'string')];
  if (scope === 'history' && behind !== undefined && place === 0) return;
  const ids = items.flatMap(([id, one]) => {
    const role = parseMessage(state.parts.get(one) ?? '')?.role;
    if (role === undefined || state.messages.has(id)) return [];
    appendMessage(state, { id, role, part: one, origin: { kind: 'edit' } }, seq);
    // As old as what it stands behind: it leaves the context with that, not with what was said last.
    const run = state.messages.get(behind ?? '')?.run;
    if (run !== undefined) state.messages.set(id, { ...state.messages.get(id)!, run });
    return [id];
  });
  if (ids.length === 0) return;
  const added = state.history.splice(-ids.length);
  if (scope === 'history') state.history.splice(place, 0, ...added);
  else {
    const round = currentRound(state);
    if (round) round.requestEdits.inserted = [...round.requestEdits.inserted, { ids, behind }];
    // It did not enter the history.
    if (round && !round.ended) round.appended.splice(-ids.length);
  }
}

/** What leaves the history stays in the record: what was sent with it is still rebuilt. */
function remove(state: JournalState, event: AtSeq<Edited>, root: string, path: string): void {
  const round = currentRound(state);
  const { after, scope } = event;
  const others = (event.with ?? []).filter((item) => typeof item === 'string');
  // A call that left: its message has another text then.
  if (after !== undefined) set(state, event, root, path, after);
  if (scope === 'history')
    for (const id of after === undefined ? [root, ...others] : others) leave(state, id);
  if (scope !== 'request' || !round) return;
  if (root === 'request') round.requestEdits.parameters.delete(path);
  else if (after !== undefined) for (const id of others) round.requestEdits.removed.add(id);
  else
    round.requestEdits.inserted = round.requestEdits.inserted
      .map(({ ids, behind }) => ({ ids: ids.filter((id) => id !== root && !others.includes(id)), behind }))
      .filter(({ ids }) => ids.length > 0);
}

function leave(state: JournalState, id: MessageId): void {
  const place = state.history.indexOf(id);
  if (place < 0) return;
  state.history.splice(place, 1);
  state.pins.delete(id);
  // Without its summary a message speaks for itself again.
  for (const [folded, into] of state.folded) if (into === id) state.folded.delete(folded);
  const own = currentRound(state)?.requestEdits;
  const before = state.history[place - 1];
  if (own) own.inserted = own.inserted.map((one) => (one.behind === id ? { ...one, behind: before } : one));
}

function set(state: JournalState, event: AtSeq<Edited>, root: string, path: string, after: PartId): void {
  const round = currentRound(state);
  switch (event.scope) {
    case 'history': {
      const message = state.messages.get(root);
      if (!message) return;
      message.versions.push({ seq: event.seq, part: after });
      state.reworded.push({ seq: event.seq, id: root });
      return;
    }
    case 'state':
      state.working.set(path, after);
      return;
    case 'request':
      if (root === 'request' && !path.includes('/')) round?.requestEdits.parameters.set(path, after);
      else if (root !== 'request') round?.requestEdits.texts.set(root, after);
      return;
    case 'pending':
      if (round) setPending(state, round, root, after);
  }
}

function setPending(state: JournalState, round: RoundState, root: MessageId, after: PartId): void {
  const reply = round.replies.at(-1);
  if (reply?.message === root) {
    reply.part = after;
    round.calls = listCalls(round, state.parts.get(after) ?? '');
    return;
  }
  const call = round.calls.find((one) => one.message === root);
  if (call) Object.assign(call, { part: after, edited: true });
}
