import type { PanelWords } from '../../src/core/panelWords.ts';
import type { FromPanel, SavedPanel, ToPanel } from '../../src/core/protocol.ts';
import { parseFromPanel } from '../../src/entry/vscode/fromPanel.ts';
import {
  createPanelChannel,
  type PanelSessions,
  type Registration,
} from '../../src/entry/vscode/panelChannel.ts';
import { createPanelStore, type PanelStore } from '../../media/panelStore.ts';

/** Timers that the test runs: no clock, no waiting. */
export function createTimers() {
  let queue: { run: () => void; ms: number }[] = [];
  return {
    schedule: (run: () => void, ms: number): Registration => {
      const entry = { run, ms };
      queue.push(entry);
      return { dispose: () => void (queue = queue.filter((one) => one !== entry)) };
    },
    /** Runs all that is due, once. Says after how many milliseconds each had asked to run. */
    tick: (): number[] => {
      const due = queue;
      queue = [];
      for (const one of due) one.run();
      return due.map((one) => one.ms);
    },
    waiting: () => queue.length,
  };
}

/**
 * A webview between the host's channel and the panel's store: messages are copied as `postMessage` copies
 * them; the page can be hidden (destroyed), shown again with its saved state, and can lose a message.
 */
export function createPanelLink(sessions: PanelSessions) {
  const timers = createTimers();
  const posted: ToPanel[] = [];
  const asked: FromPanel[] = [];
  let toHost: ((raw: unknown) => void) | undefined;
  let page: PanelStore | undefined;
  let saved: SavedPanel | undefined;
  let isLossy = false;
  const channel = createPanelChannel(
    {
      post: (message) => {
        if (!page) return Promise.resolve(false);
        const copy = structuredClone(message);
        posted.push(copy);
        if (!isLossy) page.receive(copy);
        return Promise.resolve(true);
      },
      onMessage: (listener) => {
        toHost = (raw: unknown) => {
          const message = parseFromPanel(raw);
          if (message) listener(message);
        };
        return { dispose: () => void (toHost = undefined) };
      },
    },
    sessions,
    { words: () => ({}) as PanelWords, schedule: timers.schedule },
  );
  return {
    posted,
    asked,
    timers,
    channel,
    /** Anything a page may send. */
    send: (raw: unknown) => toHost?.(raw),
    get page(): PanelStore {
      if (!page) throw new Error('the panel is hidden');
      return page;
    },
    get saved() {
      return saved;
    },
    show: (from: SavedPanel | undefined = saved) => {
      const early: FromPanel[] = [];
      let isOpen = false;
      const deliver = (message: FromPanel) => {
        asked.push(message);
        if (isOpen) toHost?.(structuredClone(message));
        else early.push(message);
      };
      page = createPanelStore({
        post: deliver,
        save: (state) => (saved = structuredClone(state)),
        saved: from,
      });
      isOpen = true;
      for (const message of early) toHost?.(structuredClone(message));
    },
    hide: () => (page = undefined),
    losing: (run: () => void) => {
      isLossy = true;
      run();
      isLossy = false;
    },
    /** Until nothing is left to be sent. */
    settle: async () => {
      for (let round = 0; round < 1000 && timers.waiting() > 0; round++) {
        timers.tick();
        await Promise.resolve();
      }
    },
  };
}
