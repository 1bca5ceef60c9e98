/** Lines that are looked at, and places that are told. */
const longest = 20_000;
const told = 3;

/**
 * Where a text that is not in a file nearly is, in words for the model: where only white space, quotes or case differ, else
 * where the line that says most of it, or one much like it, stands. Both texts have LF.
 */
export function nearMatches(text: string, wanted: string): string {
  const lines = text.split('\n', longest);
  const pieces = trimBlank(wanted.split('\n'));
  if (pieces.length === 0) return 'Read the file again and copy the text as it is there';
  const folded = pieces.map(fold);
  const alike = placesWhere(lines.map(fold), folded);
  if (alike.length > 0)
    return `It differs only in white space, quotes or case at ${placeWords(alike, lines, pieces.length)}: copy it as it is there`;
  const best = mostAlike(lines.map(fold), longestOf(folded));
  return best.length > 0
    ? `The nearest is at ${placeWords(best, lines, 1)}: read it there and copy it as it is`
    : 'Nothing like it is in the file: read the file again';
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.trim() !== '');
  const end = lines.findLastIndex((line) => line.trim() !== '');
  return start < 0 ? [] : lines.slice(start, end + 1);
}

/** What is easily mistaken for one another becomes the same. */
function fold(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u201b`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, '')
    .toLowerCase();
}

/** The first and last piece may be parts of their lines. */
function placesWhere(lines: readonly string[], pieces: readonly string[]): readonly number[] {
  const places: number[] = [];
  const last = pieces.length - 1;
  const matches = (line: string, piece: string, index: number) => {
    if (last === 0) return line.includes(piece);
    if (index === 0) return line.endsWith(piece);
    return index === last ? line.startsWith(piece) : line === piece;
  };
  for (let at = 0; at + last < lines.length && places.length < told; at++)
    if (pieces.every((piece, index) => matches(lines[at + index]!, piece, index))) places.push(at);
  return places;
}

function longestOf(pieces: readonly string[]): string {
  return pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
}

/** Lines that share at least half of their pairs of letters with the text, the most alike ones. */
function mostAlike(lines: readonly string[], piece: string): readonly number[] {
  const wanted = pairsOf(piece);
  if (wanted.size === 0) return [];
  return lines
    .map((line, at) => ({ at, score: likeness(pairsOf(line), wanted) }))
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, told)
    .map(({ at }) => at);
}

function pairsOf(line: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < Math.min(line.length, 500); at++) pairs.add(line.slice(at, at + 2));
  return pairs;
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let same = 0;
  for (const pair of a) if (b.has(pair)) same++;
  return (2 * same) / (a.size + b.size || 1);
}

function placeWords(places: readonly number[], lines: readonly string[], height: number): string {
  const words = places.map((at) => (height === 1 ? `line ${at + 1}` : `lines ${at + 1}–${at + height}`));
  const shown = JSON.stringify(lines[places[0]!]!.slice(0, 120));
  return `${words.join(', ')} (${shown})`;
}
