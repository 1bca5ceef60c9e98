import type { Selection } from '../../core/protocol.ts';
import type { PanelSelection } from './panelChannel.ts';

/**
 * One selection for all panels of a window. `by` tells a listener its own choice from another's. What was chosen last is
 * kept for each session, since a panel that is shown later was not there to hear it.
 */
export function createPanelSelection(): PanelSelection {
  const listeners = new Set<(session: string, selection: Selection, by: object) => void>();
  const chosen = new Map<string, Selection>();
  return {
    last: (session) => chosen.get(session),
    select: (session, selection, by) => {
      chosen.set(session, selection);
      for (const listener of [...listeners]) listener(session, selection, by);
    },
    onSelect: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}
