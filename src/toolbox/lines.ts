/** Line breaks as VS Code counts them. */
const lineBreak = /\r\n|\n|\r/;

/** The lines of a text without their breaks; a break at the end starts no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(lineBreak);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The lines of a text with their breaks as they are: joined they are the text. */
export function rawLines(text: string): string[] {
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}
