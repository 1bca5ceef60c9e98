/** A text without the quotes, blanks and sentence marks around it. */
export function unquoted(text: string): string {
  return text.trim().replace(/^[\s"'“‘「『`]+|[\s"'”’」』`.,，。!！?？]+$/g, '');
}
