/** Files as people have them, good and bad: each is read, or refused with words that say what to do. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { foldAll } from '../../../src/core/fold.ts';
import { readSessionFile, type SessionFile } from '../../../src/entry/sessionFile.ts';
import { readJournalSteps } from '../../../src/session/journalText.ts';
import { exampleJournal } from '../../doubles/exampleJournal.ts';

const example = readFileSync('test/fixtures/journal-example.jsonl', 'utf8');
const body = (...texts: string[]) =>
  JSON.stringify({ model: 'gpt-x', messages: texts.map((content) => ({ role: 'user', content })) });
const read = (content: string | Uint8Array): Promise<SessionFile> =>
  readSessionFile(typeof content === 'string' ? Buffer.from(content) : content, {
    name: 'log.jsonl',
    session: 's',
  });

/** Rounds by run, and what is said of what is not shown. */
async function shown(content: string | Uint8Array) {
  const file = await read(content);
  assert.ok(file.ok, file.ok ? '' : file.problem);
  const state = foldAll(file.events);
  return { runs: state.runs.map(({ rounds }) => rounds.length), notices: file.notices, whole: file.whole };
}
async function problem(content: string | Uint8Array): Promise<string> {
  const file = await read(content);
  assert.ok(!file.ok);
  return file.problem;
}

test('a log of bodies: UTF-8 with a mark, UTF-16, CRLF, one body, an array, no line end', async () => {
  const two = `${body('a')}\n${body('a', 'b')}\n`;
  const utf16 = Buffer.from(`\ufeff${two}`, 'utf16le');
  for (const content of [
    two,
    `\ufeff${two}`,
    utf16,
    utf16.swap16(),
    two.replaceAll('\n', '\r\n'),
    two.trimEnd(),
  ])
    assert.deepEqual(await shown(Buffer.from(content)), { runs: [2], notices: [], whole: undefined });
  assert.deepEqual((await shown(body('a'))).runs, [1]);
  assert.deepEqual((await shown(`[${body('a')},\n${body('a', 'b')}]`)).runs, [2]);
  assert.deepEqual((await shown(JSON.stringify(JSON.parse(body('a')), null, 2))).runs, [1]);
});

test('lines that hold no request are named, whatever is wrong with them; a large one is read', async () => {
  const large = body('x'.repeat(8_000_000));
  const text = [body('a'), '{"broken": ', '', '{"choices":[]}', large, 'hello', 'null', '1', '2', '3'].join(
    '\n',
  );
  const { runs, notices } = await shown(text);
  assert.deepEqual(runs, [2]);
  assert.deepEqual(notices, [
    'log.jsonl: 2 requests are shown; lines without one are left out: 2, 4, 6, 7, 8, ….',
  ]);
});

const other = {
  responses: { model: 'm', instructions: 'i', input: [{ role: 'user', content: 'hi' }] },
  responsesText: { model: 'm', input: 'hi', max_output_tokens: 9 },
  anthropic: { model: 'm', system: 's', messages: [{ role: 'user', content: 'hi' }] },
  blocks: {
    messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] }],
  },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};

test('requests of another API are called by its name and not shown as what they are not', async () => {
  const names: Record<keyof typeof other, RegExp> = {
    responses: /OpenAI Responses API/,
    responsesText: /OpenAI Responses API/,
    anthropic: /Anthropic Messages API/,
    blocks: /Anthropic Messages API/,
    gemini: /Gemini API/,
  };
  for (const [name, value] of Object.entries(other)) {
    const words = await problem(JSON.stringify({ request: value }));
    assert.match(words, names[name as keyof typeof other]);
    assert.match(words, /chat completions/);
  }
  const mixed = await shown(`${body('a')}\n${JSON.stringify(other.anthropic)}\n`);
  assert.deepEqual(mixed.notices, ['log.jsonl: requests of the Anthropic Messages API are left out: 1.']);
  // Parts of OpenAI's own, and embeddings, are no other API's.
  const parts = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
  assert.deepEqual((await shown(JSON.stringify(parts))).runs, [1]);
  assert.match(await problem('{"model":"e","input":"a text"}'), /no request body/);
});

test('what is no session says so: empty, no role, other JSON, no JSON, deep nesting, bytes', async () => {
  assert.match(await problem(''), /is empty/);
  assert.match(await problem(' \r\n\ufeff'), /is empty/);
  assert.match(await problem('[{"content":"hi"},{"role":"user","content":"x"}]'), /without a role/);
  assert.match(await problem('{"messages":[{"content":"hi"}]}'), /without a role/);
  for (const content of [
    '{}',
    '[]',
    'hello',
    '{"name":"package"}',
    `${'['.repeat(100_000)}`,
    '{"messages":[]}',
  ])
    assert.match(await problem(content), /no request body .* no messages array/, content.slice(0, 20));
  assert.match(await problem(Uint8Array.from([0, 1, 2, 255, 254])), /no request body/);
});

