import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluateArithmetic } from '../../../src/toolbox/arithmetic.ts';
import { ToolError } from '../../../src/toolbox/toolError.ts';

const right: [string, number][] = [
  ['45 + 30 + 20', 95],
  ['２０２４－５', 2019],
  ['３×（1,200＋5）÷2 =', 1807.5],
  ['45+30 = ?', 75],
  ['3 x 4', 12],
  ['2**10', 1024],
  ['3²+√16', 13],
  ['√9^2 + √(8+8)', 13],
  ['2 - -3 + +4', 9],
  ['10 - 4 - 3', 3],
  ['100 / 10 / 2', 5],
  ['2 + 3 * 4 ^ 2', 50],
  ['-2^2', -4],
  ['2^-1', 0.5],
  ['2^3^2', 512],
  ['10 % 3', 1],
  ['0.1+0.2', 0.3],
  ['2^53', 9007199254740992],
  ['5!', 120],
  ['170! / 169!', 170],
  ['max(1,200)', 200],
  ['max(1，200)', 200],
  ['max(7,(1,200))', 1200],
  ['1,200,000 / 2', 600_000],
  ['sum(1,2,3) - MIN(4,5)', 2],
  ['round(2.5) + round(-2.5) + round(1.005, 2)', 1.01],
  ['Math.floor(-1.5) + mean(1, 2, 6)', 1],
  ['2 * PI', 6.28318530717959],
  ['2*π', 6.28318530717959],
  ['1e3 + 1.5E-1 + .5 + 1.', 1001.65],
];

test('arithmetic as people and models type it', () => {
  for (const [expression, value] of right) assert.equal(evaluateArithmetic(expression), value, expression);
});

const wrong: [string, RegExp][] = [
  ['', /empty/],
  ['= ?', /empty/],
  ['1/0', /division by zero/],
  ['0 % 0', /division by zero/],
  ['sqrt(-1)', /not a number/],
  ['(-8)^0.5', /not a number/],
  ['9^9^9', /too large/],
  ['171!', /0 to 170/],
  ['1e9!', /0 to 170/],
  ['3.5!', /0 to 170/],
  ['5!!', /! was not expected/],
  ['1e400', /too large/],
  ['max()', /1 or more numbers, not 0/],
  ['pow(2)', /2 numbers, not 1/],
  ['sqrt(1, 2)', /1 numbers, not 2/],
  ['1 +', /a number is missing/],
  ['(((', /a number is missing/],
  ['(1', /ends before a \)/],
  ['1)', /\) was not expected/],
  ['sqrt', /ends before a \(/],
  ['sqrt 4', /4 was not expected/],
  ['1 2', /2 was not expected/],
  ['sum(1 200)', /200 was not expected/],
  ['1,20', /, was not expected/],
  ['2(3)', /write \* to multiply/],
  ['2pi', /write \* to multiply/],
  ['0x10', /x10 was not expected/],
  ['15%', /a number is missing/],
  ['200*15% + 1', /15\/100 for 15 percent/],
  ['x + 1', /x is not known/],
  ['log(100)', /ambiguous/],
  ['random()', /not known/],
  ['"a"', /has no place/],
  ['[1,2]', /has no place/],
  ['x = 1', /has no place|not known/],
  ['1; 2', /has no place/],
  ['1 /* 2 */', /was not expected/],
  ['(1).constructor', /./],
  ['1.5.2', /\.2 was not expected/],
  ['constructor', /not known/],
  ['__proto__', /not known/],
  ['toString()', /not known/],
  ['1'.repeat(1001), /longer than 1000/],
  ['('.repeat(1000), /deeper than 100/],
  ['-'.repeat(1000), /deeper than 100/],
  [`2${'^2'.repeat(400)}`, /deeper than 100/],
  ['√'.repeat(1000), /deeper than 100/],
];

// One that took more than linear time would run into the file's time limit.
test('everything else is an error in words', () => {
  for (const [expression, words] of wrong) {
    assert.throws(
      () => evaluateArithmetic(expression),
      (error) => {
        assert.ok(error instanceof ToolError);
        assert.match(error.message, words);
        assert.ok(error.message.length < 400);
        return true;
      },
      expression,
    );
  }
});

test('any text gives a finite number or a ToolError', () => {
  const tokens = [
    '1',
    '23',
    '.',
    ',',
    '(',
    ')',
    '+',
    '-',
    '*',
    '/',
    '^',
    '%',
    '!',
    ' ',
    'sqrt',
    'max',
    'x',
    'E',
    'constructor',
    '__proto__',
    '=',
    '"',
    '×',
    '\ud800',
  ];
  const expressions = fc.oneof(
    fc.string(),
    fc.array(fc.constantFrom(...tokens), { maxLength: 30 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(expressions, (expression) => {
      try {
        assert.ok(Number.isFinite(evaluateArithmetic(expression)));
      } catch (error) {
        assert.ok(error instanceof ToolError, String(error));
      }
    }),
    { seed: 11, numRuns: 3000 },
  );
});
