import { type ComponentType, render } from 'preact';
import { useMemo } from 'preact/hooks';
import { connectStore } from './host.ts';
import type { PanelStore } from './panelStore.ts';
import { PanelContext, useStoreVersion } from './usePanel.ts';
import { createWords } from './words.ts';
import './panel.css';

/** Shows a panel in this page. Until the host has answered the page stays empty: there are no words yet. */
export function showPage(Content: ComponentType): void {
  const root = document.getElementById('root');
  if (root) render(<Page store={connectStore()} Content={Content} />, root);
}

function Page({ store, Content }: { readonly store: PanelStore; readonly Content: ComponentType }) {
  const version = useStoreVersion(store);
  const { words } = store;
  const say = useMemo(() => words && createWords(words, document.documentElement.lang), [words]);
  // A new object for each version: what reads the store through the context renders again.
  const panel = useMemo(() => (say ? { store, say } : undefined), [store, say, version]);
  if (!panel) return null;
  return (
    <PanelContext.Provider value={panel}>
      <Content />
    </PanelContext.Provider>
  );
}
