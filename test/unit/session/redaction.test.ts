/** C42: what is secret reaches the model and the tools, and neither the journal nor a view. */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';
import * as fc from 'fast-check';
import * as z from 'zod';
import { checkJournal } from '../../../src/core/check.ts';
import { parseMessage } from '../../../src/core/parseMessage.ts';
import { agentSchema } from '../../../src/entry/agentSchema.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import type { AgentConfig } from '../../../src/core/config.ts';
import { openSessionFile } from '../../../src/entry/openSessionFile.ts';
import { compilePattern, secretsOf } from '../../../src/entry/secrets.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createCleanStream } from '../../../src/session/cleanStream.ts';
import { readJournalText } from '../../../src/session/journalText.ts';
import { createRedactor } from '../../../src/session/redactor.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, fails, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent } from '../../doubles/testAgent.ts';

const folder = fs.mkdtempSync(path.join(tmpdir(), 'redaction-'));
after(() => fs.rmSync(folder, { recursive: true }));
const config = (settings: object) => agentSchema.parse({ model_name: 'm', ...settings }) as AgentConfig;
const key = 'k3y"with\\quotes-FAKE';
const shaped = 'sk-FAKE-1234567890';
const env = {
  MY_TOKEN: 'tok-FAKE-77',
  SHORT_KEY: 'FAKE',
  HOME: '/home/FAKE',
  SSH_KEY: '/home/FAKE/id',
  N_KEY: 'production',
};
const secrets = secretsOf(
  config({ api_base: 'https://u:pw-FAKE-1@h/v1?api_key=q-FAKE-2', redact: ['EMP-\\d{6}', 'user'] }),
  key,
  env,
);

const received: unknown[] = [];
const use = defineTool({
  name: 'use',
  description: 'Uses a key.',
  effects: 'outside',
  input: z.object({ key: z.string(), id: z.string() }),
  run(input) {
    received.push(input);
    return {
      echoed: `${input.key} ${'x'.repeat(3980)} ${shaped}`,
      header: `Authorization: Bearer ${shaped}`,
    };
  },
});

async function run(file: string, goal: string, steps: readonly ModelStep[]) {
  const input = { file: path.join(folder, file), id: 's-1', agent: 'a', clock: createFixedClock() };
  const opened = openSessionFile(input);
  assert.ok(opened.ok);
  const model = createScriptedModel(steps, `https://h/v1/chat/completions?api_key=q-FAKE-2`);
  const prompt = `Know ${key} and EMP-123456.`;
  const agent = { ...(await createTestAgent(model, { system_prompt: prompt }, [use])), secrets };
  let live = '';
  const onText = (delta: string) => (live += delta);
  await startRun(agent, opened.session, { goal, onText }).done;
  opened.session.journal.close();
  const text = fs.readFileSync(input.file, 'utf8');
  const read = readJournalText(text);
  assert.ok(read.ok);
  const report = checkJournal(read.events, { sha256, byteLength: (body) => Buffer.byteLength(body) });
  assert.deepEqual(report.problems, []);
  return { text, live, bodies: model.bodies, session: opened.session, events: read.events };
}

