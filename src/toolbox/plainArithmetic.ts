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
  π: 'pi',
  '、': ',',
  '\u3000': ' ',
  '\u00a0': ' ',
};

/** An expression as people and models type it (`３×（1,200＋5）÷2 =`) in the characters of `evaluateArithmetic`. */
export function plainArithmetic(expression: string): string {
  const ascii = [...expression.toWellFormed()].map((char) => signs[char] ?? fromFullWidth(char)).join('');
  const plain = ascii
    .replaceAll('**', '^')
    .replaceAll('Math.', '')
    .replace(/(?<=[\d)]) +[xX] +(?=[\d(])/g, '*')
    .replace(/[=?\s]+$/, '')
    .trim();
  return withoutThousands(plain);
}

function fromFullWidth(char: string): string {
  const code = char.codePointAt(0)!;
  return code >= 0xff01 && code <= 0xff5e ? String.fromCodePoint(code - 0xfee0) : char;
}

/** `1,200` is a number, but in `max(1,200)` the comma parts two: what stands before the bracket decides. */
function withoutThousands(text: string): string {
  const inCall: boolean[] = [];
  const bracketsAndGroups = /([a-z_]\w*\s*)?\(|\)|(?<![\w.])\d{1,3}(?:,\d{3})+(?![\w,])/gi;
  return text.replace(bracketsAndGroups, (found, name: string | undefined) => {
    if (found.endsWith('(')) inCall.push(name !== undefined);
    else if (found === ')') inCall.pop();
    else if (!inCall.at(-1)) return found.replaceAll(',', '');
    return found;
  });
}
