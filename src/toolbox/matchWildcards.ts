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

/**
 * May the pattern match, where `many` among the items stands for any number of unknown ones? In time proportional to
 * pattern × items.
 */
export function mayMatch<P, T>(
  pattern: readonly (P | typeof many)[],
  items: readonly (T | typeof many)[],
  matchesOne: (part: P, item: T) => boolean,
): boolean {
  // By place in the pattern: whether the rest of it may match the rest of the items, from the last item back.
  let after = pattern.map((_, at) => pattern.slice(at).every((part) => part === many));
  after.push(true);
  for (const item of items.toReversed()) {
    const now: boolean[] = Array.from({ length: pattern.length + 1 });
    now[pattern.length] = item === many && after[pattern.length]!;
    for (let at = pattern.length - 1; at >= 0; at--) {
      const part = pattern[at]!;
      if (part === many) now[at] = now[at + 1]! || after[at]!;
      else if (item === many) now[at] = after[at]! || now[at + 1]!;
      else now[at] = after[at + 1]! && matchesOne(part, item);
    }
    after = now;
  }
  return after[0]!;
}
