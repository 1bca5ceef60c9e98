import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { isRecord } from '../core/parseMessage.ts';
import { wellFormedJson } from '../core/serialise.ts';

export type ArgumentsReading =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  /** What is wrong and where, in words for the model. */
  | { readonly ok: false; readonly problem: string };

/**
 * The arguments of a call as an object. Blank text is `{}` (providers leave it out for tools without
 * parameters); everything else that is not one JSON object is a problem, never repaired: what would run
 * then is a guess.
 */
export function readArguments(text: string): ArgumentsReading {
  if (text.trim() === '') return { ok: true, value: {} };
  let value: unknown;
  try {
    // Half surrogate pairs written by the model would poison whatever stores them.
    value = JSON.parse(wellFormedJson(text));
  } catch (error) {
    return { ok: false, problem: `they are not valid JSON: ${syntaxProblem(text, error)}` };
  }
  if (isRecord(value)) return { ok: true, value };
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return { ok: false, problem: `they must be one JSON object, not ${found}` };
}

/** Positions come from jsonc-parser: those in V8's messages differ between versions or are missing. */
function syntaxProblem(text: string, error: unknown): string {
  const found = firstError(text);
  if (!found) return error instanceof Error ? error.message : String(error);
  const offset = offsetOf(found);
  return `${errorWords(printParseErrorCode(found.error), offset >= text.length)} at ${positionWords(text, offset)}`;
}

/** Where a text stops being JSON, in UTF-16 units; undefined where it is JSON. */
export function jsonErrorOffset(text: string): number | undefined {
  const found = text.trim() === '' ? undefined : firstError(text);
  return found && offsetOf(found);
}

function offsetOf({ error, offset, length }: ParseError): number {
  return printParseErrorCode(error).startsWith('UnexpectedEnd') ? offset + length : offset;
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // Nested deeper than its recursion goes: what it found so far will do.
  }
  return errors[0];
}

function positionWords(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  const end = offset >= text.length ? ', the end of the text' : '';
  return `line ${before.length}, column ${column} (offset ${offset}${end})`;
}

function errorWords(code: string, atEnd: boolean): string {
  if (code === 'UnexpectedEndOfString') {
    return atEnd ? 'a string is not closed' : 'a raw control character in a string (write \\n, \\t)';
  }
  return words[code] ?? 'something that is not JSON';
}

const words: Readonly<Record<string, string>> = {
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidEscapeCharacter: 'an invalid escape in the string',
  InvalidUnicode: 'an invalid escape in the string',
  PropertyNameExpected: 'a property name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'there is more text after the value',
};
