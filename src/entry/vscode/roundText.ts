import { foldAll } from '../../core/fold.ts';
import { roundDocument } from '../../debug/roundDocument.ts';
import type { SessionStore } from './sessionStore.ts';

/** A round's readable document, of a live session or of one read from disk. */
export function roundText(store: SessionStore, id: string, run: number, round: number): string | undefined {
  const live = store.live(id);
  const session = store.get(id);
  const state = live?.state ?? (session && foldAll(session.events));
  return state && roundDocument(state, run, round)?.text;
}
