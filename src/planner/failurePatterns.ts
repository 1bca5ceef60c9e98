/**
 * What servers say when they refuse, kept as data. The first row that matches decides: by structured fields
 * (`codes`: the error's `code` and `type`), by HTTP status, or by text, each within `statuses` if given.
 */
import type { FailureClass } from '../core/events.ts';
import { overflowWords } from './overflowPatterns.ts';

export interface FailurePattern {
  readonly class: FailureClass;
  readonly retryable: boolean;
  /** Any of these codes, or this text, must be there; neither means that the status alone decides. */
  readonly codes?: readonly string[];
  readonly text?: RegExp;
  /** HTTP statuses the row is for; an error inside a stream may have none and matches as `0`. */
  readonly statuses?: readonly number[];
  /** Only for a body that is a web page. */
  readonly page?: true;
  /** What to do about it, for people. */
  readonly advice?: string;
}

const overflowAdvice = 'Lower context.max_tokens in the agent file, so that older messages leave earlier.';
const billingAdvice = 'Check the plan and the billing of this account.';
/** Statuses that servers overflow with; 401, 403, 404 and 429 mean other things, whatever the text. */
export const overflowStatuses: readonly number[] = [0, 400, 413, 422, 500];

/** The reply's length by any of its names. */
const replyLength =
  'max_(?:completion_|output_|new_)?tokens|maxOutputTokens|maximum tokens you requested|number of output tokens';

/** A limit of the reply's length alone: an error that speaks of the context is about both together. */
const replyTooLong = new RegExp(
  `^(?!.*context (?:length|size|window|limit))(?!.*\\bgot -\\d)(?=.*\\b(?:${replyLength})\\b)` +
    '.*(?:must|should|at (?:most|least)|too (?:large|high|big)|(?:less|lower|greater) than|exceed|range|[<>≤≥])',
  'i',
);

/** What a pattern of the user's own says. */
export const ownOverflow = {
  class: 'overflow',
  retryable: false,
  advice: overflowAdvice,
} as const satisfies FailurePattern;

