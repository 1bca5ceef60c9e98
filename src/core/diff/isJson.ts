/** Whether a text is JSON, however deep; the value is not wanted. Never throws. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
