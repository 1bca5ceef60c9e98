/** Refusals in the words of single servers and clouds: what they are, with the numbers and the waits that they tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, type Classified } from '../../../src/planner/classify.ts';

const now = Date.UTC(2026, 0, 1);
const sent = JSON.stringify({
  ...{ model: 'm', stream: true, stream_options: {}, messages: [{ role: 'system', content: 's' }] },
  ...{ temperature: 0.2, top_p: 1, max_tokens: 100, presence_penalty: 1, parallel_tool_calls: true },
});

function judge(status: number | undefined, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const http = status === undefined ? {} : { status, headers: (name: string) => headers[name] };
  return classify({ ...http, body: text, url: 'http://model.test/v1', keySent: true, now, sent });
}

const error = (message: string, rest: object = {}) => ({ error: { message, ...rest } });

const overflows: readonly (readonly [status: number, body: unknown, tokens?: Classified['tokens']])[] = [
  [
    400,
    [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message:
            'Unable to submit request because the input token count is 2000000 but model only supports up to 1048576. Reduce the input token count and try again.',
        },
      },
    ],
    { asked: 2000000, limit: 1048576 },
  ],
  [400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
  [400, { error: { code: '1261', message: 'Prompt 超长' } }],
  [400, error('输入内容长度超过模型上下文限制', { code: '1210' })],
  [400, error('单次请求总token数超过上限')],
  [
    400,
    error("The input (9001 tokens) is longer than the model's context length (8192 tokens)."),
    { asked: 9001, limit: 8192 },
  ],
  [
    400,
    error(
      "This model's maximum context length is 196608 tokens. However, you requested 16384 output tokens and your prompt contains at least 180225 input tokens, for a total of at least 196609 tokens.",
      { param: 'input_tokens', code: 400 },
    ),
    { asked: 196609, limit: 196608, reply: 16384 },
  ],
  [
    400,
    error(
      "You passed 8193 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 8192 tokens.",
    ),
    { asked: 8193, limit: 8192 },
  ],
  [400, error('max_tokens must be at least 1, got -809.')],
  [
    400,
    error('Prompt length (5000) exceeds maximum input length (4096). Set log level to info'),
    { asked: 5000, limit: 4096 },
  ],
  [
    400,
    error('The sum of prompt length (9000), query length (0) should not exceed max_num_tokens (8192)'),
    { asked: 9000, limit: 8192 },
  ],
  [
    400,
    {
      message:
        'Malformed input request: expected maxLength: 51200, actual: 73223, please reformat your input and try again.',
    },
  ],
  [
    400,
    {
      success: false,
      errors: [
        {
          code: 5021,
          message:
            'AiError: The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).',
        },
      ],
    },
    { asked: 9000, limit: 8192 },
  ],
  [
    400,
    {
      message:
        'Please reduce the length of the messages or completion. Current length is 9001 while limit is 8192',
      code: 'context_length_exceeded',
    },
    { asked: 9001, limit: 8192 },
  ],
  [
    400,
    {
      errors: [
        {
          code: 'invalid_input_argument',
          message:
            "Invalid input argument for Model 'x': the number of input tokens 9001 cannot exceed the total tokens limit 8192 for this model",
        },
      ],
    },
    { asked: 9001, limit: 8192 },
  ],
  [400, error('Prompt length 9000 is greater than max_seq_len 8192'), { asked: 9000, limit: 8192 }],
  [400, error('The prompt length 9001 exceeds the session_len 8192'), { asked: 9001, limit: 8192 }],
  [
    422,
    {
      error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
      error_type: 'validation',
    },
    { asked: 5000, limit: 4096 },
  ],
  [
    400,
    error('The prompt is too long: 9000, model maximum context length: 8191'),
    { asked: 9000, limit: 8191 },
  ],
  [400, error('tokens in request more than max tokens allowed')],
  [400, error('prompt is over the limit', { code: 'model_max_prompt_tokens_exceeded' })],
  [
    400,
    error(
      "Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760, but got a string with length 12000000 instead.",
      { param: 'messages[1].content', code: 'string_above_max_length' },
    ),
  ],
  [400, { error_code: 336007, error_msg: 'the max input characters is 11200' }],
];

test('C18: overflows as clouds and local servers say them, with the numbers', () => {
  for (const [status, body, tokens] of overflows) {
    for (const found of [judge(status, body), judge(undefined, body)]) {
      assert.equal(found.class, 'overflow', found.message);
      assert.deepEqual(found.tokens, tokens, found.message);
    }
  }
});

test('C18: too many tokens in a minute, too many tools, or a long description overflow nothing', () => {
  for (const [status, body, kind] of [
    [429, { message: 'Too many tokens, please wait before trying again.' }, 'rate-limit'],
    [
      undefined,
      error('litellm.RateLimitError: BedrockException: Too many tokens, please wait before trying again.'),
      'rate-limit',
    ],
    [
      400,
      { message: 'Too many tokens per day, please wait before trying again.', __type: 'ThrottlingException' },
      'rate-limit',
    ],
    [
      400,
      error(
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead.",
        { param: 'tools' },
      ),
      'bad-request',
    ],
    [
      400,
      error(
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 2000 instead.",
      ),
      'bad-request',
    ],
    [400, error('max_tokens must be at least 1, got 0.'), 'bad-request'],
  ] as const)
    assert.equal(judge(status, body).class, kind, JSON.stringify(body));
});

test('an account without money is not asked again, whatever the status; its key is not blamed', () => {
  for (const [status, body] of [
    [
      429,
      error('Your account is suspended, please check your plan and billing details', {
        type: 'exceeded_current_quota_error',
      }),
    ],
    [429, { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }],
    [400, error('Access denied, please make sure your account is in good standing.', { code: 'Arrearage' })],
    [
      400,
      error('Your credit balance is too low to access the Anthropic API.', { type: 'invalid_request_error' }),
    ],
    [
      403,
      {
        code: 'The caller does not have permission',
        error: "Your newly created team doesn't have any credits yet.",
      },
    ],
    [403, error('用户额度不足', { code: 'insufficient_user_quota' })],
    [undefined, { error: { status_code: 1008, status_msg: 'insufficient balance' } }],
  ] as const) {
    const found = judge(status, body);
    assert.deepEqual([found.class, found.retryable], ['rate-limit', false], found.message);
    assert.match(found.message, /Check the plan and the billing/);
  }
  // One of a minute says the same words, and comes back.
  const perMinute = error(
    'You exceeded your current quota, please check your plan and billing details. Please retry in 37.5s.',
    { status: 'RESOURCE_EXHAUSTED' },
  );
  assert.deepEqual([judge(429, [perMinute]).retryable, judge(429, [perMinute]).retryAfter], [true, 37500]);
});

test('what another try may bring is tried again: a call that its server could not read, a tier that is full', () => {
  const failed = error(
    "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
    { type: 'invalid_request_error', code: 'tool_use_failed' },
  );
  assert.equal(judge(400, failed).retryable, true);
  assert.equal(judge(undefined, failed).retryable, true);
  assert.deepEqual(
    [judge(498, 'Flex tier capacity exceeded').class, judge(498, '').retryable],
    ['rate-limit', true],
  );
});

const minutes = 60_000;
const waits: readonly (readonly [body: unknown, ms: number | undefined])[] = [
  [error('slow down', { retry_after: 12.5 }), 12_500],
  [error('slow down', { retryAfter: '7' }), 7000],
  [error('slow down', { retry_after_ms: 1500 }), 1500],
  [
    error('The usage limit has been reached', { type: 'usage_limit_reached', resets_in_seconds: 5400 }),
    90 * minutes,
  ],
  [error('The usage limit has been reached', { resets_at: now / 1000 + 60 }), minutes],
  [error('Model x is currently loading', { estimated_time: 32.5 }), 32_500],
  [error('slow down', { retry_after: -3 }), undefined],
  [error('slow down', { retry_after: 'soon' }), undefined],
  [
    error('Rate limit exceeded: free-models-per-day', {
      code: 429,
      metadata: { headers: { 'X-RateLimit-Reset': String(now + 3 * minutes) } },
    }),
    3 * minutes,
  ],
  [{ statusCode: 429, message: 'Rate limit is exceeded. Try again in 20 seconds.' }, 20_000],
  [error('Please wait 45 seconds before sending another request'), 45_000],
  [error('Please retry your request after 2 minutes.'), 2 * minutes],
  [error('Please try again in 1m30s. Visit the limits page'), 1.5 * minutes],
  [error('try again in 1 hour and 5 minutes'), 65 * minutes],
  [error('monthly limit, resets in 3 days'), 3 * 24 * 60 * minutes],
  [error('Please try again in 1d2h30m'), 26.5 * 60 * minutes],
  [error('try again at 2026-01-01T00:02:00Z'), 2 * minutes],
  [error('limits reset in 1 month'), undefined],
  [error('I waited 5 s for you'), undefined],
];

test('C14: the wait that only the body tells', () => {
  for (const [body, ms] of waits) assert.equal(judge(429, body).retryAfter, ms, JSON.stringify(body));
});

test('C14: Retry-After as it must not be written, and the dates of three centuries', () => {
  for (const [value, ms] of [
    ['+5', 5000],
    ['.5', 500],
    ['5.', 5000],
    ['60 seconds', minutes],
    ['1 hour', 60 * minutes],
    ['-5', undefined],
    ['NaN', undefined],
    ['1e3', undefined],
    ['Infinity', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
    ['Thu Jan  1 00:00:30 2026', 30_000],
    ['Thu, 01 Jan 2015 00:00:30 GMT', 0],
    ['Thu, 99 Foo 2026 00:00:30 GMT', undefined],
  ] as const)
    assert.equal(judge(429, 'x', { 'retry-after': value }).retryAfter, ms, value);
  const longest = judge(429, 'x', { 'retry-after': '9'.repeat(400) }).retryAfter ?? 0;
  assert.ok(Number.isFinite(longest) && longest > 1e12);
  assert.equal(judge(429, 'x', { 'retry-after-ms': '-1', 'retry-after': '7' }).retryAfter, 7000);
});

test('C11: a field by the name that it has in the code of the server, and one of two that exclude each other', () => {
  for (const [body, refused] of [
    [
      {
        code: 'Client specified an invalid argument',
        error: 'Argument not supported on this model: presencePenalty',
      },
      'presence_penalty',
    ],
    [{ error: 'Model grok-4 does not support parameter presencePenalty.' }, 'presence_penalty'],
    [
      error('`temperature` and `top_p` cannot both be specified for this model. Please use only one.'),
      'top_p',
    ],
  ] as const)
    assert.deepEqual(judge(400, body).refused, [refused], JSON.stringify(body));
});
