import { isJson } from './diff/isJson.ts';

/**
 * JSON text with line breaks and indents, for reading. Only space between tokens is changed: numbers, escapes and
 * repeated keys stand as they were written, which parsing and printing would not keep. Undefined for what is no JSON
 * object or list.
 */
export function prettyJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || !isJson(trimmed)) return undefined;
  const lines: string[] = [];
  let depth = 0;
  const lineBreak = () => lines.push('\n', '  '.repeat(Math.min(depth, deepest)));
  for (const [token] of trimmed.matchAll(tokens)) {
    const last = lines.at(-1);
    if (token === '}' || token === ']') {
      depth--;
      // An empty one stays in its line.
      if (/^[[{]$/.test(lines.at(-3) ?? '') && last?.trim() === '') lines.splice(-2);
      else lineBreak();
    }
    lines.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth++;
    if (/^[[{,]$/.test(token)) lineBreak();
  }
  return lines.join('');
}

/** Deeper than anyone reads; each level of a thousand would indent by its own depth. */
const deepest = 40;
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;
