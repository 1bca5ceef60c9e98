/** The names that `evaluateArithmetic` knows. Maps: `constructor` must be an unknown name and not Object's. */
export interface NumberFunction {
  readonly least: number;
  readonly most: number;
  readonly of: (...numbers: number[]) => number;
}

export const functions: ReadonlyMap<string, NumberFunction> = new Map([
  ...Object.entries({
    sqrt: Math.sqrt,
    cbrt: Math.cbrt,
    abs: Math.abs,
    ceil: Math.ceil,
    floor: Math.floor,
    trunc: Math.trunc,
    sign: Math.sign,
    exp: Math.exp,
    ln: Math.log,
    log2: Math.log2,
    log10: Math.log10,
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
  }).map(([name, of]): [string, NumberFunction] => [name, { least: 1, most: 1, of }]),
  ['round', { least: 1, most: 2, of: round }],
  ['pow', { least: 2, most: 2, of: Math.pow }],
  ['min', { least: 1, most: Infinity, of: Math.min }],
  ['max', { least: 1, most: Infinity, of: Math.max }],
  ['sum', { least: 1, most: Infinity, of: sum }],
  ['mean', { least: 1, most: Infinity, of: (...numbers) => sum(...numbers) / numbers.length }],
]);

export const constants: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
]);

/**
 * 15 significant digits for what is no whole number: 0.1 + 0.2 is 0.3 to whoever asked. Whole numbers are
 * left alone, since 15 digits would change large ones.
 */
export function tidy(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

/** Half away from zero, as people round; 1.005 to two digits is 1.01 although its double is below. */
function round(value: number, digits = 0): number {
  const scale = 10 ** digits;
  return (Math.sign(value) * Math.round(tidy(Math.abs(value) * scale))) / scale;
}

function sum(...numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
