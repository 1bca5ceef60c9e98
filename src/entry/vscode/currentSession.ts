import * as vscode from 'vscode';
import type { PanelSession } from './panelChannel.ts';

/** What the panels follow: what was begun or shown last, and when that goes, what was before it. */
export interface CurrentSession {
  readonly session: PanelSession | undefined;
  /** Another became the current one, or what is known of one changed. */
  readonly onDidChange: vscode.Event<void>;
  set(session: PanelSession): void;
  /** What is known of a session changed, also of another; the current one may be gone. */
  readonly touch: () => void;
}

/** @param get one that is there still */
export function createCurrentSession(get: (id: string) => PanelSession | undefined): CurrentSession {
  const changed = new vscode.EventEmitter<void>();
  let session: PanelSession | undefined;
  /** Ids, each once, the one that was current last at the end. */
  let order: readonly string[] = [];
  return {
    get session() {
      return session;
    },
    onDidChange: changed.event,
    set(next) {
      if (next === session) return;
      order = [...order.filter((id) => id !== next.id), next.id];
      session = next;
      changed.fire();
    },
    touch() {
      order = order.filter((id) => get(id));
      if (session && get(session.id) !== session) session = get(order.at(-1) ?? '');
      changed.fire();
    },
  };
}
