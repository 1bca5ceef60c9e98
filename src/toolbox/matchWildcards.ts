/** In a pattern: any number of items, also none. */
export const many = Symbol('many');

/**
 * Does the pattern match all items? In time proportional to pattern × items, whatever they are: only the last
 * `many` is ever tried again, since an earlier one could not help where it did not.
 */
export function matchWildcards<P, T>(
  pattern: readonly (P | typeof many)[],
  items: readonly T[],
  matchesOne: (part: P, item: T) => boolean,
): boolean {
  let at = 0;
  let retry: { readonly at: number; from: number } | undefined;
  for (let i = 0; i < items.length;) {
    const part = pattern[at];
    if (part === many) {
      retry = { at: ++at, from: i };
    } else if (at < pattern.length && matchesOne(part as P, items[i]!)) {
      at++;
      i++;
    } else if (retry) {
      at = retry.at;
      i = ++retry.from;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((part) => part === many);
}
