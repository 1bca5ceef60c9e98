import type { ReferenceTarget } from '../../core/services.ts';
import { excerpt } from '../excerpt.ts';
import { ToolError } from '../toolError.ts';

/**
 * The column (from 1) at which a symbol is meant: the one that was given, if it stands there, else the only one or the
 * first as a whole word. Throws with the line where it does not stand in it.
 */
export function columnOf(line: string, { symbol, column, line: number }: ReferenceTarget): number {
  const places: number[] = [];
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) places.push(at);
  const quoted = JSON.stringify(symbol);
  if (places.length === 0)
    throw new ToolError(`${quoted} does not stand in line ${number}: ${JSON.stringify(excerpt(line, 0))}`);
  if (column !== undefined) {
    if (places.includes(column - 1)) return column;
    const columns = places.slice(0, 20).map((at) => at + 1);
    throw new ToolError(`${quoted} does not stand at column ${column}, but at ${columns.join(', ')}`);
  }
  const whole = places.find((at) => isEdge(line, at) && isEdge(line, at + symbol.length));
  return (whole ?? places[0]!) + 1;
}

/** Between two characters of a name is no edge. */
function isEdge(line: string, at: number): boolean {
  return !(/[\p{L}\p{N}_$]$/u.test(line.slice(0, at)) && /^[\p{L}\p{N}_$]/u.test(line.slice(at)));
}
