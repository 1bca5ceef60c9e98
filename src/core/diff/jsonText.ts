/**
 * JSON text with the places of its values kept, so that a comparison by key can still show the text that was
 * sent and not a re-rendering of it. `JSON.parse` judges whether it is JSON; the walk here notes places, and numbers
 * each value on the way back from its parts (`jsonClasses.ts`), so that nothing is read twice.
 * The grammar: https://www.rfc-editor.org/rfc/rfc8259
 */
import { isJson } from './isJson.ts';
import type { JsonClasses } from './jsonClasses.ts';

/** A value in a text; places in UTF-16 units. One shape for all kinds: there are tens of thousands of them. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'literal';
  /** `[start, end)` is the value. */
  readonly start: number;
  readonly end: number;
  /** Where its part of the container begins: the key of a member, an element itself. */
  readonly partStart: number;
  /** The number of its key; -1 for what is no member. */
  readonly key: number;
  /** Equal values, equal number, in all texts that share `JsonClasses`. */
  readonly valueNumber: number;
  /** Members, or elements, in the order of the text; a scalar has none. */
  readonly parts: readonly JsonNode[];
}

const maxDepth = 200;

/** What texts that are compared share. */
export interface JsonReading {
  /** Values and keys that may still be read. */
  values: number;
  readonly classes: JsonClasses;
}

/**
 * The object or array that a text holds. Undefined for anything else, also for JSON nested deeper than 200, for an
 * object that has a key twice (readers differ in what that means), and when no more `values` may be read (below 0 then).
 */
export function readJsonText(text: string, reading: JsonReading): JsonNode | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined;
  const start = skipSpace(text, 0);
  return readValue({ text, reading, depth: 0 }, start, start, noKey);
}

interface Source {
  readonly text: string;
  readonly reading: JsonReading;
  depth: number;
}

const noKey = -1;
const quote = 0x22;
const backslash = 0x5c;
const [brace, braceEnd, bracket, bracketEnd, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c];

function readValue(source: Source, start: number, partStart: number, key: number): JsonNode | undefined {
  const { text, reading } = source;
  if (--reading.values < 0) return undefined;
  const unit = text.charCodeAt(start);
  if (unit === brace || unit === bracket) {
    if (source.depth++ === maxDepth) return undefined;
    const kind = unit === brace ? 'object' : 'array';
    const parts: JsonNode[] = [];
    const end = kind === 'object' ? readMembers(source, start, parts) : readElements(source, start, parts);
    source.depth--;
    const valueNumber = end < 0 ? none : reading.classes.ofContainer(kind, parts);
    return valueNumber < 0 ? undefined : { kind, start, end, partStart, key, valueNumber, parts };
  }
  // Letters are all above the signs and digits of a number.
  const kind = unit === quote ? 'string' : unit < 0x40 ? 'number' : 'literal';
  const end = kind === 'string' ? stringEnd(text, start) : scalarEnd(text, start);
  const valueNumber = reading.classes.ofScalar(kind, text.slice(start, end));
  return { kind, start, end, partStart, key, valueNumber, parts: noParts };
}

const none = -1;
const noParts: readonly JsonNode[] = [];

/** Reads an object's members; its end, or -1 when there is too much of it. */
function readMembers(source: Source, start: number, members: JsonNode[]): number {
  const { text, reading } = source;
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== braceEnd) {
    reading.values--;
    const keyEnd = stringEnd(text, at);
    const key = reading.classes.ofKey(text.slice(at + 1, keyEnd - 1));
    const colon = skipSpace(text, keyEnd);
    const member = readValue(source, skipSpace(text, colon + 1), at, key);
    if (!member) return none;
    members.push(member);
    at = skipComma(text, member.end);
  }
  return at + 1;
}

/** Reads an array's elements; its end, or -1 when there is too much of it. */
function readElements(source: Source, start: number, elements: JsonNode[]): number {
  const { text } = source;
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== bracketEnd) {
    const element = readValue(source, at, at, noKey);
    if (!element) return none;
    elements.push(element);
    at = skipComma(text, element.end);
  }
  return at + 1;
}

function scalarEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= 0x20 || unit === comma || unit === bracketEnd || unit === braceEnd) break;
  }
  return at;
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