test('a journal: whole, torn, of a newer version, broken in its middle', async () => {
  const whole = await shown(example);
  assert.deepEqual(whole, { runs: [2, 1], notices: [], whole: Buffer.byteLength(example) });

  const torn = await shown(`${example}{"seq":9`);
  assert.deepEqual([torn.runs, torn.whole], [[2, 1], Buffer.byteLength(example)]);
  assert.match(torn.notices[0] ?? '', /last line of log\.jsonl is not complete/);

  assert.match(
    await problem(example.replace('"v":1', '"v":2')),
    /journal version 2 .* another version of Loopscope/,
  );
  assert.match(await problem('{"seq":0,"at":1'), /can not be read/);

  const lines = example.split('\n');
  const broken = await read(lines.with(20, 'garbage').join('\n'));
  assert.ok(broken.ok);
  assert.equal(broken.events.length, 20);
  assert.equal(broken.whole, undefined, 'nothing is followed behind what can not be read');
  assert.match(broken.notices[0] ?? '', /line 21: the line is not a JSON object\. What stands before/);
});

test('a journal that is being written goes on behind its last whole line', () => {
  const lines = example.trimEnd().split('\n');
  const tail = readJournalSteps(`${lines.slice(10).join('\n')}\n{"seq"`, 10);
  let step = tail.next();
  while (!step.done) step = tail.next();
  assert.ok(step.value.ok);
  assert.deepEqual(step.value.events, exampleJournal().slice(10));
  assert.equal(step.value.torn, '{"seq"');
  const gap = readJournalSteps(lines.slice(11).join('\n'), 10);
  let other = gap.next();
  while (!other.done) other = gap.next();
  assert.ok(!other.value.ok);
});

test('others have their turn while a large file is read', async () => {
  const lines = Array.from({ length: 400 }, (_, n) =>
    body(...Array.from({ length: 40 }, (_, k) => `message ${Math.max(0, n - 20) + k} ${'word '.repeat(60)}`)),
  );
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const file = await read(lines.join('\n'));
  clearInterval(timer);
  assert.ok(file.ok);
  assert.ok(longest > 0);
  assert.ok(longest < 1000, `${longest} ms`);
});

test('what tools write around requests: pretty values one after the other, prefixes, an array cut off, gzip, no mark', async () => {
  const bodies = [body('a "quoted } brace"'), body('a "quoted } brace"', 'b [')];
  const pretty = bodies.map((one) => JSON.stringify(JSON.parse(one), null, 2));
  const two = `${bodies.join('\n')}\n`;
  const forms = {
    'pretty, one after the other': pretty.join('\n'),
    'with record separators': pretty.map((one) => `\x1e${one}\n`).join(''),
    'behind a time and a level': bodies
      .map((one) => `2026-01-02 10:00:00,123 INFO request: ${one}\n`)
      .join(''),
    'as server-sent events': bodies.map((one) => `data: ${one}\n\n`).join(''),
    'pretty, among prose': `Request:\n${pretty.join('\nNext request:\n')}\nbye\n`,
    'an array whose end is missing': `[\n${bodies.join(',\n')},\n`,
    gzip: gzipSync(two),
    'UTF-16 without a mark': Buffer.from(two, 'utf16le'),
    'UTF-16, the other way round': Buffer.from(two, 'utf16le').swap16(),
  };
  for (const [name, content] of Object.entries(forms))
    assert.deepEqual((await shown(content)).runs, [2], name);
  const torn = await shown(`[\n${bodies.join(',\n')},\n{"model":"m","mess`);
  assert.deepEqual(torn, {
    runs: [2],
    notices: ['log.jsonl: 2 requests are shown; lines without one are left out: 4.'],
    whole: undefined,
  });
  const broken = await shown(`${pretty[0]}\n{\n  "broken": ,\n}\n${pretty[1]}\n`);
  assert.deepEqual([broken.runs, broken.notices.length], [[2], 1]);
});

test('a packed journal is read and not followed; what can not be unpacked says so', async () => {
  const packed = await shown(gzipSync(example));
  assert.deepEqual(packed, { ...(await shown(example)), whole: undefined });
  assert.match(
    await problem(gzipSync(example).subarray(0, 200)),
    /can not be unpacked: unexpected end of file/,
  );
  assert.match(await problem(Buffer.from('504b03041400', 'hex')), /compressed, and not by gzip/);
  const table = await readSessionFile(Buffer.from('id,input\n1,"hi"\n'), { name: 'trace.csv', session: 's' });
  assert.ok(!table.ok && /is a table/.test(table.problem));
});
