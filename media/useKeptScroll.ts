import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Scrolled } from '../src/core/protocol.ts';
import { leaving } from './useKeptPlace.ts';
import { usePanel } from './usePanel.ts';

/**
 * Keeps how far something is scrolled that is no list, and goes back there when the page is made anew: again with all
 * that comes late (texts that are fetched, answers of the host), until somebody scrolls. `scroll`: the element; absent: the
 * page.
 */
export function useKeptScroll(what: keyof Scrolled, scroll?: RefObject<HTMLElement>): void {
  const { store } = usePanel();
  useEffect(() => {
    const target = scroll ? scroll.current : document.scrollingElement;
    const content = scroll ? target?.firstElementChild : document.body;
    if (!target || !content) return;
    const source = scroll ? target : document;
    let goal = store.scrolled[what];
    const goBack = () => {
      // Forgotten since: something else is shown there.
      if (store.scrolled[what] !== goal) goal = undefined;
      if (goal !== undefined && target.scrollTop !== goal) target.scrollTop = goal;
    };
    const keep = () => {
      if (goal === undefined) store.keepScrolled(what, target.scrollTop);
    };
    const leave = () => (goal = undefined);
    const resized = new ResizeObserver(goBack);
    resized.observe(content);
    source.addEventListener('scrollend', keep);
    for (const kind of leaving) window.addEventListener(kind, leave, { passive: true });
    return () => {
      resized.disconnect();
      source.removeEventListener('scrollend', keep);
      for (const kind of leaving) window.removeEventListener(kind, leave);
    };
  }, []);
}
