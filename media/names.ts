import type { EditNote } from '../src/core/editNotes.ts';
import type { LeaveReason } from '../src/core/decisions.ts';
import type { Change, MessageRow } from '../src/core/compareSent.ts';
import type { JournalState } from '../src/core/journalState.ts';
import type { PanelWord } from '../src/core/panelWords.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import type { Words } from './words.ts';

/** `round 2`, with its run where the session has several. */
export function roundName(state: JournalState, say: Words, { run, round }: RoundRef): string {
  return state.runs.length > 1 ? say('runRound', { run, round }) : say('round', { round });
}

/** `edited by you at act, round 1 · enters the history`. */
export function noteText(state: JournalState, say: Words, note: EditNote): string {
  // Who edited what another agent sent, and for how long, is not in its log.
  if (state.opened?.kind === 'attach') return say('note.inferred', { round: roundName(state, say, note) });
  return say('note', {
    what: say(opWord(note)),
    who: say(`by.${note.by}`),
    at: note.at ?? '–',
    round: roundName(state, say, note),
    scope: say(`scope.${note.scope}`),
  });
}

/** A call that came or went is no message that did. */
function opWord({ op, target }: EditNote): PanelWord {
  const isCall = target.includes('/tool_calls/');
  if (op === 'insert') return isCall ? 'op.insertCall' : 'op.insert';
  if (op === 'remove') return isCall ? 'op.removeCall' : 'op.remove';
  return `op.${op}`;
}

/** `dropped by drop-oldest: m3 + m4 need 3,348, room 2,443`. */
export function reasonText(say: Words, change: Change, reason: LeaveReason): string {
  const { ids, rule, need, room } = reason;
  const params = { fate: say(`change.${change}`), rule, ids: ids.join(' + ') };
  if (rule === 'user') return say('reason.byYou', params);
  if (need === undefined || room === undefined) return say('reason.plain', params);
  return say(ids.length === 1 ? 'reason.one' : 'reason.other', { ...params, need, room });
}

/** Why a row is not what it was: the trimming, the leaving. Undefined where nothing is to be said. */
export function rowReason(say: Words, row: MessageRow): string | undefined {
  const into = row.into === undefined ? '' : ` · ${say('reason.into', { id: row.into })}`;
  if (row.reason) return reasonText(say, row.change, row.reason) + into;
  if (row.change === 'removed') return say('reason.removed');
  if (!row.trimmed) return undefined;
  const { rule, need: before = row.tokensBefore } = row.trimmed;
  const { tokens } = row;
  if (tokens === undefined || before === undefined) return say('trimmed.plain', { rule });
  return say('trimmed', { rule, before, after: say.count('tokens', tokens) });
}

/** The sign in front of a changed row; its word is said beside it for who does not see it. */
export const signs: Readonly<Record<Change, string>> = {
  kept: '',
  new: '+',
  restored: '+',
  edited: '~',
  trimmed: '≈',
  dropped: '−',
  folded: '−',
  removed: '−',
};

/** The chips of the comparison, in the order they are read. */
export const counted = [
  'new',
  'restored',
  'edited',
  'trimmed',
  'dropped',
  'folded',
  'removed',
  'kept',
] as const;

/** `m3, m4`; of many the first and the last, with how many they are. */
export function shortIds(ids: readonly string[]): string {
  return ids.length <= 4 ? ids.join(', ') : `${ids[0]} … ${ids.at(-1)} (${ids.length})`;
}
