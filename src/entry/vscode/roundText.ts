import { foldAll } from '../../core/fold.ts';
import { roundDocument } from '../../debug/roundDocument.ts';
import type { SessionStore } from './sessionStore.ts';

/**
 * A round's readable document, of a live session or of one read from disk; `before`: as it was when the journal had so
 * many events.
 */
export function roundText(
  store: SessionStore,
  id: string,
  run: number,
  round: number,
  before: number | undefined,
): string | undefined {
  const live = store.live(id);
  const session = store.get(id);
  const present = before === undefined ? live?.state : undefined;
  const state = present ?? (session && foldAll(session.events, before));
  return state && roundDocument(state, run, round)?.text;
}
