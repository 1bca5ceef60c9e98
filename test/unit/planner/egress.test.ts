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
