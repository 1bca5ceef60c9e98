import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loggedText, type Piece, readLogMessage } from '../../../src/debug/logMessage.ts';
import { createPlainSandbox } from '../../doubles/plainSandbox.ts';

const { compileProblem, evaluate } = createPlainSandbox('text');

/** Expressions between ‹ and ›. */
async function read(message: string): Promise<string> {
  const read = await readLogMessage(message, compileProblem);
  if (!read.ok) return `refused: ${read.message}`;
  return read.pieces.map((piece: Piece) => ('text' in piece ? piece.text : `‹${piece.expression}›`)).join('');
}

const messages: readonly (readonly [message: string, read: string])[] = [
  ['plain', 'plain'],
  ['a {x} b', 'a ‹x› b'],
  ['{a}{b}', '‹a›‹b›'],
  ['{{a: 1}}', '‹{a: 1}›'],
  ['{list.map((m) => { return { id: m.id }; })}!', '‹list.map((m) => { return { id: m.id }; })›!'],
  ['{"}"} {`${x}`} {/}/.test(x)}', '‹"}"› ‹`${x}`› ‹/}/.test(x)›'],
  ['{const n = 1; n}', '‹const n = 1; n›'],
  ['\\{x\\} is {x}', '{x} is ‹x›'],
  ['{x}\\}', '‹x›}'],
  ['C:\\temp {x}', 'C:\\temp ‹x›'],
  ['{}, { } and {', '{}, { } and {'],
  ['a } b', 'a } b'],
  ['你好 {x}', '你好 ‹x›'],
];

test('log messages: text, expressions in braces, escaped braces', async () => {
  for (const [message, expected] of messages) assert.equal(await read(message), expected, message);
});

test('an expression that can not compile is refused with its own error', async () => {
  assert.match(await read('a {x..y} and {z}'), /^refused: SyntaxError/);
  assert.match(await read(`{${'{x} '.repeat(200)}`), /^refused: SyntaxError/);
});

test('a text is written as it is, any other value as JavaScript', async () => {
  const write = async (expression: string) => {
    const result = await evaluate(expression, { text: 'say "hi"' });
    return result.ok ? loggedText(result.value) : '';
  };
  assert.equal(await write('text'), 'say "hi"');
  assert.equal(await write('[text, 1n, undefined]'), '["say \\"hi\\"",1n,undefined]');
  assert.equal(await write('null'), 'null');
});
