/**
 * JSON text of a value that was parsed from JSON: there is nothing in it that JSON can't carry, so the views do without
 * the total serialiser. Empty for one that is nested deeper than the engine can write.
 */
export function jsonOfParsed(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}
