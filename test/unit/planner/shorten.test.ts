import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { legal } from '../../../src/core/legal.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import { countMessage, mediaTokens } from '../../../src/planner/countMessage.ts';
import { createMeasures } from '../../../src/planner/measure.ts';
import { shortenMessage, shortenText } from '../../../src/planner/shorten.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';

const count = await createTokenCounter();
const long = Array.from({ length: 4000 }, (_, n) => `line ${n} 行😀`).join('\n');

const call = (id: string, input: unknown) => ({
  id,
  type: 'function' as const,
  function: { name: 'write_file', arguments: typeof input === 'string' ? input : JSON.stringify(input) },
});
const blocks: Record<string, WireMessage> = {
  system: { role: 'system', content: long },
  tool: { role: 'tool', tool_call_id: 'a', content: long },
  assistant: { role: 'assistant', content: long },
  'list of texts': { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: long }] },
  arguments: { role: 'assistant', content: null, tool_calls: [call('a', { path: 'x', content: long })] },
  'many arguments': {
    role: 'assistant',
    tool_calls: [call('a', { list: long.split('\n') }), call('b', { [long]: 1 }), call('c', {})],
  },
  'arguments that are none': { role: 'assistant', content: '', tool_calls: [call('a', `{"path": "${long}`)] },
  reasoning: {
    role: 'assistant',
    content: 'short',
    reasoning_content: long,
    reasoning_details: [{ data: long }],
  },
};

for (const [name, message] of Object.entries(blocks)) {
  test(`C17: shortened and as legal as it was: ${name}`, () => {
    for (const max of [120, 400, 3000]) {
      const shorter = shortenMessage(message, max, count);
      assert.ok(countMessage(shorter, count) <= max, `${countMessage(shorter, count)} of ${max}`);
      assert.equal(shorter.role, message.role);
      assert.equal(shorter.tool_call_id, message.tool_call_id);
      const ids = (one: WireMessage) => one.tool_calls?.map(({ id, function: { name: tool } }) => [id, tool]);
      assert.deepEqual(ids(shorter), ids(message));
      assert.deepEqual(legal(around(shorter)), []);
      assert.deepEqual(shortenMessage(shorter, max, count), shorter);
    }
  });
}

/** The message where it may stand. */
function around(message: WireMessage): WireMessage[] {
  const user = { role: 'user', content: 'go' } as const;
  if (message.role === 'system') return [message, user];
  const block: WireMessage =
    message.role === 'tool' ? { role: 'assistant', tool_calls: [call('a', {})] } : message;
  const results = (block.tool_calls ?? []).map(({ id }): WireMessage => {
    return message.role === 'tool' ? message : { role: 'tool', tool_call_id: id, content: 'ok' };
  });
  return [user, block, ...results];
}

test('head and tail stay, and the gap says what was left out', () => {
  const text = contentText(shortenMessage(blocks['tool']!, 300, count));
  assert.ok(text.startsWith('line 0 '));
  assert.ok(text.endsWith('line 3999 行😀'));
  assert.match(text, /\[[\d,]+ of [\d,]+ characters left out\]/);
  const tokens = countMessage(shortenMessage(blocks['tool']!, 300, count), count);
  assert.ok(tokens > 200, `${tokens}: more was cut than had to be`);
});

test('whatever the text: never more than the tokens, well-formed, and none left where none fits', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.integer({ min: 0, max: 60 }),
      (text, max) => {
        const shorter = shortenText(text, max, count);
        assert.ok(count(shorter) <= max);
        assert.ok(shorter === text || shorter.isWellFormed());
      },
    ),
    { seed: 7, numRuns: 500 },
  );
});

