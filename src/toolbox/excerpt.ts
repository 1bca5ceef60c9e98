/** Units of a line that a match shows. */
const shown = 200;
const before = 60;

/** A line as a match shows it: whole when short, else the part around the match, never half a character. */
export function excerpt(line: string, at: number): string {
  if (line.length <= shown) return line;
  const start = Math.max(0, Math.min(at - before, line.length - shown));
  const from = inPair(line, start) ? start + 1 : start;
  const end = Math.min(line.length, start + shown);
  const to = inPair(line, end) ? end - 1 : end;
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`;
}

function inPair(text: string, index: number): boolean {
  return index > 0 && index < text.length && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
