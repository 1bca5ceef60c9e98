import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Place } from '../src/core/protocol.ts';
import { usePanel } from './usePanel.ts';
import type { VirtualSizes } from './virtualSizes.ts';

/** Whoever does one of these goes elsewhere by himself. */
const leaving = ['wheel', 'keydown', 'pointerdown'] as const;

/**
 * Keeps which item is the first in view and how far it is scrolled over, and goes back there when the page is made anew:
 * by the item, since heights are only guessed until they were seen. Called with each rendering of the list.
 */
export function useKeptPlace(
  scroll: RefObject<HTMLElement>,
  list: RefObject<HTMLElement>,
  keys: readonly string[],
  sizes: VirtualSizes,
): void {
  const { store } = usePanel();
  const goal = useRef<Place | undefined>(store.place);
  useEffect(() => {
    const target = scroll.current;
    if (!target) return;
    const keep = () => {
      if (!goal.current) store.keepPlace(placeIn(target, list.current));
    };
    const leave = () => (goal.current = undefined);
    target.addEventListener('scrollend', keep);
    for (const kind of leaving) target.addEventListener(kind, leave, { passive: true });
    return () => {
      target.removeEventListener('scrollend', keep);
      for (const kind of leaving) target.removeEventListener(kind, leave);
    };
  }, []);
  useLayoutEffect(() => {
    // Another round was chosen before this one was there.
    if (!store.place) goal.current = undefined;
    const target = scroll.current;
    const index = goal.current ? keys.indexOf(goal.current.key) : -1;
    if (!goal.current || !target || !list.current || index < 0) return;
    const item = itemAt(list.current, index);
    const before = target.scrollTop;
    const top = item ? topIn(target, item) : sizes.offset(index) + topIn(target, list.current);
    target.scrollTop = before + top + goal.current.offset;
    // There, and nothing above it was measured anew: what comes now is the reader's.
    if (item && target.scrollTop === before) goal.current = undefined;
  });
}

/** Pixels from the upper edge of what scrolls to an element in it; negative where that is scrolled over. */
function topIn(scroll: Element, element: Element): number {
  return element.getBoundingClientRect().top - scroll.getBoundingClientRect().top;
}

function itemAt(list: Element, index: number): Element | null {
  return list.querySelector(`[data-index="${index}"]`);
}

function placeIn(scroll: HTMLElement, list: HTMLElement | null): Place | undefined {
  if (!list || scroll.scrollTop === 0) return undefined;
  const items = [...list.querySelectorAll<HTMLElement>('[data-key]')];
  const first = items.find((item) => topIn(scroll, item) + item.offsetHeight > 0);
  const key = first?.dataset['key'];
  return first && key !== undefined ? { key, offset: -topIn(scroll, first) } : undefined;
}
