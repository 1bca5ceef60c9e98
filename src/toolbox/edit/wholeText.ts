import { keepBreaks } from './keepBreaks.ts';
import { lfText } from './lfText.ts';

/** A new text for a whole file. Lines that stay keep their breaks; in a file without any, they are as written. */
export function wholeText(original: string, content: string): string {
  const found = /\r\n|\n/.exec(original)?.[0];
  if (found === undefined && /\r/.test(original) && !content.includes('\r'))
    return keepBreaks(original, content, '\r', true);
  return found === undefined ? content : keepBreaks(original, lfText(content).text, found);
}
