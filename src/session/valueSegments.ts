/** Escapes, and with them quotes of JSON inside JSON: nothing is matched across them. */
const escape = /\\+(?:u[\da-fA-F]{4}|.)/gs;

/** Who speaks: a word of the API's, wherever it stands for that. */
const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);
/** Lists whose items have a type and may hold a function with a name, in a message or a request. */
const lists = new Set(['tools', 'tool_calls', 'content']);

/**
 * Where free text stands in a JSON text: the pieces of its string values between escapes, with their place, and of the
 * names in a result, which tools choose. What holds a message or a request together is left out. Whatever is replaced
 * inside of the pieces, the text stays JSON. A text without quotes is one piece.
 */
export function* valueSegments(text: string): Generator<readonly [offset: number, segment: string]> {
  if (!text.includes('"')) {
    yield [0, text];
    return;
  }
  /** The names of the objects and lists that are open, outermost first; empty for one in a list. */
  const path: string[] = [];
  let key = '';
  let at = 0;
  for (let open = text.indexOf('"'); open >= 0;) {
    key = follow(text.slice(at, open), path, key);
    const close = closingQuote(text, open + 1);
    const content = text.slice(open + 1, close);
    const isKey = /^\s*:/.test(text.slice(close + 1, close + 9));
    if (isKey ? isFreeName(path) : !isStructural(path, key, content)) yield* pieces(content, open + 1);
    key = isKey ? content : '';
    at = close + 1;
    open = text.indexOf('"', at);
  }
}

/** Goes through what stands between two strings; returns the name that the next value has. */
function follow(between: string, path: string[], key: string): string {
  let name = key;
  for (const sign of between) {
    if (sign === '{' || sign === '[') {
      path.push(name);
      name = '';
    } else if (sign === '}' || sign === ']') path.pop();
    else if (sign === ',') name = '';
  }
  return name;
}

/** Inside what a tool returned, or what a session keeps of it in a list. */
function isFreeName(path: readonly string[]): boolean {
  return path.length > 1 && (path[1] === 'data' || (path[0] === '' && path[1] === ''));
}

function isStructural(path: readonly string[], key: string, value: string): boolean {
  if (key === 'role') return path.length === 1 && roles.has(value);
  if (key === 'tool_call_id') return path.length === 1;
  if (key === 'name') return path.at(-1) === 'function' && lists.has(path.at(-3) ?? '');
  const list = path.at(-2) ?? '';
  return key === 'id' ? list === 'tool_calls' : key === 'type' && lists.has(list) && /^[a-z_]+$/.test(value);
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
