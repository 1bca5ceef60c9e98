import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Observation } from '../../../src/core/messages.ts';
import { capObservation } from '../../../src/toolbox/capObservation.ts';
import { countCodePoints } from '../../../src/core/capText.ts';
import { resultText } from '../../../src/toolbox/resultText.ts';

const rest = (start: number) => `go on at ${start}`;

test('a result that fits is whole, its note beside it', () => {
  const observation = { success: true, data: { a: 1 } } as const;
  assert.deepEqual(capObservation(observation, { limit: 100, rest }), {
    content: '{"success":true,"data":{"a":1}}',
    isCut: false,
  });
  assert.equal(
    capObservation(observation, { limit: 100, note: 'hm' }).content,
    '{"success":true,"data":{"a":1},"note":"hm"}',
  );
});

test('a result that does not fit stays JSON, says what is left out, and where the rest begins', () => {
  const text = Array.from({ length: 500 }, (_, n) => `line ${n}: "🚀"\n`).join('');
  for (const observation of [
    { success: true, data: text },
    { success: false, error: text },
    { success: true, data: text.split('\n') },
  ] as Observation[]) {
    const { content, isCut } = capObservation(observation, { limit: 1000, note: 'hm', rest });
    assert.ok(isCut);
    assert.ok(
      countCodePoints(content) <= 1000 && countCodePoints(content) > 850,
      String(countCodePoints(content)),
    );
    const value = JSON.parse(content) as { data?: string; error?: string; note: string };
    const shown = value.data ?? value.error ?? '';
    const [head = '', gap = ''] = shown.split('… [');
    assert.match(gap, /^[\d,]+ of [\d,]+ characters left out\] …/);
    assert.equal(value.note, `hm go on at ${countCodePoints(head) + 1}`);
    assert.ok(resultText(observation).startsWith(head));
  }
});

test('C26 at any limit: at most so many characters, JSON, no half character', () => {
  const texts = ['🚀🚀🚀🚀', '🇩🇪🇫🇷🇯🇵', 'e\u0301'.repeat(9), '"\\\n'.repeat(30), 'x\ud800y', 'a'.repeat(300)];
  for (const text of texts) {
    for (let limit = 90; limit < 160; limit++) {
      const { content } = capObservation({ success: true, data: text.repeat(9) }, { limit, rest });
      assert.ok(countCodePoints(content) <= limit, `${limit}: ${content}`);
      assert.doesNotMatch(content, /\\u[dD][89a-fA-F]/);
      assert.ok(content.isWellFormed());
      JSON.parse(content);
    }
  }
});

test('cutting ends, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc.integer({ min: 0, max: 2000 }),
      (data, limit) => {
        const { content } = capObservation({ success: true, data }, { limit });
        JSON.parse(content);
      },
    ),
    { seed: 3 },
  );
});
