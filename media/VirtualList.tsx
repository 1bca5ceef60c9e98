import { type ComponentChild, Fragment, type RefObject } from 'preact';
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { memo } from './memo.ts';
import { useLater } from './useLater.ts';
import { useKeptPlace } from './useKeptPlace.ts';
import { indexOf, useListFocus } from './useListFocus.ts';
import { VirtualSizes } from './virtualSizes.ts';

/** Pixels beyond the visible part that are in the page: what find-in-page and screen readers meet of a long list. */
const beyond = 600;
/** The same while a list has just come: what is not seen can wait until what is seen was painted. */
const atFirst = 60;

interface Props<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /**
   * Asked again only for another item, or when the pointer or the focus comes to it or leaves it (`isActive`): what
   * else it needs it takes from a context or a stable function.
   */
  readonly render: (item: Item, isActive: boolean) => ComponentChild;
  /** The element that scrolls; the list stands at its beginning. */
  readonly scroll: RefObject<HTMLElement>;
  readonly label: string;
  /** Brought into view and given the focus, once; then `onRevealed`. */
  readonly wanted?: number | undefined;
  readonly onRevealed?: () => void;
  /** Enter on an item itself. */
  readonly onEnter?: (item: Item) => void;
}

/**
 * A list of any length: only what is seen, what has the focus and a little more is in the page; empty blocks stand for
 * the rest. Heights are measured; where a guess was wrong, the browser's scroll anchoring keeps what is seen in place.
 * One tab stop for all items: the arrow keys, Home and End go from one to the next.
 */
export function VirtualList<Item>(props: Props<Item>) {
  const { items, keyOf, render, scroll, label, wanted, onRevealed, onEnter } = props;
  const list = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => items.map(keyOf), [items]);
  const { sizes, view, observe } = useMeasured(keys, scroll);
  useKeptPlace(scroll, list, keys, sizes);
  const focus = useListFocus(list, keys, { wanted, onRevealed });
  const onKeyDown = (event: KeyboardEvent) => {
    const item = items[indexOf(event.target)];
    if (focus.go(event)) event.preventDefault();
    else if (event.key === 'Enter' && item !== undefined) onEnter?.(item);
  };
  const stop = focus.focusedAt < 0 ? sizes.range(view.top, view.bottom)[0] : focus.focusedAt;
  const margin = useLater(keys) ? beyond : atFirst;
  const shown = shownItems(sizes, view, margin, [stop, focus.goal ?? -1]);
  return (
    <div
      role="list"
      aria-label={label}
      class="virtual"
      ref={list}
      onFocusIn={focus.onFocusIn}
      onPointerOver={focus.onPointerOver}
      onPointerLeave={focus.onPointerLeave}
      onKeyDown={onKeyDown}
    >
      {shown.map((index, place) => (
        <Fragment key={keys[index]}>
          <Space pixels={sizes.offset(index) - sizes.offset((shown[place - 1] ?? -1) + 1)} />
          <div
            data-index={index}
            data-key={keys[index]}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={index + 1}
            tabIndex={index === stop ? 0 : -1}
            ref={observe}
          >
            <Item
              item={items[index]}
              render={render as (item: unknown, isActive: boolean) => ComponentChild}
              isActive={focus.isActive(keys[index])}
            />
          </div>
        </Fragment>
      ))}
      <Space pixels={sizes.offset(items.length) - sizes.offset((shown.at(-1) ?? -1) + 1)} />
    </div>
  );
}

interface ItemProps {
  readonly item: unknown;
  readonly render: (item: unknown, isActive: boolean) => ComponentChild;
  readonly isActive: boolean;
}

const Item = memo(({ item, render, isActive }: ItemProps) => render(item, isActive));

function Space({ pixels }: { readonly pixels: number }) {
  return pixels > 0 ? <div aria-hidden="true" style={{ height: `${pixels}px` }} /> : null;
}

interface View {
  readonly top: number;
  readonly bottom: number;
}

/** Indexes, ascending: what is in view, and those that are kept. */
function shownItems(
  sizes: VirtualSizes,
  { top, bottom }: View,
  margin: number,
  kept: readonly number[],
): number[] {
  const [from, to] = sizes.range(top - margin, bottom + margin);
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  const more = kept.filter((index) => index >= 0 && index < sizes.count && (index < from || index >= to));
  return more.length === 0 ? shown : [...new Set([...shown, ...more])].toSorted((a, b) => a - b);
}

/** The heights of the items that are in the page, and which part of the list is seen. */
function useMeasured(keys: readonly string[], scroll: RefObject<HTMLElement>) {
  const [sizes] = useState(() => new VirtualSizes());
  const [view, setView] = useState<View>({ top: 0, bottom: 800 });
  const [, drawAgain] = useReducer<number, void>((count) => count + 1, 0);
  sizes.setKeys(keys);
  const [observer] = useState(
    () =>
      new ResizeObserver((entries) => {
        let isChanged = false;
        for (const { target, borderBoxSize } of entries) {
          const index = Number((target as HTMLElement).dataset['index']);
          if (target.isConnected && sizes.measure(index, borderBoxSize[0]?.blockSize ?? 0)) isChanged = true;
        }
        if (isChanged) drawAgain();
      }),
  );
  useLayoutEffect(() => {
    const target = scroll.current;
    if (!target) return;
    let seen: View = { top: 0, bottom: 0 };
    const look = () => {
      const { scrollTop: top, clientHeight } = target;
      // Within what is drawn beyond the view there is nothing to do.
      if (Math.abs(top - seen.top) < beyond / 4 && top + clientHeight === seen.bottom + top - seen.top)
        return;
      seen = { top, bottom: top + clientHeight };
      setView(seen);
    };
    const resized = new ResizeObserver(look);
    resized.observe(target);
    target.addEventListener('scroll', look, { passive: true });
    return () => {
      resized.disconnect();
      observer.disconnect();
      target.removeEventListener('scroll', look);
    };
  }, []);
  const [observe] = useState(() => (element: HTMLElement | null) => {
    if (element) observer.observe(element);
  });
  return { sizes, view, observe };
}
