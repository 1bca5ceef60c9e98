/** "What is 45 + 20?", "算一下 12*(3+4)": one call of the calculator. */
import { call, oneCall, type Skill, words } from './skill.ts';

export const arithmetic: Skill = (turn) => {
  const expression = expressionIn(turn.goal);
  if (expression === undefined) return undefined;
  const opening = words(turn, 'I let the calculator do that.', '我用计算器来算。');
  return oneCall(turn, call('calculator', { expression }), opening, (data, done) => {
    return `${String(done.arguments['expression'])} = ${typeof data === 'string' ? data : JSON.stringify(data ?? null)}`;
  });
};

/** Signs and words for the operators that the calculator knows. */
const operators: readonly (readonly [RegExp, string])[] = [
  [/[×✕]|\btimes\b|\bmultiplied by\b|乘以?/gi, '*'],
  [/÷|\bdivided by\b|除以/gi, '/'],
  [/[−–]|\bminus\b|减去?/gi, '-'],
  [/\bplus\b|加上?/gi, '+'],
  [/(\d),(?=\d{3}\b)/g, '$1'],
];

/** The longest expression in a text: digits, brackets and at least one operator; undefined when there is none. */
export function expressionIn(text: string): string | undefined {
  const plain = operators.reduce(
    (at, [sign, operator]) => at.replace(sign, operator),
    text.normalize('NFKC'),
  );
  const runs = plain.match(/[-(\d.][-+*/^%().\d\s]*[\d)]/g) ?? [];
  const usable = runs
    .map((run) => run.trim())
    .filter((run) => /[\d)]\s*[-+*/^%]\s*[-(\d.]/.test(run) && !isDate(run));
  return usable.toSorted((a, b) => b.length - a.length)[0];
}

function isDate(text: string): boolean {
  return /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$/.test(text);
}
