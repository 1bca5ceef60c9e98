import type { CountTokens, ToolSpec } from '../core/ports.ts';
import { scaled } from './packInput.ts';
import { toolsText } from './request.ts';

export interface ToolTokens {
  /** Of each tool, in order: what it adds to those before it. They add up to `total`. */
  readonly each: readonly number[];
  readonly total: number;
}

/**
 * What tools cost in a request, in tokens of the meter: the numbers of a packing's `fixed.tools`.
 *
 * @param factor tokens of the meter for one of our own count
 */
export function toolTokens(
  tools: readonly ToolSpec[],
  countTokens: CountTokens,
  { factor = 1, strict = true } = {},
): ToolTokens {
  const count = (some: readonly ToolSpec[]) => countTokens(toolsText(some, strict));
  // What stands before the neighbour changes nothing in how a tool is cut into tokens: two are enough to count one.
  let sum = 0;
  const each = tools.map((tool, index) => {
    const before = tools.slice(Math.max(0, index - 1), index);
    const next = sum + count([...before, tool]) - (before.length === 0 ? 0 : count(before));
    const tokens = scaled(next, factor) - scaled(sum, factor);
    sum = next;
    return tokens;
  });
  return { each, total: tools.length === 0 ? 0 : scaled(sum, factor) };
}
