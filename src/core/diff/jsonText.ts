/**
 * JSON text with the places of its values kept, so that a comparison by key can still show the text that was
 * sent and not a re-rendering of it. `JSON.parse` judges whether it is JSON; the walk here only notes places.
 * The grammar: https://www.rfc-editor.org/rfc/rfc8259
 */
import { isJson } from './isJson.ts';

/** A value in a text: `[start, end)` in UTF-16 units. */
export type JsonNode = JsonScalar | JsonObject | JsonArray;

export interface JsonScalar {
  readonly kind: 'string' | 'number' | 'literal';
  readonly start: number;
  readonly end: number;
}

export interface JsonObject {
  readonly kind: 'object';
  readonly start: number;
  readonly end: number;
  /** In the order of the text; `start` is where the key begins. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

export interface JsonArray {
  readonly kind: 'array';
  readonly start: number;
  readonly end: number;
  readonly items: readonly JsonNode[];
}

const maxDepth = 200;

/** Values and keys that may still be read. */
export interface ValueLimit {
  values: number;
}

/**
 * The object or array that a text holds. Undefined for anything else, also for JSON nested deeper than 200, for an
 * object that has a key twice (readers differ in what that means), and when `limit` runs out (below 0 then).
 */
export function readJsonText(text: string, limit: ValueLimit): JsonNode | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  return readValue(text, skipSpace(text, 0), 0, limit);
}

const quote = 0x22;
const backslash = 0x5c;
const [brace, braceEnd, bracket, bracketEnd, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

function readValue(text: string, start: number, depth: number, limit: ValueLimit): JsonNode | undefined {
  if (--limit.values < 0 || depth > maxDepth) return undefined;
  const unit = text.charCodeAt(start);
  if (unit === brace) return readObject(text, start, depth, limit);
  if (unit === bracket) return readArray(text, start, depth, limit);
  if (unit === quote) return { kind: 'string', start, end: stringEnd(text, start) };
  // Letters are all above the signs and digits of a number.
  return { kind: unit < 0x40 ? 'number' : 'literal', start, end: scalarEnd(text, start) };
}

function scalarEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20 || unit === comma || unit === bracketEnd || unit === braceEnd) break;
  }
  return at;
}

function readObject(text: string, start: number, depth: number, limit: ValueLimit): JsonObject | undefined {
  const members: JsonMember[] = [];
  const keys = new Set<string>();
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== braceEnd) {
    limit.values--;
    const keyEnd = stringEnd(text, at);
    const written = text.slice(at + 1, keyEnd - 1);
    const key = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
    const colon = skipSpace(text, keyEnd);
    const value = readValue(text, skipSpace(text, colon + 1), depth + 1, limit);
    if (!value || keys.has(key)) return undefined;
    keys.add(key);
    members.push({ key, start: at, value });
    at = skipComma(text, value.end);
  }
  return { kind: 'object', start, end: at + 1, members };
}

function readArray(text: string, start: number, depth: number, limit: ValueLimit): JsonArray | undefined {
  const items: JsonNode[] = [];
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== bracketEnd) {
    const item = readValue(text, at, depth + 1, limit);
    if (!item) return undefined;
    items.push(item);
    at = skipComma(text, item.end);
  }
  return { kind: 'array', start, end: at + 1, items };
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (let unit = text.charCodeAt(at); unit !== quote; unit = text.charCodeAt(at)) {
    at += unit === backslash ? 2 : 1;
  }
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

function skipComma(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === comma ? skipSpace(text, at + 1) : at;
}
