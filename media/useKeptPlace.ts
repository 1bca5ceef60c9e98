import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Place } from '../src/core/protocol.ts';
import { usePanel } from './usePanel.ts';
import type { VirtualSizes } from './virtualSizes.ts';

/** Whoever does one of these goes elsewhere by himself. */
export const leaving = ['wheel', 'keydown', 'pointerdown'] as const;
/** What stands below a list has no item of it: it is told by its distance from the list's end. */
const belowList = '';

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
  const goBack = useRef<() => void>(() => undefined);
  goBack.current = () => {
    // Another round was chosen before this one was there.
    if (!store.place) goal.current = undefined;
    const target = scroll.current;
    const index = goal.current ? indexOf(keys, goal.current) : -1;
    if (!goal.current || !target || !list.current || index < 0) return;
    const isBelow = index === keys.length;
    const item = isBelow ? list.current : itemAt(list.current, index);
    const before = target.scrollTop;
    const top = isBelow
      ? endIn(target, list.current)
      : item
        ? topIn(target, item)
        : sizes.offset(index) + topIn(target, list.current);
    const wanted = before + top + goal.current.offset;
    target.scrollTop = wanted;
    // There, and nothing above it was measured anew: what comes now is the reader's. What stands below comes late.
    const isThere = item && target.scrollTop === before && (!isBelow || Math.abs(wanted - before) < 1);
    if (isThere) goal.current = undefined;
  };
  useEffect(() => {
    const target = scroll.current;
    if (!target) return;
    const keep = () => {
      if (!goal.current) store.keepPlace(placeIn(target, list.current));
    };
    const leave = () => (goal.current = undefined);
    const resized = new ResizeObserver(() => goBack.current());
    if (list.current?.parentElement) resized.observe(list.current.parentElement);
    target.addEventListener('scrollend', keep);
    for (const kind of leaving) target.addEventListener(kind, leave, { passive: true });
    return () => {
      resized.disconnect();
      target.removeEventListener('scrollend', keep);
      for (const kind of leaving) target.removeEventListener(kind, leave);
    };
  }, []);
  useLayoutEffect(() => goBack.current());
}

/** -1 for an item that is not there, or not yet. */
function indexOf(keys: readonly string[], { key }: Place): number {
  return key === belowList ? keys.length : keys.indexOf(key);
}

/** Pixels from the upper edge of what scrolls to the end of an element in it. */
function endIn(scroll: Element, element: Element): number {
  return element.getBoundingClientRect().bottom - scroll.getBoundingClientRect().top;
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
  if (!first) return { key: belowList, offset: -endIn(scroll, list) };
  return { key: first.dataset['key'] ?? belowList, offset: -topIn(scroll, first) };
}
