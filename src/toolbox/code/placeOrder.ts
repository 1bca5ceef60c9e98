/** What language services found, in one order: the same answer is the same text. */

const noMatch = 3;

/** How well a name fits what was asked for: 0 the same, 1 begins so, 2 has it in it; services find looser ones. */
function rankOf(name: string, wanted: string): number {
  const [a, b] = [name.toLowerCase(), wanted.toLowerCase()];
  return name === wanted ? 0 : a.startsWith(b) ? 1 : a.includes(b) ? 2 : noMatch;
}

export function isNameLike(name: string, wanted: string): boolean {
  return rankOf(name, wanted) < noMatch;
}

interface Placed {
  readonly name?: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** By how well the name fits where one was asked for, then by place; what several services tell of is there once. */
export function inOrder<T extends Placed>(found: readonly T[], wanted?: string): readonly T[] {
  const seen = new Set<string>();
  return found
    .toSorted((a, b) => compare(a, b, wanted))
    .filter(({ name, path, line, column }) => {
      const key = JSON.stringify([name, path, line, column]);
      return !seen.has(key) && seen.add(key);
    });
}

function compare(a: Placed, b: Placed, wanted?: string): number {
  const fit = wanted === undefined ? 0 : rankOf(a.name ?? '', wanted) - rankOf(b.name ?? '', wanted);
  if (fit !== 0) return fit;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
