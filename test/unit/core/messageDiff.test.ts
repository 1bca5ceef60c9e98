import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FieldDiff, messageDiff } from '../../../src/core/messageDiff.ts';
import { messageBody } from '../../../src/core/messageView.ts';

type Call = readonly [id: string, name: string, args: string];

function reply(text: string | null, calls: readonly Call[] = [], extra: object = {}): string {
  return JSON.stringify({
    role: 'assistant',
    content: text,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(([id, name, args]) => ({
            id,
            type: 'function',
            function: { name, arguments: args },
          })),
        }),
    ...extra,
  });
}

/** One line a field: what a person reads. */
function lines(fields: readonly FieldDiff[]): string[] {
  const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;
  return fields.map(({ field, name, change, diff }) => {
    const text = diff.pieces
      .map((piece) => marks[piece.kind][0] + piece.text + marks[piece.kind][1])
      .join('');
    return `${change} ${name ?? field} ${text}`;
  });
}

test('an edited argument of one call: the whole message, and the difference where it is', () => {
  const before = reply('I add them up.', [
    ['c1', 'calculator', '{"expression":"45+20"}'],
    ['c2', 'add_todo', '{"content":"Mail","minutes":5}'],
  ]);
  const after = reply('I add them up.', [
    ['c1', 'calculator', '{"expression":"45+30"}'],
    ['c2', 'add_todo', '{"content":"Mail","minutes":5}'],
  ]);
  const fields = messageDiff(before, after);
  assert.deepEqual(lines(fields), [
    'same content I add them up.',
    'edited calculator {"expression":"45+[-20-]{+30+}"}',
    'same add_todo {"content":"Mail","minutes":5}',
  ]);
  assert.deepEqual(
    fields.map(({ path }) => path),
    ['content', 'tool_calls/0/function/arguments', 'tool_calls/1/function/arguments'],
  );
});

test('a message of many large calls is bounded as a whole, and what was not compared says so', () => {
  const words = (seed: number) => {
    let state = seed;
    const next = () => ['yes', 'no', 'so'][((state = (state * 48_271) % 0x7fffffff) >> 8) % 3];
    return Array.from({ length: 4000 }, next).join(' ');
  };
  const calls = (seed: number) =>
    Array.from({ length: 30 }, (_, index): Call => [`c${index}`, 'f', words(100 * seed + index)]);
  const fields = messageDiff(reply('', calls(1)), reply('', calls(2)));
  assert.equal(fields.length, 30);
  assert.ok(fields.every(({ change }) => change === 'edited'));
  assert.ok(fields.at(-1)!.diff.coarse);
  assert.ok(fields.at(-1)!.diff.pieces.length < 8);
});

test('calls that came and went are told as such; the others keep their pairs', () => {
  const before = reply('', [
    ['c1', 'f', '{}'],
    ['c2', 'g', '{"x":1}'],
  ]);
  assert.deepEqual(
    lines(
      messageDiff(
        before,
        reply('', [
          ['c2', 'g', '{"x":2}'],
          ['c3', 'h', '{}'],
        ]),
      ),
    ),
    ['removed f [-{}-]', 'edited g {"x":[-1-]{+2+}}', 'added h {+{}+}'],
  );
  // Another tool under the same id is another call.
  assert.deepEqual(
    lines(
      messageDiff(
        before,
        reply('', [
          ['c1', 'k', '{}'],
          ['c2', 'g', '{"x":1}'],
        ]),
      ),
    ),
    ['removed f [-{}-]', 'added k {+{}+}', 'same g {"x":1}'],
  );
});

test('ids that differ are shown, and do not part the calls', () => {
  assert.deepEqual(lines(messageDiff(reply('', [['a', 'f', '{}']]), reply('', [['b', 'f', '{}']]))), [
    'same f {}',
    'edited rest {"role":"assistant","tool_calls":[{"id":"[-a-]{+b+}","type":"function","function":{}}]}',
  ]);
});

