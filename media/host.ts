import type { FromPanel, SavedPanel, ToPanel } from '../src/core/protocol.ts';
import { createPanelStore, type PanelStore } from './panelStore.ts';

/** The store of this page, fed by the extension host. One a page: VS Code gives its API out once. */
export function connectStore(): PanelStore {
  const api = acquireVsCodeApi<SavedPanel>();
  const store = createPanelStore({
    post: (message: FromPanel) => api.postMessage(message),
    save: (saved) => void api.setState(saved),
    saved: api.getState(),
  });
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => store.receive(event.data));
  return store;
}
