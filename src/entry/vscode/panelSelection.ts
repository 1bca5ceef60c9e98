import type { Selection } from '../../core/protocol.ts';
import type { PanelSelection } from './panelChannel.ts';

/** One selection for all panels of a window. `by` tells a listener its own choice from another's. */
export function createPanelSelection(): PanelSelection {
  const listeners = new Set<(session: string, selection: Selection, by: object) => void>();
  return {
    select: (session, selection, by) => {
      for (const listener of [...listeners]) listener(session, selection, by);
    },
    onSelect: (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}
