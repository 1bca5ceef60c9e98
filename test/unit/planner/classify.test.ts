/** One classifier, its tables, and what people are told (C06, C11, C14, C18). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, type Classified, type Refusal } from '../../../src/planner/classify.ts';
import { classifyNetwork } from '../../../src/planner/classifyNetwork.ts';
import { cleanText } from '../../../src/planner/classifyText.ts';
import { retryAfterMs } from '../../../src/planner/retryAfter.ts';
import { events, failed, readText } from './readText.ts';

function judge(status: number | undefined, body: unknown, more: Partial<Refusal> = {}): Classified {
  return classify({
    ...(status === undefined ? {} : { status }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    url: 'http://model.test/v1/chat/completions',
    keySent: true,
    now: 0,
    ...more,
  });
}

const error = (message: string, rest: object = {}) => ({ error: { message, ...rest } });

const overflows: readonly (readonly [number, unknown, Classified['tokens']])[] = [
  [
    400,
    error('maximum context length is 8192 tokens, however you requested 9001', {
      code: 'context_length_exceeded',
    }),
    { asked: 9001, limit: 8192 },
  ],
  [
    400,
    error('request (9001 tokens) exceeds the available context size (8192 tokens)', {
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9001,
      n_ctx: 8192,
    }),
    { asked: 9001, limit: 8192 },
  ],
  [
    400,
    error('request (9001 tokens) exceeds the available context size (8192 tokens)'),
    { asked: 9001, limit: 8192 },
  ],
  [400, error('Context size has been exceeded.'), undefined],
  [400, error('your prompt contains at least 8193 input tokens, max 8192'), { asked: 8193, limit: 8192 }],
  [400, error('ContextWindowExceededError: Context Window exceeded for given call'), undefined],
  [413, 'Request Entity Too Large', undefined],
  [
    400,
    error(
      "This model's maximum context length is 16,385 tokens. However, your messages resulted in 20,000 tokens.",
    ),
    { asked: 20000, limit: 16385 },
  ],
  [
    400,
    error(
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    ),
    { asked: 40000, limit: 32768 },
  ],
  [
    400,
    {
      code: 'invalid argument',
      error: 'maximum prompt length is 131072 but the request contains 537812 tokens.',
    },
    { asked: 537812, limit: 131072 },
  ],
  [
    400,
    { message: 'too many tokens: the prompt cannot exceed 4081 - received 5000' },
    { asked: 5000, limit: 4081 },
  ],
  [
    422,
    error('`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens'),
    { asked: 5000, limit: 4097 },
  ],
  [400, { error: 'The number of tokens to keep is greater than the context length.' }, undefined],
  [400, error('prompt is too long: 210000 tokens > 200000 maximum'), { asked: 210000, limit: 200000 }],
  [
    400,
    error('The input token count (1189) exceeds the maximum number of tokens allowed (1000).'),
    { asked: 1189, limit: 1000 },
  ],
];

test('C18: overflows in all their wordings, with the numbers they tell', () => {
  for (const [status, body, tokens] of overflows) {
    const found = judge(status, body);
    assert.equal(found.class, 'overflow', found.message);
    assert.deepEqual(found.tokens, tokens);
    assert.equal(found.retryable, false);
    assert.match(found.message, /context\.max_tokens/);
  }
  assert.equal(
    judge(429, error('tokens per minute: maximum context length of the window')).class,
    'rate-limit',
  );
});

/** Further wordings, each of another server or version. */
const furtherOverflows: readonly (readonly [string, Classified['tokens']])[] = [
  [
    'the input (5000 tokens) is larger than the max context size (4096 tokens). skipping',
    { asked: 5000, limit: 4096 },
  ],
  [
    'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    { asked: 5000, limit: 4096 },
  ],
  [
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.',
    { asked: 300000, limit: 272000 },
  ],
  ['Your request exceeded model token limit: 8192 (requested: 9000)', { asked: 9000, limit: 8192 }],
  ['prompt token count of 130000 exceeds the limit of 128000', { asked: 130000, limit: 128000 }],
  ['Requested tokens (9001) exceed context window of 8192', { asked: 9001, limit: 8192 }],
  ['Request body too large for gpt-4o model. Max size: 8000 tokens.', { limit: 8000 }],
  ['Range of input length should be [1, 30720]', { limit: 30720 }],
  ['total tokens of image and text exceed max message tokens', undefined],
  ['Your input exceeds the context window of this model. Please adjust your input.', undefined],
  // Its number is that of the error.
  ['invalid params, context window exceeds limit (2013)', undefined],
  [
    'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    { asked: 209573, limit: 200000, reply: 21333 },
  ],
];

