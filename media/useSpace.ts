import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** How wide an element is and how far it is scrolled sideways, in pixels; renders again when that changes. */
export function useSpace(element: RefObject<HTMLElement>): {
  readonly space: number;
  readonly scrolled: number;
} {
  const [measured, setMeasured] = useState({ space: 0, scrolled: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const measure = () => setMeasured({ space: target.clientWidth, scrolled: target.scrollLeft });
    const look = () => setMeasured(({ space }) => ({ space, scrolled: target.scrollLeft }));
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    target.addEventListener('scroll', look, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', look);
    };
  }, []);
  return measured;
}
