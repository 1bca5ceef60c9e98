import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Wanted {
  /** The item to bring into view and to give the focus, once; then `onRevealed`. */
  readonly wanted?: number | undefined;
  readonly onRevealed?: (() => void) | undefined;
}

/**
 * The focus in a list whose items are `[data-index]` elements, of which not all are in the page: where it is, and the
 * keys that take it from one item to another.
 */
export function useListFocus(
  list: RefObject<HTMLElement>,
  keys: readonly string[],
  { wanted, onRevealed }: Wanted,
) {
  const [focused, setFocused] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  const [aim, setAim] = useState<number>();
  const goal = wanted ?? aim;
  useEffect(() => {
    if (goal === undefined) return;
    const element = list.current?.querySelector<HTMLElement>(`[data-index="${goal}"]`);
    element?.scrollIntoView({ block: 'nearest' });
    element?.focus({ preventScroll: true });
    setAim(undefined);
    if (wanted !== undefined) onRevealed?.();
  }, [goal]);
  const keyAt = ({ target }: Event) => keys[indexOf((target as HTMLElement).closest('[data-index]'))];
  return {
    /** Has to be in the page: it is about to get the focus. */
    goal,
    /** Stays in the page, however far it is scrolled away: the focus would fall back to the page. */
    focusedAt: focused === undefined ? -1 : keys.indexOf(focused),
    /** The pointer or the focus is with it. */
    isActive: (key: string | undefined) => key === focused || key === pointed,
    onFocusIn: (event: FocusEvent) => setFocused(keyAt(event)),
    onPointerOver: (event: PointerEvent) => setPointed(keyAt(event)),
    onPointerLeave: () => setPointed(undefined),
    /** Goes where a key leads from the item that has the focus; false for another key, or one within an item. */
    go: ({ key, target }: KeyboardEvent): boolean => {
      const next = nextOf(key, indexOf(target), keys.length);
      if (next !== undefined) setAim(next);
      return next !== undefined;
    },
  };
}

/** The place of an item by its element; -1 for what is no item. */
export function indexOf(element: EventTarget | null): number {
  return Number((element as HTMLElement | null)?.dataset['index'] ?? -1);
}

function nextOf(key: string, index: number, count: number): number | undefined {
  if (index < 0) return undefined;
  if (key === 'ArrowDown') return Math.min(count - 1, index + 1);
  if (key === 'ArrowUp') return Math.max(0, index - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
