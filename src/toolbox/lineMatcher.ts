import type { AbortSignalLike } from '../core/ports.ts';
import { regexMatcher } from './regexMatcher.ts';

/** Finds the lines of one text after the other that match a query. */
export interface LineMatcher {
  /** Hits in order, at most `limit`: index of the line, and where in it. Throws `ToolError`. */
  match(lines: readonly string[], limit: number): Promise<readonly Hit[]>;
  /** To be called when no more texts follow. */
  close(): Promise<void>;
}

export type Hit = readonly [line: number, at: number];

/** Throws `ToolError` for a query that can't match. */
export function lineMatcher(query: string, regex: boolean, signal: AbortSignalLike): LineMatcher {
  return regex ? regexMatcher(query, signal) : plainMatcher(query);
}

/** A query in lower case matches any case; with a capital in it, it means what it says. */
function plainMatcher(query: string): LineMatcher {
  const anyCase = query.toLowerCase() === query;
  return {
    match: async (lines, limit) => {
      const hits: Hit[] = [];
      for (let i = 0; i < lines.length && hits.length < limit; i++) {
        const at = (anyCase ? lines[i]!.toLowerCase() : lines[i]!).indexOf(query);
        if (at >= 0) hits.push([i, at]);
      }
      return hits;
    },
    close: async () => {},
  };
}
