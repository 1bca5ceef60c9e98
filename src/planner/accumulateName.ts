/**
 * A streamed function name with one more fragment. Some servers send the whole name again with every delta,
 * others really split it: the same text is a repetition, a text that begins with what is held is a
 * longer version of it, anything else goes on from it.
 */
export function joinName(held: string, next: string): string {
  if (next === held) return held;
  return next.startsWith(held) ? next : held + next;
}
