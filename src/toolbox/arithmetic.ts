import { constants, functions, tidy } from './arithmeticNames.ts';
import { plainArithmetic } from './plainArithmetic.ts';
import { ToolError } from './toolError.ts';

const maxLength = 1000;
/** Signs, powers and brackets inside one another: each costs stack. */
const maxDepth = 100;
const token = /\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z_]\w*)|([-+*/%^!(),√])|(\S))/gi;

/**
 * The value of an arithmetic expression. A parser of its own rather than an evaluator of some language:
 * there is nothing in it that could be reached but numbers, these operators and one closed list of names, and
 * where it can't read something it says so instead of guessing (`sum(1 200)`, `5!!`, `2(3)`).
 * Throws `ToolError` unless the result is a finite number.
 */
export function evaluateArithmetic(expression: string): number {
  if (expression.length > maxLength)
    throw new ToolError(`the expression is longer than ${maxLength} characters`);
  const plain = plainArithmetic(expression);
  if (plain === '') throw new ToolError('the expression is empty');
  try {
    return tidy(finite(whole({ tokens: tokensOf(plain), at: 0, depth: 0 })));
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(
      `${JSON.stringify(plain.length > 120 ? `${plain.slice(0, 120)}…` : plain)}: ${error.message}`,
    );
  }
}

function finite(value: number): number {
  if (Number.isNaN(value))
    throw new ToolError('the result is not a number (a root or logarithm of a negative number?)');
  if (!Number.isFinite(value)) throw new ToolError('the result is too large');
  return value;
}

/** Recursive descent, one function a level: sum, product, sign, power, factorial, value. */
interface Cursor {
  readonly tokens: readonly string[];
  at: number;
  depth: number;
}

function accept(cursor: Cursor, ...wanted: readonly string[]): string | undefined {
  const next = cursor.tokens[cursor.at];
  if (next === undefined || !wanted.includes(next)) return undefined;
  cursor.at++;
  return next;
}

function expect(cursor: Cursor, wanted: string): void {
  if (accept(cursor, wanted)) return;
  const found = cursor.tokens[cursor.at];
  throw new ToolError(found === undefined ? `it ends before a ${wanted}` : unexpected(found));
}

function whole(cursor: Cursor): number {
  const value = sum(cursor);
  const rest = cursor.tokens[cursor.at];
  if (rest !== undefined) throw new ToolError(unexpected(rest));
  return value;
}

function sum(cursor: Cursor): number {
  let value = product(cursor);
  for (let sign = accept(cursor, '+', '-'); sign; sign = accept(cursor, '+', '-')) {
    value += sign === '+' ? product(cursor) : -product(cursor);
  }
  return value;
}

function product(cursor: Cursor): number {
  let value = signed(cursor);
  for (let sign = accept(cursor, '*', '/', '%'); sign; sign = accept(cursor, '*', '/', '%')) {
    // `200*15% + 1` means a percentage to whoever writes it; as a remainder by +1 it would be 0.
    if (sign === '%' && accept(cursor, '+', '-'))
      throw new ToolError('% is the remainder: write 15/100 for 15 percent');
    value = multiply(value, sign, signed(cursor));
  }
  return value;
}

function signed(cursor: Cursor): number {
  return deeper(cursor, () => {
    const sign = accept(cursor, '+', '-');
    return sign ? signed(cursor) * (sign === '-' ? -1 : 1) : power(cursor);
  });
}

function deeper(cursor: Cursor, level: () => number): number {
  if (++cursor.depth > maxDepth) throw new ToolError(`it is nested deeper than ${maxDepth} levels`);
  const value = level();
  cursor.depth--;
  return value;
}

function power(cursor: Cursor): number {
  const base = factorial(cursor);
  return accept(cursor, '^') ? base ** signed(cursor) : base;
}

function factorial(cursor: Cursor): number {
  const value = primary(cursor);
  return accept(cursor, '!') ? factorialOf(value) : value;
}

function primary(cursor: Cursor): number {
  const next = cursor.tokens[cursor.at++];
  if (next === undefined) throw new ToolError('it ends where a number is missing');
  if (/^[\d.]/.test(next)) return Number(next);
  // √9 + 1 is 4 and √9^2 is 9: the root reaches as far as the next value.
  if (next === '√') return Math.sqrt(deeper(cursor, () => factorial(cursor)));
  if (/^[a-z_]/.test(next)) return named(cursor, next);
  if (next !== '(') throw new ToolError(unexpected(next));
  const value = sum(cursor);
  expect(cursor, ')');
  return value;
}

function named(cursor: Cursor, name: string): number {
  const constant = constants.get(name);
  if (constant !== undefined) return constant;
  if (!functions.has(name)) throw new ToolError(unknownName(name));
  expect(cursor, '(');
  const values: number[] = [];
  if (!accept(cursor, ')')) {
    do values.push(sum(cursor));
    while (accept(cursor, ','));
    expect(cursor, ')');
  }
  return applyFunction(name, values);
}

function tokensOf(text: string): string[] {
  return [...text.matchAll(token)].map(([, number, name, operator, odd]) => {
    if (odd !== undefined) throw new ToolError(`${odd} has no place in arithmetic`);
    return number ?? name?.toLowerCase() ?? operator ?? '';
  });
}

function multiply(left: number, sign: string, right: number): number {
  if (sign === '*') return left * right;
  if (right === 0) throw new ToolError('division by zero');
  return sign === '/' ? left / right : left % right;
}

function factorialOf(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) {
    throw new ToolError(`! takes a whole number from 0 to 170, not ${value}`);
  }
  let product = 1;
  for (let factor = 2; factor <= value; factor++) product *= factor;
  return product;
}

function applyFunction(name: string, values: readonly number[]): number {
  const { least, most, of } = functions.get(name)!;
  if (values.length < least || values.length > most) {
    const wanted =
      least === most ? `${least}` : most === Infinity ? `${least} or more` : `${least} to ${most}`;
    throw new ToolError(`${name} takes ${wanted} numbers, not ${values.length}`);
  }
  return of(...values);
}

function unexpected(found: string): string {
  return `${found} was not expected there (write * to multiply, % is the remainder)`;
}

function unknownName(name: string): string {
  if (name === 'log') return 'log is ambiguous: write ln (base e), log10 or log2';
  return `${name} is not known; there are ${[...functions.keys()].join(', ')}, pi and e`;
}
