import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandData } from '../../../src/toolbox/commandResult.ts';
import type { ProcessEnded } from '../../../src/toolbox/process/runProcess.ts';
import { ToolError } from '../../../src/toolbox/toolError.ts';

const output = (text: string, left = 0) => ({ text, left, bytes: Buffer.byteLength(text) + left });
const exit = (code: number, stdout = '', stderr = ''): ProcessEnded => ({
  started: true,
  end: { kind: 'exit', code },
  stdout: output(stdout),
  stderr: output(stderr),
  rest: 'nothing',
});
/** What the model reads. */
function told(result: ProcessEnded): unknown {
  try {
    return { success: true, data: commandData(result) };
  } catch (error) {
    assert.ok(error instanceof ToolError);
    return { success: false, error: error.message };
  }
}

test('C27 each end is told with its code or signal, both streams, and no output in words', () => {
  assert.deepEqual(told(exit(127, '', 'python3.99: not found\n')), {
    success: false,
    error: 'exit code 127\nstdout: no output\nstderr: python3.99: not found',
  });
  assert.deepEqual(told(exit(0)), { success: true, data: '' });
  assert.deepEqual(told(exit(1)), {
    success: false,
    error: 'exit code 1\nstdout: no output\nstderr: no output',
  });
  const killed: ProcessEnded = { ...exit(0, 'half'), end: { kind: 'signal', signal: 'SIGKILL' } };
  assert.deepEqual(told(killed), {
    success: false,
    error: 'ended by the signal SIGKILL\nstdout: half\nstderr: no output',
  });
  assert.deepEqual(told({ ...exit(0, 'so far\n'), end: { kind: 'timeout' }, rest: 'alive' }), {
    success: false,
    error:
      'the command was ended, with all that it had started; something that it started could not be ended and still runs\n' +
      'stdout: so far\nstderr: no output',
  });
  // Many programs say all that they have to say on stderr.
  assert.deepEqual(told(exit(0, '\n', 'pushed to main\n')), {
    success: true,
    data: 'exit code 0\nstdout: no output\nstderr: pushed to main',
  });
});

const values: readonly (readonly [stdout: string, data: unknown])[] = [
  ['{"a": [1, 2.5, "x"]}\n', { a: [1, 2.5, 'x'] }],
  ['45\n', 45],
  ['null', null],
  ['"45"', '45'],
  ['two words\r\n', 'two words'],
  ['  kept\n\n', '  kept'],
  ['{"a": 1} and more', '{"a": 1} and more'],
  ['{"a": 1}\n{"a": 2}\n', '{"a": 1}\n{"a": 2}'],
  ['[1,', '[1,'],
  // Read as numbers these would come out as others.
  ['{"id": 12345678901234567890}', '{"id": 12345678901234567890}'],
  ['[1e999]', '[1e999]'],
  [
    '{"id": "12345678901234567890", "n": -9007199254740991}',
    { id: '12345678901234567890', n: -9007199254740991 },
  ],
];
for (const [stdout, data] of values)
  test(`stdout ${JSON.stringify(stdout)} is a value or the text`, () =>
    assert.deepEqual(commandData(exit(0, stdout)), data));

test('what was cut is text, whatever it looks like', () => {
  assert.equal(commandData({ ...exit(0), stdout: output('[1,2]', 100) }), '[1,2]');
});

test('a long run of digits is read at once', () => {
  const digits = '1'.repeat(250_000);
  assert.equal(commandData(exit(0, `${digits}.5`)), `${digits}.5`);
});
