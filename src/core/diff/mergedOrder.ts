/**
 * Two lists read as one, as a diff is read: in the order of the new list, and what went stands where it
 * stood, before what came in its place: the order of a merged listing, as `diff -D` and unified hunks have it.
 * One walk over both; what moved stands at its new place. https://www.gnu.org/software/diffutils/manual/
 */

/** An item of the old list, of the new one, or of both; indexes, and undefined where it is not. */
export type VisitMerged = (from: number | undefined, to: number | undefined) => void;

/** So many items in a row, each next to the one before in every list that it is in. */
export type VisitRun = (from: number | undefined, to: number | undefined, count: number) => void;

/** `partners` has for each new item the index of its old one, or -1; they may be out of order. */
export function mergedOrder(oldCount: number, partners: ArrayLike<number>, visit: VisitMerged): void {
  mergedRuns(oldCount, partners, (from, to, count) => {
    for (let index = 0; index < count; index++)
      visit(from === undefined ? undefined : from + index, to === undefined ? undefined : to + index);
  });
}

/** The same by runs, each as long as it can be: two lists that are nearly the same are a few of them. */
export function mergedRuns(oldCount: number, partners: ArrayLike<number>, visit: VisitRun): void {
  const isKept = new Uint8Array(oldCount);
  for (let to = 0; to < partners.length; to++) if (partners[to]! >= 0) isKept[partners[to]!] = 1;
  let at = 0;
  const passGone = (until: number) => {
    while (at < until || (at < oldCount && !isKept[at])) {
      const start = at;
      while (at < oldCount && !isKept[at]) at++;
      if (at > start) visit(start, undefined, at - start);
      else at++;
    }
  };
  for (let to = 0; to < partners.length;) {
    const from = partners[to]!;
    passGone(from < 0 ? at : from);
    let end = to + 1;
    if (from < 0) while (end < partners.length && partners[end]! < 0) end++;
    else while (end < partners.length && partners[end] === from + end - to) end++;
    visit(from < 0 ? undefined : from, to, end - to);
    if (from >= 0) at = Math.max(at, from + end - to);
    to = end;
  }
  passGone(oldCount);
}