export const failurePatterns: readonly FailurePattern[] = [
  // One request larger than a minute's quota of tokens: waiting does not help, a smaller one does.
  {
    class: 'overflow',
    retryable: false,
    statuses: [0, 413, 429],
    text: /request too large\b.{0,160}tokens per min/i,
    advice: overflowAdvice,
  },
  {
    class: 'overflow',
    retryable: false,
    statuses: overflowStatuses,
    text: /\binputs?['"`]? tokens \+ ['"`]?max_new_tokens['"`]? must be <=/i,
    advice: overflowAdvice,
  },
  {
    class: 'bad-request',
    retryable: false,
    statuses: overflowStatuses,
    text: replyTooLong,
    advice: 'Correct max_tokens under "parameters" in the agent file.',
  },
  // Too many tokens in a minute: the same request is taken later.
  {
    class: 'rate-limit',
    retryable: true,
    statuses: [0, 400, 429, 500, 503],
    text: /please wait before trying again|\bthrottl(?:ed|ing)\b/i,
  },
  // The request does not fit the model's context.
  {
    class: 'overflow',
    retryable: false,
    codes: [
      'context_length_exceeded',
      'exceed_context_size_error',
      'context_window_exceeded',
      'contextwindowexceedederror',
      'input_too_long',
      'request_too_large',
      'tokens_limit_reached',
      'model_max_prompt_tokens_exceeded',
      '1261',
    ],
    advice: overflowAdvice,
  },
  { class: 'overflow', retryable: false, statuses: [413], advice: overflowAdvice },
  {
    class: 'overflow',
    retryable: false,
    statuses: overflowStatuses,
    text: overflowWords,
    advice: overflowAdvice,
  },
  // A quota that waiting a little does not bring back.
  {
    class: 'rate-limit',
    retryable: false,
    codes: [
      ...['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'access_terminated'],
      ...[
        'exceeded_current_quota_error',
        'insufficient_user_quota',
        'insufficient_balance',
        'arrearage',
        '1113',
      ],
    ],
    advice: billingAdvice,
  },
  {
    class: 'rate-limit',
    retryable: false,
    statuses: [0, 400, 401, 403, 429],
    text: /insufficient (?:account )?(?:balance|credits?|funds)|credit balance is too low|(?:have|has) (?:any|no|not enough) credits|out of credits|account .{0,40}(?:is suspended|in arrears|in good standing)|余额不足|额度不足|欠费/i,
    advice: billingAdvice,
  },
  {
    class: 'rate-limit',
    retryable: false,
    statuses: [402],
    advice: billingAdvice,
  },
  {
    class: 'rate-limit',
    retryable: true,
    codes: [
      'rate_limit_exceeded',
      'rate_limit_error',
      'resource_exhausted',
      'too_many_requests',
      'usage_limit',
      'usage_limit_reached',
    ],
  },
  { class: 'rate-limit', retryable: true, statuses: [429, 498] },
  // The model wrote a call that its own server could not read: another time it may write a better one.
  { class: 'server', retryable: true, codes: ['tool_use_failed', 'malformed_function_call'] },
  // The provider's safety system.
  {
    class: 'refused',
    retryable: false,
    codes: ['content_filter', 'content_policy_violation', 'responsibleaipolicyviolation'],
  },
  // The model's name, before the status of it (400 or 404) says less.
  {
    class: 'bad-request',
    retryable: false,
    codes: ['model_not_found', 'model_not_available'],
    advice: 'Check model_name in the agent file.',
  },
  {
    class: 'bad-request',
    retryable: false,
    statuses: [0, 400, 404, 422],
    text: /model .{0,100}(?:not found|does not exist|not available|is not supported)|(?:unknown|invalid|no such) model|invalid model/i,
    advice: 'Check model_name in the agent file.',
  },
  {
    class: 'bad-request',
    retryable: false,
    statuses: [0, 400, 404, 422, 500],
    text: /(?:does|do) not support (?:tools|tool|function)|tool (?:use|calling|choice) .{0,40}not (?:supported|enabled|available)|no endpoints found that support tool|requires --jinja|--enable-auto-tool-choice/i,
    advice:
      'This server or model takes no tools as it is set up: choose another model_name, or an agent with "tools": [].',
  },
  // What stands between: an API says in JSON why it refuses.
  {
    class: 'network',
    retryable: false,
    statuses: [401, 403, 451, 511],
    page: true,
    advice:
      'This is a web page, not an answer of the API: a proxy, a firewall or a sign-in page stands between. Check the network, the proxy, and api_base in the agent file.',
  },
  {
    class: 'server',
    retryable: true,
    statuses: [0],
    page: true,
    advice:
      'This is a web page, not an answer of the API. Check api_base in the agent file (most end in /v1), the network and the proxy.',
  },
  {
    class: 'network',
    retryable: false,
    statuses: [407],
    advice: 'The proxy wants a user name and a password: they go into its address.',
  },
  // The key.
  {
    class: 'auth',
    retryable: false,
    statuses: [0, 400],
    text: /\bapi[ _-]?key (?:is )?(?:not valid|invalid|expired|missing|not found)|(?:invalid|incorrect|missing) api[ _-]?key/i,
  },
  { class: 'auth', retryable: false, codes: ['invalid_api_key', 'authentication_error', 'unauthenticated'] },
  { class: 'auth', retryable: false, statuses: [401, 403] },
  // The address.
  {
    class: 'bad-request',
    retryable: false,
    statuses: [404, 405, 501],
    advice: 'Check api_base in the agent file: most end in /v1.',
  },
  { class: 'bad-request', retryable: false, statuses: [400, 409, 422] },
  // The server, for the time being.
  {
    class: 'server',
    retryable: true,
    codes: ['overloaded_error', 'server_error', 'internal_server_error', 'api_error'],
  },
  { class: 'bad-request', retryable: false, codes: ['invalid_request_error', 'unsupported_parameter'] },
];