test('a provider’s own fields, parts without text, and a text that is JSON', () => {
  assert.deepEqual(
    lines(
      messageDiff(
        reply('a', [], { reasoning_content: 'so' }),
        reply('a', [], { reasoning_content: 'thus', n: 1 }),
      ),
    ),
    ['same content a', 'edited reasoning_content "[-so-]{+thus+}"', 'added n {+1+}'],
  );
  const image = (url: string) =>
    JSON.stringify({
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url } },
      ],
    });
  assert.deepEqual(lines(messageDiff(image('a:1'), image('a:2'))), [
    'same content see\n[image_url]',
    'edited rest {"role":"user","content":[{"type":"text"},{"type":"image_url","image_url":{"url":"a:[-1-]{+2+}"}}]}',
  ]);
  const result = (data: unknown) =>
    JSON.stringify({ role: 'tool', tool_call_id: 'c', content: JSON.stringify(data) });
  assert.deepEqual(
    lines(messageDiff(result({ success: true, data: 65 }), result({ success: true, data: 75 }))),
    ['edited content {"success":true,"data":[-65-]{+75+}}'],
  );
});

test('what is no message, and what differs nowhere that is shown, is compared whole', () => {
  assert.deepEqual(lines(messageDiff('{"role":', '{"role":1')), ['edited message {"role":{+1+}']);
  const [before, after] = ['{"role":"user","content":"a"}', '{"content":"a","role":"user"}'];
  assert.deepEqual(
    messageDiff(before, after).map(({ field }) => field),
    ['message'],
  );
  assert.deepEqual(
    messageDiff(reply(null), reply('')).map(({ field, change }) => [field, change]),
    [['message', 'edited']],
  );
});

const call = fc.tuple(
  fc.constantFrom('', 'a', 'b', 'c'),
  fc.constantFrom('f', 'g'),
  fc.constantFrom('{}', '{"x":1}', '{"x":2}', 'broken', ''),
);
const message = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(null, '', 'hello', '{"a":[1]}'),
      fc.array(call, { maxLength: 4 }),
      fc.constantFrom({}, { n: 1 }, { n: [2] }, { n: 'x', name: 'y' }),
    )
    .map(([text, calls, extra]) => reply(text, calls, extra)),
  fc.json({ maxDepth: 2 }).map((text) => `{"role":"user","content":${text}}`),
  fc.constantFrom(
    '',
    'null',
    '{"role":1}',
    '{"role":"assistant","tool_calls":[null,1,{"function":[]}]}',
    '{"role":"user","tool_calls":{}}',
  ),
);

/** What a message has in the place of a field; undefined where it has none. */
function textAt(
  text: string,
  { field, name, path }: FieldDiff,
  side: 'before' | 'after',
): string | undefined {
  if (field === 'message') return text;
  const body = messageBody(text);
  if (field === 'content') return body.text;
  if (field === 'extra') return body.extras.find(([extra]) => extra === name)?.[1];
  // The path is that of now; before, the call may have stood elsewhere.
  return side === 'after' ? body.calls[Number(path.split('/')[1])]?.arguments : undefined;
}

function assertReads(field: FieldDiff, text: string, side: 'before' | 'after'): void {
  const own = side === 'before' ? 'removed' : 'added';
  const expected = textAt(text, field, side);
  if (expected === undefined) return;
  const read = field.diff.pieces
    .map(({ kind, text }) => (kind === 'same' || kind === own ? text : ''))
    .join('');
  if (field.diff.by === 'json' && side === 'before') assert.deepEqual(JSON.parse(read), JSON.parse(expected));
  else assert.equal(read, expected);
}

test('property: never throws; two texts that differ show it; each field reads as what each message has there', () => {
  fc.assert(
    fc.property(message, message, (before, after) => {
      const fields = messageDiff(before, after);
      assert.equal(
        fields.some(({ change }) => change !== 'same'),
        before !== after,
      );
      for (const field of fields) {
        const { change, diff } = field;
        assert.equal(
          diff.pieces.some(({ kind }) => kind !== 'same'),
          change !== 'same' && diff.pieces.length > 0,
        );
        if (field.field === 'rest') continue;
        if (change !== 'added') assertReads(field, before, 'before');
        if (change !== 'removed') assertReads(field, after, 'after');
      }
      const calls = fields.filter(({ field }) => field === 'arguments');
      if (calls.length > 0) {
        const left = calls.filter(({ change }) => change !== 'removed').length;
        assert.equal(left, messageBody(after).calls.length);
        const right = calls.filter(({ change }) => change !== 'added').length;
        assert.equal(right, messageBody(before).calls.length);
      }
    }),
    { seed: 20260140, numRuns: 4000 },
  );
});
