import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legal } from '../../../src/core/legal.ts';
import type { WireMessage } from '../../../src/core/messages.ts';

const user: WireMessage = { role: 'user', content: 'go' };
const call = (id: string, args = '{}', name = 'f') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
});
const block = (...calls: ReturnType<typeof call>[]): WireMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
});
const result = (id: string): WireMessage => ({ role: 'tool', tool_call_id: id, content: 'x' });

const table: readonly (readonly [string, WireMessage[], string[]])[] = [
  ['empty', [], []],
  ['system then user', [{ role: 'system', content: 's' }, user], []],
  ['a block with its results', [user, block(call('a'), call('b')), result('a'), result('b'), user], []],
  ['results in another order', [user, block(call('a'), call('b')), result('b'), result('a')], []],
  ['assistant first', [{ role: 'assistant', content: 'hi' }, user], ['first-user']],
  ['late system', [user, { role: 'system', content: 's' }], ['system-first']],
  ['orphan result', [user, result('a')], ['orphan-result']],
  ['missing result at the end', [user, block(call('a'))], ['missing-result']],
  [
    'missing result before a user',
    [user, block(call('a'), call('b')), result('a'), user],
    ['missing-result'],
  ],
  ['a result twice', [user, block(call('a')), result('a'), result('a')], ['orphan-result']],
  ['empty assistant', [user, { role: 'assistant', content: '' }], ['empty-assistant']],
  [
    'id used twice in a block',
    [user, block(call('a'), call('a')), result('a'), result('a')],
    ['duplicate-id'],
  ],
  [
    'id used in two blocks',
    [user, block(call('a')), result('a'), block(call('a')), result('a')],
    ['duplicate-id'],
  ],
  ['bad name', [user, block(call('a', '{}', 'a.b/c')), result('a')], ['bad-name']],
  ['arguments that are no object', [user, block(call('a', '[1]')), result('a')], ['bad-arguments']],
  ['arguments that are cut', [user, block(call('a', '{"x":')), result('a')], ['bad-arguments']],
  ['lone surrogate', [{ role: 'user', content: '\ud83d' }], ['ill-formed']],
  [
    'lone surrogate in an own field',
    [user, { role: 'assistant', content: 'x', reasoning_content: '\udc00' }],
    ['ill-formed'],
  ],
  [
    'an empty list of calls, and none in place of one',
    [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'x', tool_calls: [] },
      { role: 'assistant', content: 'x', tool_calls: null as unknown as [] },
    ],
    ['bad-content', 'bad-content'],
  ],
  ['content that is no text', [{ role: 'user', content: 3 as unknown as string }], ['bad-content']],
  ['image parts', [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }], []],
];

for (const [name, messages, rules] of table) {
  test(`legal: ${name}`, () =>
    assert.deepEqual(
      legal(messages).map(({ rule }) => rule),
      rules,
    ));
}
