import type { Selection } from '../../core/protocol.ts';
import type { PanelSelection, Registration } from './panelChannel.ts';
import type { PanelPage } from './panelPage.ts';

/** Which round one panel looks at, as the others do. */
export interface ShownRound extends Registration {
  /** What the page says it looks at: after a restart it knows which round was chosen, and the host does not. */
  learn(session: string, selection: Selection): void;
  /** A page that was not there when a round was chosen has not heard of it. `wish`: what it is to look at instead. */
  recall(session: string, wish?: Selection): void;
  tell(session: string, selection: Selection): void;
}

/** @param shown the session that the panel shows */
export function createShownRound(
  chosen: PanelSelection,
  page: PanelPage,
  shown: () => string | undefined,
): ShownRound {
  const tell = (session: string, selection: Selection) => page.post({ type: 'select', session, selection });
  const listening = chosen.onSelect((session, selection, by) => {
    if (page.isThere && by !== page && session === shown()) tell(session, selection);
  });
  return {
    learn(session, selection) {
      if (chosen.last(session) === undefined) chosen.select(session, selection, page);
    },
    recall(session, wish) {
      const selection = wish === undefined ? chosen.last(session) : wish;
      if (selection !== undefined) tell(session, selection);
    },
    tell,
    dispose: () => listening.dispose(),
  };
}
