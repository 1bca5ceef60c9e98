import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PanelStore } from './panelStore.ts';
import type { Words } from './words.ts';

export interface Panel {
  readonly store: PanelStore;
  readonly say: Words;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

/** The store and the words; only below a page that has both. */
export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('outside of a panel');
  return panel;
}

/** Renders again after the store changed, once a frame however many changes came. */
export function useStoreVersion(store: PanelStore): number {
  const [version, setVersion] = useState(store.version);
  useEffect(() => {
    let frame = 0;
    const unsubscribe = store.subscribe(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setVersion(store.version);
      });
    });
    setVersion(store.version);
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [store]);
  return version;
}