test('keys go over the wire and into tools, and are nowhere in the journal, the state or the live text', async () => {
  const call = calls([{ name: 'use', arguments: { key, id: 'EMP-123456' } }]);
  const { text, live, bodies, session } = await run('one.jsonl', `my key is ${shaped}, user EMP-654321`, [
    fails('auth', {
      status: 401,
      message: `Incorrect key ${key} at https://h/v1?api_key=q-FAKE-2`,
      retryable: true,
      retryAfter: 1,
    }),
    call,
    (_body, { onText }) => {
      for (const piece of ['Your key', ' is sk-FA', 'KE-12345', '67890, and tok-F', 'AKE-77.']) onText(piece);
      return says(`Your key is ${shaped}, and tok-FAKE-77.`);
    },
  ]);
  assert.deepEqual(text.match(/.{0,40}FAKE.{0,20}/), null);
  assert.doesNotMatch(text, /EMP-\d/);
  assert.doesNotMatch(JSON.stringify([...session.state.parts]), /FAKE/);
  assert.doesNotMatch(live, /FAKE|67890/);
  assert.match(
    live,
    /^Your key is \[redacted:api-key:[0-9a-f]{8}\], and \[redacted:my-token:[0-9a-f]{8}\]\.$/,
  );
  for (const body of bodies) {
    assert.ok(body.includes(shaped) && body.includes('EMP-654321'));
    assert.ok(body.includes(JSON.stringify(key).slice(1, -1)));
    assert.doesNotMatch(body, /\[redacted:/);
  }
  assert.deepEqual(received, [{ key, id: 'EMP-123456' }]);
  assert.equal(fs.statSync(path.join(folder, 'one.jsonl')).mode & 0o777, 0o600);
});

test('spans say where and what; every redacted message is still a message', async () => {
  const { events } = await run('spans.jsonl', `my key is ${shaped}`, [says('ok')]);
  const parts = events.flatMap((event) => (event.type === 'part' && event.redacted ? [event] : []));
  assert.ok(parts.length >= 3);
  for (const { text, redacted = [] } of parts)
    for (const [start, length, name] of redacted)
      assert.match(text.slice(start, start + length), new RegExp(`^\\[redacted:${name}:[0-9a-f]{8}\\]$`));
  const goal = parts.find(({ text }) => text.includes('my key is'));
  assert.equal(parseMessage(goal?.text ?? '')?.role, 'user');
});

test('resumed where the same keys are known: they are put back; a prompt with a key has not changed', async () => {
  await run('again.jsonl', `use ${key}`, [says('ok')]);
  const { bodies, events } = await run('again.jsonl', 'go on', [says('ok')]);
  assert.ok(bodies[0]?.includes(`use ${JSON.stringify(key).slice(1, -1)}`));
  assert.ok(!events.some(({ type }) => type === 'edited' || type === 'anomaly'));
});

test('resumed where a key is not known any more: the placeholder is sent, and said so once', async () => {
  await run('lost.jsonl', `use ${shaped}`, [says('ok')]);
  const { bodies, events } = await run('lost.jsonl', 'go on', [says('ok')]);
  assert.match(bodies[0] ?? '', /use \[redacted:api-key:[0-9a-f]{8}\]/);
  const said = events.filter((event) => event.type === 'anomaly' && event.code === 'redacted-sent');
  assert.equal(said.length, 1);
});

test('what looks like a key is taken out, what does not stays', () => {
  const redactor = createRedactor(() => 's');
  const out = [
    'Authorization: Bearer abc-FAKE-1234567',
    '"x-api-key":"k-FAKE"',
    '\\"X-Api-Key\\":\\"k-FAKE\\"',
    'x-team-token: t-FAKE',
    'Cookie: s=FAKE',
    'set-cookie: z=FAKE',
    'https://h/v1?api_key=q-FAKE',
    'postgres://me:pw-FAKE@db/x',
    `ghp_${'FAKE'.repeat(6)}`,
    'AKIAFAKEFAKEFAKEFAKE',
    `AIza${'FAKE'.repeat(9)}`,
    'xoxb-FAKE-FAKE-FAKE',
    shaped,
    `eyJ${'FAKE'.repeat(4)}.${'FAKE'.repeat(4)}.${'FAKE'.repeat(4)}`,
    '-----BEGIN RSA PRIVATE KEY-----\\nFAKE\\n-----END RSA PRIVATE KEY-----',
  ];
  for (const text of out) {
    const { text: clean, spans } = redactor.clean(text);
    assert.ok(!clean.includes('FAKE'), clean);
    assert.equal(spans.length, 1, text);
    assert.equal(redactor.reveal(clean), text);
  }
  for (const text of [
    'basic understanding of tokens',
    'the task-force met',
    'a cookie: chocolate',
    'https://h:8080/v1?q=x',
    'key=value',
    'p. 12:30',
    '0'.repeat(64),
    'npm_config',
    'risk-management-2024-plan',
  ])
    assert.equal(redactor.clean(text).text, text);
});

test('a known key is found in base64, wherever it stands in what was encoded, and comes back', () => {
  const value = 'plainFAKEsecret/+value';
  const redactor = createRedactor(() => 's');
  redactor.add({ values: [{ name: 'key', value }], patterns: [] });
  const largest = Buffer.from(value).toString('base64').slice(4, -4);
  for (const before of ['', 'u', 'me', 'abc', 'user:', 'a long name:'])
    for (const after of ['', 'x', 'xy'])
      for (const kind of ['base64', 'base64url'] as const) {
        const text = `data ${Buffer.from(before + value + after).toString(kind)} end`;
        const cleaned = redactor.clean(text).text;
        assert.notEqual(cleaned, text, text);
        assert.ok(!cleaned.includes(largest), cleaned);
        assert.equal(redactor.reveal(cleaned), text);
      }
});

test('keys that are assigned are found by the name, and code that only names them stays', () => {
  const redactor = createRedactor(() => 's');
  for (const text of [
    'OPENAI_API_KEY=FAKE12345678',
    '"api_key": "FAKE12345678"',
    'DB_PASSWORD=FAKEhunter2',
    '{"client_secret":"FAKEabc123def"}',
    '{\\"password\\":\\"FAKEhunter22\\"}',
    'aws_secret_access_key = FAKEwJalrXUtnFEMI/K7MDENG/bPxRfiCY1',
    "password: 'FAKE1234'",
    'nvapi-FAKE1234567890abcdef12',
    'ya29.FAKEabcdefghij1234567',
  ]) {
    assert.doesNotMatch(redactor.clean(text).text, /FAKE/);
    let shown = '';
    const stream = createCleanStream(redactor, (delta) => (shown += delta));
    for (const character of text) stream.push(character);
    stream.end();
    assert.doesNotMatch(shown, /FAKE/);
  }
  for (const text of [
    'apiKey: string',
    'password = request.body.password',
    'const api_key = process.env.API_KEY',
    '"api_key_env": "OPENAI_API_KEY2"',
    'password must have 8 characters',
    'api_key=getKey(1)',
    'access_token = config.keys[0]',
    'auth_token: ${token1}',
  ])
    assert.deepEqual(redactor.clean(text).spans, [], text);
});

test('cleaning ends for large hostile texts, and what was cleaned comes back exactly', () => {
  const redactor = createRedactor(() => 's');
  const evil = compilePattern('(a+)+$', 'evil');
  assert.ok(evil.ok);
  redactor.add({ values: [{ name: 'v', value: key }], patterns: [evil.pattern] });
  for (const piece of [
    'sk-',
    '://',
    '?key=',
    'Bearer ',
    'eyJa.',
    '-----BEGIN PRIVATE KEY-----',
    'x-a',
    '\\"',
    'a',
    'cookie:',
  ])
    redactor.clean(piece.repeat(200_000));
  const text = fc
    .array(
      fc.constantFrom(
        key,
        shaped,
        'Bearer abc12345678901',
        ' ',
        '"',
        '\\',
        'x',
        '[redacted:v:00000000]',
        '\n',
      ),
    )
    .map((list) => JSON.stringify(list.join('')));
  fc.assert(
    fc.property(text, (one) => {
      const { text: clean } = redactor.clean(one);
      assert.equal(redactor.reveal(clean), one);
      assert.equal(typeof JSON.parse(clean), 'string');
      assert.equal(redactor.clean(clean).text, clean);
    }),
    { seed: 5 },
  );
});

test('a stream cut anywhere shows no key', () => {
  const redactor = createRedactor(() => 's');
  redactor.add({ values: [{ name: 'v', value: 'pässword-FAKE' }], patterns: [] });
  const whole = `Say ${shaped} or Bearer abcd1234FAKE99 or pässword-FAKE.\nDone: 你好。`;
  for (let first = 0; first < whole.length; first++)
    for (let second = first; second < whole.length; second += 3) {
      const shown: string[] = [];
      const stream = createCleanStream(redactor, (delta) => shown.push(delta));
      for (const piece of [whole.slice(0, first), whole.slice(first, second), whole.slice(second)])
        stream.push(piece);
      stream.end();
      assert.doesNotMatch(shown.join(''), /FAKE|1234/, `${first} ${second}`);
      assert.match(shown.join(''), /\nDone: 你好。$/);
    }
});

test('a user pattern that can not be used is told of where it stands', () => {
  for (const source of ['(', '(?=x)', '(a)\\1']) assert.ok(!compilePattern(source, 'p').ok, source);
});
