import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legal } from '../../../src/core/legal.ts';
import type { WireMessage } from '../../../src/core/messages.ts';
import { rewire } from '../../../src/planner/egress.ts';
import { outgoing } from '../../doubles/outgoing.ts';

const text = (message: WireMessage) => JSON.stringify(message);
const call = (id: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name: 'grep', arguments: args },
});

test('egress: reused ids are made unique in call and result together, by position', () => {
  const history: WireMessage[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call('grep:0', '{"q":"a"}')] },
    { role: 'tool', tool_call_id: 'grep:0', content: '1' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [call('grep:0', '{"q":"b"}'), call('grep:0', '{"q":"c"}')],
    },
    { role: 'tool', tool_call_id: 'grep:0', content: '2' },
    { role: 'tool', tool_call_id: 'grep:0', content: '3' },
  ];
  const out = rewire(outgoing(history.map(text)));
  const sent = out.map((one) => JSON.parse(one.text) as WireMessage);
  assert.deepEqual(legal(sent), []);
  assert.deepEqual(
    sent.map((message) => message.tool_calls?.map(({ id }) => id) ?? message.tool_call_id ?? message.role),
    ['user', ['grep:0'], 'grep:0', ['grep:0_2', 'grep:0_3'], 'grep:0_2', 'grep:0_3'],
  );
});

const malformed = [
  '{"cmd": "rm -rf build',
  '{"a":1}{"b":2}',
  '{"min":,"max":3}',
  '[1,2]',
  '"text"',
  'null',
  '{"cmd": "a\nb"}',
  '',
];
for (const args of malformed) {
  test(`egress: ${JSON.stringify(args)} is replayed as {}`, () => {
    const history: WireMessage[] = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'x', tool_calls: [call('a', args), call('b', '{"ok":1}')] },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
    ];
    const out = rewire(outgoing(history.map(text)));
    const sent = out.map((one) => JSON.parse(one.text) as WireMessage);
    assert.deepEqual(legal(sent), []);
    assert.deepEqual(
      sent[1]?.tool_calls?.map((one) => one.function.arguments),
      ['{}', '{"ok":1}'],
    );
  });
}

test('egress: what is legal leaves as it is, byte for byte', () => {
  const odd =
    '{"role": "assistant",  "content":"x", "reasoning_content":"r", "tool_calls":[{"id":"a","type":"function","function":{"name":"grep","arguments":"{ }"}}]}';
  const out = rewire(outgoing([odd]));
  assert.equal(out[0]?.text, odd);
});

test('C26: half a surrogate pair that hides as an escape in arguments does not leave', () => {
  for (const [args, sent] of [
    ['{"q":"\\ud83d"}', '{"q":"\\ufffd"}'],
    ['{"q":"\\udc00x","\\uD800":[1]}', '{"q":"\\ufffdx","\\ufffd":[1]}'],
    ['{"q":"\\ud83d\\ude00 \\\\ud83d"}', '{"q":"\\ud83d\\ude00 \\\\ud83d"}'],
  ] as const) {
    const block: WireMessage = { role: 'assistant', content: null, tool_calls: [call('a', args)] };
    const result: WireMessage = { role: 'tool', tool_call_id: 'a', content: '1' };
    assert.equal(legal([{ role: 'user', content: 'go' }, block, result]).length, args === sent ? 0 : 1);
    const out = rewire(outgoing([text(block)])).map((one) => JSON.parse(one.text) as WireMessage);
    assert.equal(out[0]?.tool_calls?.[0]?.function.arguments, sent);
  }
});

test('an id that is made unique is not longer than the API takes', () => {
  const long = 'x'.repeat(40);
  const block = text({ role: 'assistant', content: null, tool_calls: [call(long, '{}'), call(long, '{}')] });
  const [out] = rewire(outgoing([block]));
  const ids = (JSON.parse(out?.text ?? '') as WireMessage).tool_calls?.map(({ id }) => id) ?? [];
  assert.deepEqual(
    ids.map(({ length }) => length),
    [40, 40],
  );
  assert.equal(new Set(ids).size, 2);
});
