/** The message of a log point: text, and JavaScript in braces. `\{` and `\}` are braces of the text. */
import type { Described } from './described.ts';
import { describedText } from './described.ts';
import { parseJson } from '../core/parseMessage.ts';

/** Text as it stands, or an expression. */
export type Piece = { readonly text: string } | { readonly expression: string };

export type LogMessage =
  { readonly ok: true; readonly pieces: readonly Piece[] } | { readonly ok: false; readonly message: string };

/** Why an expression does not compile; undefined when it does. */
type Compile = (expression: string) => Promise<string | undefined>;

/** Closing braces that are tried for one that opens. */
const mostTries = 50;
const longestValue = 10_000;

/**
 * Takes a message apart. An expression ends at the first brace where what stands before it compiles, so that it may
 * hold braces itself, in objects, functions and strings. `{}` and a brace that nothing closes are text. Fails with
 * what is wrong with an expression.
 */
export async function readLogMessage(message: string, compile: Compile): Promise<LogMessage> {
  const pieces: Piece[] = [];
  let text = '';
  for (let at = 0; at < message.length;) {
    const next = message.slice(at, at + 2);
    if (next === '\\{' || next === '\\}') {
      text += next[1];
      at += 2;
      continue;
    }
    const found = message[at] === '{' ? await expressionAt(message, at + 1, compile) : undefined;
    if (found?.problem !== undefined) return { ok: false, message: found.problem };
    if (found) {
      pieces.push({ text }, { expression: found.expression });
      text = '';
      at += found.expression.length + 2;
      continue;
    }
    text += message[at];
    at++;
  }
  return {
    ok: true,
    pieces: [...pieces, { text }].filter((piece) => !('text' in piece && piece.text === '')),
  };
}

async function expressionAt(
  message: string,
  start: number,
  compile: Compile,
): Promise<{ readonly expression: string; readonly problem?: string } | undefined> {
  let first: { expression: string; problem: string } | undefined;
  let end = message.indexOf('}', start);
  for (let tries = 0; end >= 0 && tries < mostTries; tries++) {
    const expression = message.slice(start, end);
    if (expression.trim() === '') return undefined;
    const problem = await compile(expression);
    if (problem === undefined) return { expression };
    first ??= { expression, problem };
    end = message.indexOf('}', end + 1);
  }
  return first;
}

/** A value within a message: a string as it is, anything else as the Debug Console shows it. */
export function loggedText(value: Described): string {
  return value.type === 'string' ? String(parseJson(value.text)) : describedText(value, longestValue);
}