test('C19: an image costs the same however large it is, and is never counted as text', () => {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(3_000_000)}` } };
  const text = { type: 'text', text: 'what is this' };
  const plain = countMessage({ role: 'user', content: [text] }, count);
  assert.equal(countMessage({ role: 'user', content: [text, image] }, count), plain + mediaTokens);
  const own = { role: 'assistant', content: 'x', images: [image] } as WireMessage;
  assert.ok(Math.abs(countMessage(own, count) - mediaTokens) < 60);
  // In a result it leaves where there is no room for it, and is named.
  const shorter = shortenMessage({ role: 'tool', tool_call_id: 'a', content: [text, image] }, 100, count);
  assert.equal(contentText(shorter), '[1 attachment left out] what is this');
});

test('a text is counted once, whatever is asked of it', () => {
  const seen: string[] = [];
  const measures = createMeasures((text) => {
    seen.push(text);
    return count(text);
  });
  const text = JSON.stringify({ role: 'tool', tool_call_id: 'a', content: 'word '.repeat(500) });
  for (let n = 0; n < 3; n++) {
    measures.of(text);
    measures.cut(text, 50);
    measures.stub(text);
  }
  const once = seen.length;
  measures.of(text);
  measures.cut(text, 50);
  measures.stub(text);
  assert.equal(seen.length, once);
  assert.ok(measures.stub(text).tokens < 40);
  assert.match(measures.stub(text).text, /2,500 characters\) was left out/);
});

test('a text that is far too long is not counted as a whole to find that out', () => {
  let longest = 0;
  const watched = (text: string) => {
    longest = Math.max(longest, text.length);
    return count(text);
  };
  const cut = shortenText('word '.repeat(200_000), 300, watched);
  assert.ok(count(cut) <= 300 && count(cut) > 250);
  assert.ok(longest < 8_000, `${longest} units`);
});

test('a long form that was prepared is the one that is cut at once, and is not missing any more', async () => {
  const text = JSON.stringify({ role: 'tool', tool_call_id: 'a', content: long });
  const [here, elsewhere] = [createMeasures(count), createMeasures(count)];
  const missing = () => {
    const trial = elsewhere.trial();
    const short = JSON.stringify({ role: 'user', content: 'word '.repeat(500) });
    assert.deepEqual(trial.measures.cut(short, 50), here.cut(short, 50));
    const { tokens } = trial.measures.cut(text, 3_000);
    trial.measures.cut(text, 3_000);
    assert.ok(tokens === 3_000 || trial.missing.length === 0);
    return trial.missing;
  };
  const [form, ...others] = missing();
  assert.ok(form);
  assert.deepEqual(others, []);
  const asked: string[] = [];
  await elsewhere.prepare(form, (texts) => void asked.push(...texts));
  assert.ok(asked.length > 1);
  assert.deepEqual(missing(), []);
  assert.deepEqual(elsewhere.cut(text, 3_000), here.cut(text, 3_000));
});

test('C17: a message that is hardly too large loses hardly anything, however many tokens a character takes', () => {
  const kinds = [
    'line 12\n',
    '행',
    '漢字',
    '0123456789',
    '🧑🏽‍🚀',
    'Zm9vYmFy+/',
    '\u0915\u094d\u0937',
    '𓀀',
    '"\\',
  ];
  const makes: readonly ((text: string) => WireMessage)[] = [
    (content) => ({ role: 'system', content }),
    (data) => ({ role: 'tool', tool_call_id: 'a', content: JSON.stringify({ success: true, data }) }),
    (text) => ({ role: 'assistant', content: null, tool_calls: [call('a', { text })] }),
    (text) => {
      const data = { call: '1.1.1', start: 2, end: 1 + [...text].length, total: 99_999, text };
      return { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ success: true, data }) };
    },
  ];
  // The words of the gap cost tokens too, and a grapheme is cut whole.
  for (const kind of kinds) {
    for (const make of makes) {
      for (const size of [120, 300, 2000, 9000]) {
        let text = kind;
        while (countMessage(make(text), count) < size)
          text += kind.repeat(Math.ceil(text.length / kind.length / 8));
        const message = make(text);
        const whole = countMessage(message, count);
        for (const share of [0.98, 0.9, 0.7]) {
          const max = Math.floor(whole * share);
          const tokens = countMessage(shortenMessage(message, max, count), count);
          assert.ok(tokens <= max && tokens >= max * 0.6 - 20, `${kind} ${whole}: ${tokens} of ${max}`);
          if (make === makes[0]) {
            const left = count(shortenText(text, max, count));
            assert.ok(
              left <= max && (max >= count(text) || left >= max * 0.6 - 20),
              `${kind}: ${left} of ${max}`,
            );
          }
        }
      }
    }
  }
});
