/**
 * The judge of what is JSON is the parser that every reader of these texts uses: a checker of our own would draw the
 * line elsewhere. The value is thrown away, so that no more of a text is kept than the places of what is in it.
 * https://tc39.es/ecma262/#sec-json.parse
 */

/** Whether a text is JSON, however deep. Never throws. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
