/** Whether a breakpoint that was reached so many times (from 1) counts as hit. */
export type HitRule = (count: number) => boolean;

const form = /^\s*(>=|<=|>|<|={1,3}|%)?\s*(\d{1,15})\s*$/;

/**
 * A hit condition as debuggers of JavaScript and Python take it: `5` and `== 5` the fifth time only, `>= 3`, `> 3`,
 * `< 3`, `<= 3`, and `% 2` every second time. Undefined for anything else.
 */
export function hitRule(text: string): HitRule | undefined {
  const [, operator = '=', digits = ''] = form.exec(text) ?? [];
  const number = Number(digits);
  if (digits === '' || (operator === '%' && number === 0)) return undefined;
  switch (operator) {
    case '>=':
      return (count) => count >= number;
    case '<=':
      return (count) => count <= number;
    case '>':
      return (count) => count > number;
    case '<':
      return (count) => count < number;
    case '%':
      return (count) => count % number === 0;
    default:
      return (count) => count === number;
  }
}
