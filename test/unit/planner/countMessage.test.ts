/** C19: what is no text in a message is neither counted as text nor as nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import { countMedia, countMessage, mediaTokens, messageFraming } from '../../../src/planner/countMessage.ts';
import { shortenMessage } from '../../../src/planner/shorten.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';

const count = await createTokenCounter();
const base64 = Buffer.from(Array.from({ length: 90_000 }, (_, n) => (n * n * 31) % 251)).toString('base64');
const url = `data:image/png;base64,${base64}`;
const image = { type: 'image_url', image_url: { url } };
const caption = 'A cat on a mat.';

/** Contents, with the media in them and the tokens of the text beside. */
const contents: readonly (readonly [string, unknown, media: number, text: string])[] = [
  ['an image', [image], mediaTokens, ''],
  ['an image in high detail', [{ type: 'image_url', image_url: { url, detail: 'high' } }], mediaTokens, ''],
  ['an image in low detail', [{ type: 'image_url', image_url: { url, detail: 'low' } }], 85, ''],
  ['its detail beside it', [{ type: 'input_image', image_url: url, detail: 'low' }], 85, ''],
  ['an address', [{ type: 'image_url', image_url: { url: 'https://h/a.png' } }], mediaTokens, ''],
  ['an address as text', [{ type: 'image_url', image_url: url }], mediaTokens, ''],
  ['another API', [{ type: 'image', source: { type: 'base64', data: base64 } }], mediaTokens, ''],
  ['a caption in it', [{ type: 'image_url', image_url: { url }, text: caption }], mediaTokens, caption],
  ['a sound', [{ type: 'input_audio', input_audio: { data: base64, format: 'wav' } }], mediaTokens, ''],
  ['a file', [{ type: 'file', file: { file_data: url, filename: 'a.pdf' } }], mediaTokens, ''],
  ['three and a text', [image, image, image, caption], 4000, ''],
  ['a refusal', [{ type: 'refusal', refusal: caption }], 0, caption],
  ['a text with a mark', [{ type: 'text', text: caption, cache_control: { type: 'ephemeral' } }], 0, caption],
];
for (const [name, content, media, text] of contents)
  test(`counted: ${name}`, () => {
    for (const role of ['user', 'tool', 'assistant', 'system'] as const) {
      const message = { role, content } as WireMessage;
      assert.equal(countMedia(message), media);
      assert.equal(countMessage(message, count), messageFraming + media + count(text));
    }
  });

const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
const own: Readonly<Record<string, object>> = {
  'a sound of a reply': { audio: { id: 'a', data: base64, transcript: caption } },
  'an image of a reply': { images: [{ type: 'image_url', image_url: { url } }] },
  'an encrypted thought': { reasoning_details: [{ type: 'reasoning.encrypted', data: base64 }] },
  'a signature': { thought_signature: base64 },
  'a signature of a call': {
    tool_calls: [{ ...call, extra_content: { google: { thought_signature: base64 } } }],
  },
};
for (const [name, fields] of Object.entries(own))
  test(`counted in a provider's own field: ${name}; it is never cut in the middle`, () => {
    const message = { role: 'assistant', content: caption.repeat(400), ...fields } as WireMessage;
    const plain = countMessage({ role: 'assistant', content: message.content! }, count);
    const tokens = countMessage(message, count) - plain;
    assert.ok(tokens >= mediaTokens && tokens < mediaTokens + 60, String(tokens));
    const shorter = shortenMessage(message, 1500, count);
    assert.ok(countMessage(shorter, count) <= 1500);
    assert.ok(JSON.stringify(shorter).includes(base64));
    assert.match(contentText(shorter), /characters left out/);
    const least = JSON.stringify(shortenMessage(message, 300, count));
    assert.ok(least.includes(base64) || !least.includes(base64.slice(0, 40)));
  });

test('a long reasoning, and words without a space, are counted as text', () => {
  for (const reasoning_content of ['because it is so. '.repeat(500), '因为如此'.repeat(2000)]) {
    const message = { role: 'assistant', content: 'x', reasoning_content } as WireMessage;
    assert.equal(countMedia(message), 0);
    assert.ok(countMessage(message, count) > count(reasoning_content));
  }
});
