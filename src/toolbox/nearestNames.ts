/**
 * The names that someone who wrote `name` may have meant, best first, at most three: few edits away,
 * or one contained in the other (`functions.calculator`).
 */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase().slice(0, 100);
  const scored = known.map((one) => ({ one, distance: distance(wanted, one.toLowerCase()) }));
  return scored
    .filter(({ distance }) => distance <= 3)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one);
}

function distance(a: string, b: string): number {
  const shorter = a.length < b.length ? a : b;
  if (shorter.length > 3 && (a.includes(b) || b.includes(a))) return 1;
  const edits = editDistance(a, b);
  // A third of a short name in edits makes another name of it.
  return edits * 2 <= Math.max(a.length, b.length) ? edits : Infinity;
}

/** Insertions, deletions, substitutions (Levenshtein), one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