test('C18: overflows of further servers', () => {
  for (const [words, tokens] of furtherOverflows) {
    const found = judge(400, error(words));
    assert.equal(found.class, 'overflow', found.message);
    assert.deepEqual(found.tokens, tokens, words);
  }
  assert.equal(judge(400, error('x', { code: 'tokens_limit_reached' })).class, 'overflow');
});

test('a reply that may not be so long is no overflow, and the parameter is named', () => {
  for (const words of [
    'max_tokens must be at most 4096',
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for m',
    'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
    'Input should be less than or equal to 8192: max_tokens',
    'The maximum tokens you requested exceeds the model limit of 4096.',
    'max_completion_tokens should be <= 4096',
    'max_tokens must be at least 1, got 0.',
  ]) {
    const found = judge(400, error(words));
    assert.equal(found.class, 'bad-request', words);
    assert.match(found.message, /Correct max_tokens under "parameters"/);
    assert.equal(found.unexplained, undefined);
  }
});

test('C39: a web page that refuses is none of the API: nothing is said of the key', () => {
  for (const page of [
    '<!DOCTYPE html><html><head><title>Access Denied</title></head><body>x</body></html>',
    '\uFEFF<html><head><title>Access Denied</title></head></html>',
    '<!-- made by a firewall --><html><body>Access Denied<p>policy 7</body></html>',
    '<HTML>\n<HEAD>\n<TITLE>Access Denied</TITLE>',
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  ]) {
    for (const status of [401, 403, 451, 511]) {
      const { class: kind, retryable, message } = judge(status, page);
      assert.deepEqual([kind, retryable], ['network', false], page);
      assert.match(message, /Access Denied \(an (?:HTML page|XML document)\).*proxy, a firewall/);
      assert.doesNotMatch(message, /key/i);
    }
    assert.match(judge(407, page).message, /proxy wants a user name/);
    assert.equal(judge(502, page).class, 'server');
  }
  // What is neither a page nor an error of the API's may be either's.
  assert.match(judge(403, 'error code: 1020').message, /key is not the right one.*or a proxy or firewall/);
  assert.match(judge(403, error('no')).message, /key is not the right one, or is not allowed this\. Run/);
});

test('C18: the same bodies inside a 200 stream', async () => {
  for (const [status, body] of overflows) {
    if (status !== 400) continue;
    assert.equal(failed(await readText(events({ choices: [], ...(body as object) }))).class, 'overflow');
  }
});

test('classes by code, status and text', () => {
  const table: readonly (readonly [number | undefined, unknown, Classified['class'], boolean])[] = [
    [401, error('Incorrect API key provided'), 'auth', false],
    [403, error('This model is not for you'), 'auth', false],
    [402, '', 'rate-limit', false],
    [429, error('slow down'), 'rate-limit', true],
    [429, error('You exceeded your current quota', { code: 'insufficient_quota' }), 'rate-limit', false],
    [400, error('filtered', { code: 'content_filter' }), 'refused', false],
    [404, error('The model `gpt-9` does not exist', { code: 'model_not_found' }), 'bad-request', false],
    [404, 'Not Found', 'bad-request', false],
    [400, error('This model does not support tools'), 'bad-request', false],
    [422, { detail: [{ loc: ['body', 'messages'], msg: 'field required' }] }, 'bad-request', false],
    [408, '', 'server', true],
    [500, '', 'server', true],
    [503, error('Loading model', { type: 'unavailable_error', code: 503 }), 'server', true],
    [529, error('Overloaded', { type: 'overloaded_error' }), 'server', true],
    [307, '', 'bad-request', false],
    [undefined, error('worker limit reached', { code: 502 }), 'server', true],
    [undefined, error('slow', { code: '429' }), 'rate-limit', true],
    [undefined, { error: 'upstream went away' }, 'server', true],
  ];
  for (const [status, body, expected, retryable] of table) {
    const found = judge(status, body);
    assert.deepEqual([found.class, found.retryable], [expected, retryable], `${status} ${found.message}`);
    assert.notEqual(found.message.trim(), '');
  }
});

