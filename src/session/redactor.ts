/**
 * Keeps secrets out of the journal. What is written, folded and shown holds a placeholder with a fingerprint; the
 * wire and the tools get the true text back, as long as this process knows it. A placeholder is made of letters,
 * digits, `:`, `-` and brackets: it stands in a JSON text at any depth of quoting as it is.
 */
import { createHash } from 'node:crypto';
import type { Part } from '../core/events.ts';
import { htmlText } from '../core/htmlText.ts';
import { valueSegments } from './valueSegments.ts';
import { secretShapes } from './secretShapes.ts';

export interface SecretPattern {
  /** Lower case, digits, dashes: it stands in the placeholder. */
  readonly name: string;
  /** Places in the text, start and end in UTF-16 units. Must end, and never throw, for any text. */
  readonly find: (text: string) => readonly (readonly [start: number, end: number])[];
}

export interface Secrets {
  readonly values: readonly { readonly name: string; readonly value: string }[];
  /** The user's: looked for within strings, never across quotes and line ends. */
  readonly patterns: readonly SecretPattern[];
}

type Span = readonly [start: number, length: number, name: string];

export interface Redactor {
  add(secrets: Secrets): void;
  /** The text as it may be written, and where in it something was taken out. */
  clean(text: string): { readonly text: string; readonly spans: readonly Span[] };
  /** The text with what was taken out put back; what this process does not know stays a placeholder. */
  reveal(text: string): string;
  /** A part that was written earlier, by this process or another. */
  remember(part: Part): void;
  /** Placeholders in a text that stand for something this process does not know. */
  lost(text: string): readonly string[];
  /** Where a known secret begins that a text may be cut in; the text's length when it does not. */
  beginsAt(text: string): number;
  /** Whether patterns are there that may span words: text that streams is then shown by the line. */
  readonly hasPatterns: boolean;
}

/** Whether a text may hold something that was taken out. */
export function mayHoldPlaceholder(text: string): boolean {
  return text.includes('[redacted:');
}

const placeholder = /\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]/g;
/** Shorter values are words of the language, not secrets. */
const leastLength = 8;
/** UTF-16 units of a text that is remembered as untouched, and how many of them are. */
const shortText = 200;
const mostUntouched = 200;

/** @param salt of the session: the same secret has another fingerprint in another session's journal */
export function createRedactor(salt: () => string): Redactor {
  const values = new Map<string, string>();
  const patterns: SecretPattern[] = [];
  const truths = new Map<string, string>();
  const written = new Set<string>();
  /** Short texts that hold nothing: addresses and names of tools come in every round. */
  const untouched = new Set<string>();

  const hide = (name: string, secret: string): string => {
    const hash = createHash('sha256').update(`${salt()}\n${secret}`).digest('hex').slice(0, 8);
    const stand = `[redacted:${name}:${hash}]`;
    truths.set(stand, secret);
    return stand;
  };

  const cleanOnce = (text: string): { text: string; spans: readonly Span[] } => {
    const found: [start: number, end: number, name: string][] = [];
    for (const match of mayHoldPlaceholder(text) ? text.matchAll(placeholder) : [])
      if (truths.has(match[0]) || written.has(match[0]))
        found.push([match.index, match.index + match[0].length, '']);
    for (const [value, name] of values)
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
        found.push([at, at + value.length, name]);
    for (const { name, find } of secretShapes)
      for (const [start, end] of find(text)) found.push([start, end, name]);
    for (const [offset, segment] of patterns.length > 0 ? valueSegments(text) : [])
      for (const { name, find } of patterns)
        for (const [start, end] of find(segment))
          if (end > start) found.push([offset + start, offset + end, name]);
    return found.length === 0 ? { text, spans: [] } : replaced(text, found, hide);
  };

  return {
    add(secrets) {
      untouched.clear();
      for (const { name, value } of secrets.values) {
        if (value.trim().length < leastLength) continue;
        for (const form of formsOf(value.trim())) {
          values.set(form, name);
          // Known from the start: what an earlier process took out is put back where it is the same.
          hide(name, form);
        }
      }
      for (const pattern of secrets.patterns)
        if (!patterns.some(({ name }) => name === pattern.name)) patterns.push(pattern);
    },
    clean(given) {
      if (untouched.has(given)) return { text: given, spans: [] };
      let cleaned = cleanOnce(given);
      // What stood glued to a key may be recognised only when that is gone.
      for (let before = given; cleaned.text !== before;) {
        before = cleaned.text;
        cleaned = cleanOnce(before);
      }
      if (cleaned.text === given && given.length <= shortText && !mayHoldPlaceholder(given)) {
        if (untouched.size >= mostUntouched) untouched.clear();
        untouched.add(given);
      }
      return cleaned;
    },
    reveal(text) {
      if (!mayHoldPlaceholder(text)) return text;
      return text.replace(placeholder, (stand) => truths.get(stand) ?? stand);
    },
    remember({ text, redacted = [] }) {
      for (const [start, length] of redacted) written.add(text.slice(start, start + length));
    },
    lost(text) {
      if (!mayHoldPlaceholder(text)) return [];
      const stands = new Set(text.match(placeholder));
      return [...stands].filter((stand) => written.has(stand) && !truths.has(stand));
    },
    beginsAt(text) {
      let at = text.length;
      for (const value of values.keys()) {
        const opening = value.slice(0, 3);
        let place = text.indexOf(opening, Math.max(0, text.length - value.length + 1));
        while (place >= 0 && !value.startsWith(text.slice(place))) place = text.indexOf(opening, place + 1);
        if (place >= 0) at = Math.min(at, place);
      }
      return at;
    },
    get hasPatterns() {
      return patterns.length > 0;
    },
  };
}

/** First come, first served; of two that begin together the longer one. A placeholder stays as it is. */
function replaced(
  text: string,
  found: [start: number, end: number, name: string][],
  hide: (name: string, secret: string) => string,
): { text: string; spans: Span[] } {
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const spans: Span[] = [];
  let result = '';
  let at = 0;
  for (const [start, end, name] of found) {
    if (start < at) continue;
    const taken = text.slice(start, end);
    const stand = name === '' ? taken : hide(name, taken);
    result += text.slice(at, start);
    spans.push([result.length, stand.length, name === '' ? (taken.split(':')[1] ?? '') : name]);
    result += stand;
    at = end;
  }
  return { text: result + text.slice(at), spans };
}

/**
 * As it may stand in a text: plain, as other writers of JSON escape it, in HTML, each quoted in JSON (also JSON inside
 * JSON); in a URL, and in base64.
 */
function formsOf(value: string): readonly string[] {
  const quoted = (text: string) => JSON.stringify(text).slice(1, -1);
  const once = quoted(value);
  const slashes = once.replaceAll('/', '\\/');
  const ascii = once.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const html = htmlText(value);
  const inUrl = encodeURIComponent(value.toWellFormed());
  const lower = inUrl.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  const texts = [value, once, slashes, ascii, html].flatMap((text) => {
    const twice = quoted(text);
    return [text, twice, quoted(twice), quoted(quoted(twice))];
  });
  return [...new Set([...texts, inUrl, lower, ...base64Forms(value)])];
}

/** What of its base64 depends on nothing beside it: `user:KEY` has another one than `KEY`, in each of three places. */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = before === 0 ? 0 : 4;
    const last = Math.floor(whole.length / 3) * 4;
    return (['base64', 'base64url'] as const)
      .map((kind) => whole.toString(kind).slice(first, last))
      .filter((form) => form.length >= leastLength);
  });
}
