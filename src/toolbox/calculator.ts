import * as z from 'zod';
import { evaluateArithmetic } from './arithmetic.ts';
import { defineTool } from './defineTool.ts';

export const calculator = defineTool({
  name: 'calculator',
  description:
    'Evaluates one arithmetic expression and returns the number. Use it for every sum, however small, instead of ' +
    'working it out yourself. It knows + - * / ^ ! parentheses, % as remainder, functions such as sqrt, round(x, digits), min, ' +
    'max, sum, mean, ln, log10, sin (radians), pi and e; it has no variables, units, dates or text.',
  effects: 'none',
  input: z.strictObject({ expression: z.string().describe('For example 45 + 2 * (30 - 5)') }),
  run: ({ expression }) => evaluateArithmetic(expression),
});
