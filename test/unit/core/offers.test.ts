/** What a refusal offers instead: the smallest change that is taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apply, type Op } from '../../../src/core/ops.ts';
import { atEachStop, call, insert, remove, reply, result, say, set } from '../../doubles/twoRuns.ts';

/** What is offered for a refused op at a stop; `-` where nothing is. */
const offers: readonly (readonly [what: string, at: string, op: Op, offer: readonly Op[]])[] = [
  ['calls without results', '2 plan', remove('m5', 'history'), [remove('m5', 'history', 'm6', 'm7')]],
  ['a result alone', '2 plan', remove('m7', 'history'), [remove('m5/tool_calls/1', 'history', 'm7')]],
  [
    'a call alone',
    '2 plan',
    remove('m5/tool_calls/0', 'request'),
    [remove('m5/tool_calls/0', 'request', 'm6')],
  ],
  ['a goal alone', '1 plan', remove('m2', 'history'), [remove('m2', 'history', 'm3')]],
  [
    'a goal dropped before its answer',
    '1 plan',
    { kind: 'drop', target: 'm2' },
    [
      { kind: 'drop', target: 'm3' },
      { kind: 'drop', target: 'm2' },
    ],
  ],
  [
    'a result without its call',
    '1 plan',
    insert('history', { ...result('call_x'), name: 'calculator' }, 'm3'),
    [
      insert(
        'history',
        [
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call_x', type: 'function', function: { name: 'calculator', arguments: '{}' } },
            ],
          },
          { ...result('call_x'), name: 'calculator' },
        ],
        'm3',
      ),
    ],
  ],
  [
    'a call without its result',
    '1 plan',
    insert('history', reply(call('call_x', '9')), 'm3'),
    [
      insert(
        'history',
        [
          reply(call('call_x', '9')),
          { role: 'tool', tool_call_id: 'call_x', content: '{"success":false,"error":"no result"}' },
        ],
        'm3',
      ),
    ],
  ],
  [
    'between call and result',
    '2 plan',
    insert('request', say('user'), 'm6'),
    [insert('request', say('user'), 'm7')],
  ],
  [
    'a late system message',
    '2 plan',
    insert('history', say('system'), 'm3'),
    [insert('history', say('system'), 'm1')],
  ],
  [
    'an answer first',
    '1 plan',
    insert('request', say('assistant'), 'm1'),
    [insert('request', say('assistant'), 'm2')],
  ],
  [
    'too hot',
    '1 plan',
    set('request/temperature', 'request', '7'),
    [set('request/temperature', 'request', 2)],
  ],
  [
    'half a token',
    '1 plan',
    set('request/max_tokens', 'request', 0.2),
    [set('request/max_tokens', 'request', 1)],
  ],
  ['no number', '1 plan', set('request/temperature', 'request', 'hot'), []],
  [
    'an illegal name',
    '1 reply',
    set('m5/tool_calls/0/function/name', 'pending', 'read file'),
    [set('m5/tool_calls/0/function/name', 'pending', 'read_file')],
  ],
  [
    'half a pair',
    '1 reply',
    set('m5/content', 'pending', 'a \ud800'),
    [set('m5/content', 'pending', 'a \ufffd')],
  ],
  [
    'a call that was answered',
    '2 plan',
    set('m5/tool_calls/0/function/arguments', 'history', '{}'),
    [set('m5/tool_calls/0/function/arguments', 'request', '{}')],
  ],
  ['what has entered', '2 plan', set('m6/content', 'pending', 'x'), [set('m6/content', 'history', 'x')]],
  [
    'a mock of a call that ran',
    '1 act 2.1.2',
    { kind: 'mock', target: '2.1.1', data: 5 },
    [set('m6/content', 'pending', '{"success":true,"data":5}')],
  ],
  ['a skip of a call that ran', '1 act 2.1.2', { kind: 'skip', target: '2.1.1' }, []],
  [
    'a call less once it acts',
    '1 act 2.1.1',
    remove('m5/tool_calls/1', 'pending'),
    [{ kind: 'skip', target: '2.1.2' }],
  ],
  ['no reply', '1 reply', remove('m5', 'pending'), [{ kind: 'askAgain' }]],
  ['no text for an answer', '2 reply', set('m8/content', 'pending', ''), []],
  ['the system prompt', '1 plan', remove('m1', 'history'), []],
];

test('a refusal offers the smallest change that is taken, and nothing where there is none', async () => {
  const seen = new Set<string>();
  await atEachStop((name, state) => {
    for (const [what, at, op, offer] of offers) {
      if (at !== name) continue;
      seen.add(what);
      const applied = apply(state, op);
      assert.ok(!applied.ok, what);
      assert.deepEqual(applied.offer ?? [], offer, `${what}: ${applied.reason}`);
      if (offer.length === 1) assert.ok(apply(state, offer[0]!).ok, what);
    }
  });
  assert.equal(seen.size, offers.length);
});
