import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldAll } from '../../../src/core/fold.ts';
import { callLinks, messageBody } from '../../../src/core/messageView.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

test('calls and results are linked both ways, within their block', () => {
  const state = foldAll(exampleJournal());
  assert.deepEqual(
    [...callLinks(state, 'm3').results],
    [
      ['call_a', 'm4'],
      ['call_b', 'm5'],
    ],
  );
  assert.equal(callLinks(state, 'm5').call, 'm3');
  for (const id of ['m1', 'm6', 'm99']) {
    const { results, call } = callLinks(state, id);
    assert.deepEqual([results.size, call], [0, undefined]);
  }
});

test('a text that is no message is shown as it stands, a broken one without a throw', () => {
  assert.deepEqual(messageBody('{"role":'), { parsed: false, text: '{"role":', calls: [], extras: [] });
  const odd = messageBody(
    '{"role":"assistant","tool_calls":[null,{"function":{"name":7}}],"content":{"a":1}}',
  );
  assert.deepEqual(
    odd.calls.map((call) => [call.name, call.arguments]),
    [
      ['', ''],
      ['7', ''],
    ],
  );
  assert.equal(odd.text, '');
});

test('parts without text are named, a provider’s own fields are kept', () => {
  const body = messageBody(
    '{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{}}],"reasoning_content":"hm"}',
  );
  assert.equal(body.text, 'look\n[image_url]');
  assert.deepEqual(body.extras, [['reasoning_content', '"hm"']]);
});