test('C06: an HTML page is its title and the status', () => {
  const found = judge(500, '<html><head><title>502 Bad Gateway</title></head><body>proxy</body></html>');
  assert.equal(found.message, 'The server answered 500: 502 Bad Gateway (an HTML page).');
});

test('messages say what to do', () => {
  assert.match(
    judge(401, error('bad key')).message,
    /refused\. Run “Loopscope: Set API Key”, or set the variable named by api_key_env/,
  );
  assert.match(judge(401, error('no key'), { keySent: false }).message, /No API key was sent/);
  assert.match(judge(404, 'Not Found').message, /api_base.*\/v1.*http:\/\/model\.test/);
  assert.match(judge(404, error('model x not found')).message, /model_name/);
  assert.match(judge(400, error('tool choice is not supported')).message, /"tools": \[\]/);
  assert.match(
    judge(307, '', { headers: (name) => (name === 'location' ? 'https://b.test/' : null) }).message,
    /https:\/\/b\.test/,
  );
});

test('C11: a refused parameter is named', () => {
  const body = error('use max_completion_tokens', {
    type: 'invalid_request_error',
    code: 'unsupported_parameter',
    param: 'max_tokens',
  });
  assert.match(judge(400, body).message, /refuses the parameter “max_tokens”/);
});

test('C14: Retry-After in seconds, as a date, in milliseconds, absent, and nonsense', () => {
  const now = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT');
  const wait = (headers: Record<string, string>) => retryAfterMs((name) => headers[name], now);
  assert.equal(wait({ 'retry-after': '3' }), 3000);
  assert.equal(wait({ 'retry-after': '277000' }), 277_000_000);
  assert.equal(wait({ 'retry-after': 'Wed, 21 Oct 2026 07:28:09 GMT' }), 9000);
  assert.equal(wait({ 'retry-after': 'Wed, 21 Oct 2026 07:00:00 GMT' }), 0);
  assert.equal(wait({ 'retry-after': '3', 'retry-after-ms': '1500' }), 1500);
  assert.equal(wait({ 'retry-after': 'soon' }), undefined);
  assert.equal(wait({ 'retry-after': '-3' }), undefined);
  assert.equal(wait({}), undefined);
});

test('Retry-After as servers write it beside the standard, and the wait that only the body names', () => {
  const now = Date.parse('2026-10-21T07:28:00Z');
  const wait = (text: string) => retryAfterMs((name) => (name === 'retry-after' ? text : null), now);
  assert.equal(wait('5s'), 5000);
  assert.equal(wait('1m30.5s'), 90_500);
  assert.equal(wait('250ms'), 250);
  assert.equal(wait('2026-10-21T07:28:09Z'), 9000);
  assert.equal(wait(String(now / 1000 + 7)), 7000);
  for (const odd of ['1e3', 'Infinity', '3, 5', 's', '2026'])
    assert.ok([undefined, 2_026_000].includes(wait(odd)));
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' };
  const exhausted = [{ error: { code: 429, message: 'exhausted', details: [{ reason: 'x' }, info] } }];
  assert.equal(judge(429, exhausted).retryAfter, 37_000);
  assert.equal(
    judge(429, error('Rate limit reached. Please try again in 1m2.5s. Visit us')).retryAfter,
    62_500,
  );
  assert.equal(judge(429, error('Please retry after 20 seconds.')).retryAfter, 20_000);
  assert.equal(judge(429, error('try again in a moment')).retryAfter, undefined);
  // The header knows better, and what is no rate is not waited for.
  const headers = (name: string) => (name === 'retry-after' ? '3' : null);
  assert.equal(judge(429, exhausted, { headers }).retryAfter, 3000);
  assert.equal(judge(400, error('try again in 5s with fewer tokens')).retryAfter, undefined);
});

