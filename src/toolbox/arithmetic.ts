import { Parser } from 'expr-eval-fork';
import { ToolError } from './toolError.ts';

/** Longer is no arithmetic that a person or a model writes, and the parser recurses. */
const maxLength = 1000;

const functions: Readonly<Record<string, (...numbers: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  pow: Math.pow,
  hypot: Math.hypot,
  atan2: Math.atan2,
  sum: (...numbers) => numbers.reduce((total, number) => total + number, 0),
};
const unaryNames =
  'sqrt cbrt abs ceil floor round trunc sign exp ln log2 log10 sin cos tan asin acos atan sinh cosh tanh'.split(
    ' ',
  );

/**
 * The value of an arithmetic expression as people type it (`３×（1,200＋5）÷2 =`). No variables, strings,
 * lists, assignments or member access: what is left after the character check is numbers, operators and
 * names from one closed list. Throws `ToolError` unless the result is a finite number.
 */
export function evaluateArithmetic(expression: string): number {
  if (expression.length > maxLength)
    throw new ToolError(`the expression is longer than ${maxLength} characters`);
  const plain = plainArithmetic(expression);
  if (plain === '') throw new ToolError('the expression is empty');
  refuseOddities(plain);
  const value = evaluate(plain);
  if (typeof value !== 'number' || Number.isNaN(value))
    throw new ToolError('the result is not a number: 0/0, or a root or logarithm of a negative number');
  if (!Number.isFinite(value))
    throw new ToolError('the result is not finite: a division by zero, or too large');
  // 0.1 + 0.2 is 0.3 to whoever asked; whole numbers are left alone, since 15 digits would change large ones.
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

function evaluate(plain: string): unknown {
  try {
    return createParser().evaluate(plain);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const unknown = /^undefined variable: (.*)$/.exec(said)?.[1];
    if (unknown !== undefined) throw new ToolError(unknownName(unknown));
    const percent = plain.includes('%') ? ' (% is the remainder; write 15/100 for 15 percent)' : '';
    throw new ToolError(
      `${JSON.stringify(plain)} can't be read as arithmetic: ${parserWords(said)}${percent}`,
    );
  }
}

/** The parser speaks of its token types. */
function parserWords(said: string): string {
  if (said.includes('TEOF')) return 'it ends too early';
  if (said.includes('Expected EOF')) return 'two numbers or expressions stand side by side';
  if (said.includes('allowed function')) return 'a number is called like a function; write * to multiply';
  return said.replace(/unexpected T[A-Z]+: /, 'unexpected ');
}

function unknownName(name: string): string {
  if (name === 'log') return 'log is ambiguous: write ln (base e), log10 or log2';
  return `${name} is not known here; there are ${[...unaryNames, ...Object.keys(functions)].join(', ')}, PI and E`;
}

function createParser(): Parser {
  const parser = new Parser({ allowMemberAccess: false });
  const { fac } = parser.functions as Readonly<Record<string, unknown>>;
  // Null prototypes: `toString` must be an unknown name and not Object's.
  parser.functions = Object.assign(Object.create(null), functions, { fac }) as unknown;
  parser.consts = Object.assign(Object.create(null), {
    PI: Math.PI,
    pi: Math.PI,
    E: Math.E,
    e: Math.E,
  }) as unknown;
  const unary = parser.unaryOps as Readonly<Record<string, unknown>>;
  const kept = [...unaryNames, '-', '+', '!'].map((name) => [name, unary[name]]);
  parser.unaryOps = Object.assign(Object.create(null), Object.fromEntries(kept)) as unknown;
  return parser;
}

/** By character: quotes, brackets, `=`, `<`, `;` and the like have meanings in the parser, but none here. */
function refuseOddities(plain: string): void {
  const odd = /[^\w\s+\-*/%^!().,]|\/\*/u.exec(plain);
  if (odd)
    throw new ToolError(`${JSON.stringify(odd[0])} has no place in arithmetic (in ${JSON.stringify(plain)})`);
}

const signs: Readonly<Record<string, string>> = {
  '×': '*',
  '✕': '*',
  '∗': '*',
  '·': '*',
  '⋅': '*',
  '÷': '/',
  '∕': '/',
  '⁄': '/',
  '−': '-',
  '–': '-',
  '—': '-',
  '²': '^2',
  '³': '^3',
  '√': ' sqrt ',
  π: ' PI ',
  '、': ',',
  '\u3000': ' ',
  '\u00a0': ' ',
};

/** The same expression in the parser's characters. */
function plainArithmetic(expression: string): string {
  const ascii = [...expression.toWellFormed()].map((char) => signs[char] ?? fromFullWidth(char)).join('');
  const operators = ascii
    .replaceAll('**', '^')
    .replace(/(?<=[\d)]) *[xX] (?= *[\d(])/g, '*')
    .replace(/[=?\s]+$/, '')
    .trim();
  return withoutThousands(operators);
}

function fromFullWidth(char: string): string {
  const code = char.codePointAt(0)!;
  return code >= 0xff01 && code <= 0xff5e ? String.fromCodePoint(code - 0xfee0) : char;
}

/** `1,200` is a number, but in `max(1,200)` the comma parts two: what stands before the bracket decides. */
function withoutThousands(text: string): string {
  const brackets: boolean[] = [];
  return text.replace(
    /([a-zA-Z_]\w*\s*)?\(|\)|(?<![\w.])\d{1,3}(?:,\d{3})+(?![\w,])/g,
    (found, name: string | undefined) => {
      if (found.endsWith('(')) brackets.push(name !== undefined);
      else if (found === ')') brackets.pop();
      else if (!brackets.at(-1)) return found.replaceAll(',', '');
      return found;
    },
  );
}
