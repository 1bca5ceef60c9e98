import { focusedDebugSession } from './focusedDebugSession.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionStore } from './sessionStore.ts';

/**
 * The session that a command without an argument means: the focused one, else the last one. VS Code may go on
 * naming a debug session that has ended as its active one, so the focus counts only where something runs.
 */
export function meantSession(store: SessionStore): LiveSession | undefined {
  const focused = focusedDebugSession();
  const live = focused && store.liveOf(focused.id);
  return live?.live ? live : store.current && store.live(store.current.id);
}