test('one request over a quota of tokens per minute is too large, not too early', () => {
  const words = 'Request too large for m on tokens per min (TPM): Limit 30000, Requested 41000.';
  for (const status of [413, 429]) {
    const judged = judge(status, error(words, { type: 'tokens', code: 'rate_limit_exceeded' }));
    assert.deepEqual([judged.class, judged.retryable], ['overflow', false]);
    assert.deepEqual(judged.tokens, { asked: 41000, limit: 30000 });
  }
  assert.equal(judge(429, error('Rate limit reached on tokens per min (TPM)')).class, 'rate-limit');
});

test('a key that is refused with 400 is a key that is refused', () => {
  for (const words of [
    'API key not valid. Please pass a valid API key.',
    'Invalid API key',
    'Missing api_key',
  ])
    assert.equal(judge(400, error(words, { status: 'INVALID_ARGUMENT' })).class, 'auth', words);
});

test('an error about where a message stands does not change the role of the instructions', () => {
  const sent = JSON.stringify({ messages: [{ role: 'system' }, { role: 'tool' }] });
  const param = 'messages.[1].role';
  for (const words of [
    "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    'Conversation roles must alternate user/assistant',
  ])
    assert.equal(judge(400, error(words, { param }), { sent }).refused, undefined, words);
  const system = "Unsupported value: 'messages[0].role' does not support 'system' with this model.";
  assert.deepEqual(judge(400, error(system, { param: 'messages[0].role' }), { sent }).refused, [
    'messages/role',
  ]);
});

test('a provider that asks to take its own field back out gets the messages without it', () => {
  const sent = JSON.stringify({ messages: [{ role: 'assistant', content: 'a', reasoning_content: 'b' }] });
  const words = 'Please remove the reasoning_content from your message to reduce network traffic.';
  assert.deepEqual(judge(400, error(words), { sent }).refused, ['messages/reasoning_content']);
});

test('what a server says is one line, without control characters, and not endless', () => {
  assert.equal(cleanText('a\u001B[2J\r\nb\u202Ec', 100), 'a [2J b c');
  assert.equal(cleanText('😀'.repeat(50), 10), `${'😀'.repeat(10)}…`);
  assert.ok(judge(400, error('x'.repeat(100_000))).message.length < 800);
  assert.ok(judge(500, { error: { message: { nested: true } } }).message.includes('nested'));
});

test('no answer at all: the message names the address and what to check', () => {
  const wrapped = (code: string) =>
    new Error('Connection error.', {
      cause: new TypeError('fetch failed', { cause: Object.assign(new Error('inner'), { code }) }),
    });
  const url = 'http://127.0.0.1:9/v1/chat/completions';
  for (const [code, kind, retryable, word] of [
    ['ECONNREFUSED', 'network', true, 'Start it'],
    ['ENOTFOUND', 'network', false, 'host name'],
    ['ECONNRESET', 'network', true, 'api_base'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', true, 'proxy'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'network', false, 'certificate'],
    ['CERT_NOT_YET_VALID', 'network', false, 'certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'network', false, 'certificate'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'network', false, 'TLS'],
    ['HPE_INVALID_CONSTANT', 'protocol', false, 'HTTP'],
    ['ERR_INVALID_CHAR', 'auth', false, 'API key'],
  ] as const) {
    const found = classifyNetwork(wrapped(code), url);
    assert.deepEqual([found.class, found.retryable], [kind, retryable]);
    assert.ok(
      found.message.includes(url) && found.message.includes(code) && found.message.includes(word),
      found.message,
    );
  }
  assert.match(classifyNetwork('odd', url).message, /odd/);
});
