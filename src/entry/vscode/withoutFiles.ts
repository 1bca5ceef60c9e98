import type { PanelSession, PanelSessions } from './panelChannel.ts';

/** Stays with what is debugged or was opened from Runs, whatever file is looked at in an editor of its own. */
export function withoutFiles(sessions: PanelSessions): PanelSessions {
  let last: PanelSession | undefined;
  return {
    ...sessions,
    get current() {
      const { current } = sessions;
      if (current && !current.isFile) last = current;
      return last && sessions.get(last.id) === last ? last : current;
    },
  };
}
