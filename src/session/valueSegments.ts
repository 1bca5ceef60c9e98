/** Keys whose values hold a message together: who speaks, and which result answers which call. */
const structural = new Set(['role', 'type', 'id', 'tool_call_id', 'name']);
/** Escapes, and with them quotes of JSON inside JSON: nothing is matched across them. */
const escape = /\\+(?:u[\da-fA-F]{4}|.)/gs;

/**
 * Where free text stands in a JSON text: the pieces of its string values between escapes, with their place. Whatever
 * is replaced inside of them, the text stays JSON. A text without quotes is one piece.
 */
export function* valueSegments(text: string): Generator<readonly [offset: number, segment: string]> {
  if (!text.includes('"')) {
    yield [0, text];
    return;
  }
  let key = '';
  for (let open = text.indexOf('"'); open >= 0;) {
    const close = closingQuote(text, open + 1);
    const content = text.slice(open + 1, close);
    const isKey = /^\s*:/.test(text.slice(close + 1, close + 9));
    if (!isKey && !structural.has(key)) yield* pieces(content, open + 1);
    key = isKey ? content : '';
    open = text.indexOf('"', close + 1);
  }
}

/** The quote that ends a string that began before `from`; the end of the text where there is none. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

function* pieces(content: string, offset: number): Generator<readonly [number, string]> {
  let at = 0;
  for (const { index, 0: matched } of content.matchAll(escape)) {
    if (index > at) yield [offset + at, content.slice(at, index)];
    at = index + matched.length;
  }
  if (at < content.length) yield [offset + at, content.slice(at)];
}
