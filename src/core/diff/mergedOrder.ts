/**
 * Two lists read as one, as a diff is read: in the order of the new list, and what went stands where it
 * stood, before what came in its place.
 */

/** An item of the old list, of the new one, or of both; indexes, and undefined where it is not. */
export type VisitMerged = (from: number | undefined, to: number | undefined) => void;

/** `partners` has for each new item the index of its old one, or -1; they may be out of order. */
export function mergedOrder(oldCount: number, partners: ArrayLike<number>, visit: VisitMerged): void {
  const isKept = new Uint8Array(oldCount);
  for (let to = 0; to < partners.length; to++) if (partners[to]! >= 0) isKept[partners[to]!] = 1;
  let at = 0;
  const passGone = (until: number) => {
    for (; at < until || (at < oldCount && !isKept[at]); at++) if (!isKept[at]) visit(at, undefined);
  };
  for (let to = 0; to < partners.length; to++) {
    const from = partners[to]!;
    passGone(from < 0 ? at : from);
    visit(from < 0 ? undefined : from, to);
    if (from >= at) at = from + 1;
  }
  passGone(oldCount);
}
