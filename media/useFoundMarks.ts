import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Marks drawn at most: what is in the page of a long list is little. */
const mostMarks = 2000;

/** Marks every place of a text in an element, also in what is drawn into it later. Changes nothing in the page itself. */
export function useFoundMarks(root: RefObject<HTMLElement>, text: string): void {
  useEffect(() => {
    const element = root.current;
    // Older engines have no highlights; what was found is then read without them.
    if (!element || text === '' || typeof Highlight === 'undefined') return;
    const draw = () => CSS.highlights.set('found', new Highlight(...rangesOf(element, text.toLowerCase())));
    const observer = new MutationObserver(draw);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    draw();
    return () => {
      observer.disconnect();
      CSS.highlights.delete('found');
    };
  });
}

function rangesOf(element: HTMLElement, text: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && ranges.length < mostMarks; node = walker.nextNode()) {
    const own = node.nodeValue?.toLowerCase() ?? '';
    for (
      let at = own.indexOf(text);
      at >= 0 && ranges.length < mostMarks;
      at = own.indexOf(text, at + text.length)
    ) {
      const range = document.createRange();
      // Lower case may be longer than the text it is of.
      const end = Math.min(at + text.length, node.nodeValue?.length ?? 0);
      range.setStart(node, Math.min(at, end));
      range.setEnd(node, end);
      ranges.push(range);
    }
  }
  return ranges;
}
