/**
 * Characters of JSON that a tool with a long answer fills: below the 4,000 that an observation may have, so
 * that a page ends where the tool says it ends, and not in a gap that the cap tore into it.
 */
const room = 3_500;

/** As many items from the front as fit into one observation, the first one always. */
export function takeFitting<T>(items: readonly T[]): readonly T[] {
  let used = 0;
  const end = items.findIndex((item, index) => {
    used += JSON.stringify(item).length + 1;
    return index > 0 && used > room;
  });
  return end < 0 ? items : items.slice(0, end);
}
