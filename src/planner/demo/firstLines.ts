import { excerpt } from './skill.ts';

const shownLines = 20;

/** The first lines of a text, each cut to a width that reads; how many more there are is said. */
export function firstLines(text: string): string {
  const lines = text.split('\n');
  const shown = lines.slice(0, shownLines).map((line) => excerpt(line, 160));
  return lines.length > shownLines
    ? [...shown, `… (+${lines.length - shownLines})`].join('\n')
    : shown.join('\n');
}
