import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { currentRun } from '../src/core/journalState.ts';
import type { NewestThing } from './newestThing.ts';
import { leaving } from './useKeptPlace.ts';
import { usePanel } from './usePanel.ts';

/** Pixels by which the end may be missed and still be the end. */
const nearly = 8;

/**
 * Brings what came last into view, as a log does: the reply, then the call that is next, then what it answered. Not for
 * somebody who reads elsewhere: who scrolled away (until he scrolls back to it, or to the end), whose focus or
 * selection is in what would move, who searches. The focus stays where it is. `of`: another one is read from its top.
 */
export function useFollowedRun(scroll: RefObject<HTMLElement>, of: unknown, newest: NewestThing | undefined) {
  const { store } = usePanel();
  const goal = useRef<NewestThing>();
  const isAway = useRef(false);
  const latest = useRef(newest);
  latest.current = newest;
  // Of a run that is over nothing comes: its last round is read from its top like the others.
  const [atFirst] = useState(currentRun(store.state)?.ended ? newest?.key : undefined);
  const bring = () => {
    if (!scroll.current || !goal.current) return;
    if (isBusy(scroll.current, store.looks.find)) goal.current = undefined;
    else bringIntoView(scroll.current, goal.current);
  };
  useLayoutEffect(() => {
    isAway.current = false;
    goal.current = undefined;
  }, [of]);
  useLayoutEffect(() => {
    if (!newest || newest.key === store.followed || newest.key === atFirst) return;
    store.follow(newest.key);
    goal.current = isAway.current ? undefined : newest;
    bring();
  }, [of, newest?.key, store.followed]);
  useEffect(() => {
    const target = scroll.current;
    if (!target) return;
    let isByHand = false;
    const leave = () => {
      isByHand = true;
      goal.current = undefined;
    };
    const arrive = () => {
      if (isByHand) isAway.current = !isSeen(target, latest.current);
      isByHand = false;
    };
    // What comes after the round was painted, and what is measured anew, must not push it out of view again.
    const resized = new ResizeObserver(bring);
    for (const one of [target, target.firstElementChild]) if (one) resized.observe(one);
    for (const kind of leaving) window.addEventListener(kind, leave, { passive: true });
    target.addEventListener('scrollend', arrive);
    document.addEventListener('scrollend', arrive);
    return () => {
      resized.disconnect();
      for (const kind of leaving) window.removeEventListener(kind, leave);
      target.removeEventListener('scrollend', arrive);
      document.removeEventListener('scrollend', arrive);
    };
  }, []);
}

/** Somebody is at work in what would move, or looks for something. */
function isBusy(scroll: HTMLElement, find: string): boolean {
  const selection = document.getSelection();
  const isSelected = selection?.isCollapsed === false && scroll.contains(selection.anchorNode);
  if (find !== '' || isSelected) return true;
  // In the editor most stops come while the focus is in another part of the window.
  const active = document.hasFocus() ? document.activeElement : null;
  return active !== null && (scroll.contains(active) || active.closest('.find') !== null);
}

/** Who is at the end, or has not begun to read, goes on with the run. */
function isSeen(scroll: HTMLElement, newest: NewestThing | undefined): boolean {
  const { scrollTop, clientHeight, scrollHeight } = scroll;
  if (scrollTop + clientHeight >= scrollHeight - nearly) return true;
  const element = newest && elementOf(scroll, newest);
  return element ? wayTo(element, scroll.getBoundingClientRect()) === 0 : scrollTop === 0;
}

/** First in the list, then in a panel that is so low that it scrolls as a whole: above the card of the pause. */
function bringIntoView(scroll: HTMLElement, newest: NewestThing): void {
  const element = elementOf(scroll, newest);
  if (!element) return;
  const inList = wayTo(element, scroll.getBoundingClientRect());
  if (inList !== 0) scroll.scrollTop += inList;
  const card = document.querySelector('.card')?.getBoundingClientRect();
  const inPage = wayTo(element, { top: 0, bottom: Math.min(window.innerHeight, card?.top ?? Infinity) });
  if (inPage !== 0) window.scrollBy(0, inPage);
}

/** The reply with all its calls where that fits: what a call answers is read with what was asked. */
function elementOf(scroll: HTMLElement, { call }: NewestThing): Element | null {
  const reply = scroll.querySelector('.reply:not(.aside)');
  if (call === undefined || !reply || reply.clientHeight <= scroll.clientHeight) return reply;
  return reply.querySelector(`[data-call="${call}"]`);
}

/** Pixels to scroll by until an element is seen whole, or from its beginning where it is too high for that. */
function wayTo(element: Element, view: { readonly top: number; readonly bottom: number }): number {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < view.top || bottom - top > view.bottom - view.top) return Math.round(top - view.top);
  return Math.max(0, Math.round(bottom - view.bottom));
}
