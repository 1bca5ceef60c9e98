import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../../src/core/messages.ts';
import type { CallResults } from '../../../src/core/ports.ts';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { toolContext } from './toolContext.ts';

const long = Array.from({ length: 3000 }, (_, n) => `${n} "🚀"\n`).join('');
const stored: Record<string, Observation> = {
  '1.1.1': { success: true, data: long },
  '1.2.1': { success: false, error: 'no' },
  '1.2.2': { success: true, data: '' },
  '2.1.1': { success: true, data: [1, { a: 'b' }] },
};
const results: CallResults = { keys: Object.keys(stored), cut: ['1.1.1'], get: (key) => stored[key] };

async function read(input: object) {
  const { observation } = await createToolbox([]).perform(
    { name: 'read_result', arguments: JSON.stringify(input) },
    toolContext({ results }),
  );
  return observation as {
    success: boolean;
    data: { text: string; end: number; total: number };
    error: string;
  };
}

test('the pages of a result, one after the other, are the result; none is so long that it would be cut', async () => {
  let text = '';
  for (let start = 1, end = 0, total = Infinity; end < total; start = end + 1) {
    const { data } = await read({ call: '1.1.1', start });
    assert.ok(JSON.stringify({ success: true, data }).length <= 4000);
    text += data.text;
    ({ end, total } = data);
  }
  assert.equal(text, long);
});

test('start and end are characters, from 1, inclusive; what is no text is read as JSON; errors can be read too', async () => {
  assert.equal((await read({ call: '1.1.1', start: 3, end: 5 })).data.text, '"🚀"');
  assert.deepEqual((await read({ call: '2.1.1' })).data, {
    call: '2.1.1',
    start: 1,
    end: 13,
    total: 13,
    text: '[1,{"a":"b"}]',
  });
  assert.equal((await read({ call: '1.2.1' })).data.text, 'no');
  assert.deepEqual((await read({ call: '1.2.2' })).data, {
    call: '1.2.2',
    start: 1,
    end: 0,
    total: 0,
    text: '',
  });
});

test('wrong keys and places: the error says what there is', async () => {
  const { error } = await read({ call: '1.1.7' });
  assert.match(
    error,
    /no result of a call "1\.1\.7"\. Did you mean 1\.1\.1.*Calls whose result was cut: 1\.1\.1\./,
  );
  assert.match((await read({ call: '__proto__x' })).error, /no result/);
  assert.match((await read({ call: '2.1.1', start: 14 })).error, /has 13 characters; start was 14/);
  assert.match((await read({ call: '1.1.1', start: 5, end: 4 })).error, /end \(4\) is before start \(5\)/);
  assert.match((await read({})).error, /call: .*Expected: \{call: string/s);
});
