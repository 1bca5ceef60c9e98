/**
 * What servers say when they refuse, kept as data. The first row that matches decides: by structured fields
 * (`codes`: the error's `code` and `type`), by HTTP status, or by text, each within `statuses` if given.
 */
import type { FailureClass } from '../core/events.ts';

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
/** Statuses that servers overflow with; 401, 403, 404 and 429 mean other things, whatever the text. */
export const overflowStatuses: readonly number[] = [0, 400, 413, 422, 500];

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(words.join('|'), 'i');
}

/** The request does not fit the model's context. */
const overflowWords = anyOf(
  'maximum context length',
  'context ?(?:length|size|window) (?:has been |was )?exceeded',
  'contextwindowexceeded',
  "exceeds? (?:the )?(?:available|maximum|model'?s?)? ?(?:maximum )?context",
  'exceeds? .{0,30}context (?:length|size|window|limit)',
  'context (?:length|size|window|limit) .{0,20}exceed',
  '(?:larger|greater) than the (?:max(?:imum)? )?context',
  'longer than the maximum (?:model|context|sequence) length',
  '\\b(?:context|prompt|input)\\b.{0,30}(?:too (?:long|large)|overflow)',
  'prompt (?:is|was) too long',
  'prompt contains .{0,20}\\d+ input tokens',
  'maximum prompt length is',
  'range of input length',
  'input length .{0,40}exceeds?',
  '(?:input|prompt) token count .{0,40}exceeds',
  'too many (?:input |prompt )?tokens',
  'exceed(?:s|ed)? (?:the )?(?:max message tokens|model token limit)',
  'reduce the length of (?:the|your) (?:messages|prompt|input)',
  '(?:request entity|request body|payload|content) too large',
);

/** The reply's length by any of its names. */
const replyLength =
  'max_(?:completion_|output_|new_)?tokens|maxOutputTokens|maximum tokens you requested|number of output tokens';

/** A limit of the reply's length alone: an error that speaks of the context is about both together. */
const replyTooLong = new RegExp(
  `^(?!.*context (?:length|size|window|limit))(?=.*\\b(?:${replyLength})\\b)` +
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
    codes: ['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'access_terminated'],
    advice: 'Check the plan and the billing of this account.',
  },
  {
    class: 'rate-limit',
    retryable: false,
    statuses: [402],
    advice: 'Check the plan and the billing of this account.',
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
    ],
  },
  { class: 'rate-limit', retryable: true, statuses: [429] },
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

/**
 * Token numbers in an overflow: `asked` in all, `input` of the request and `reply` of the reply that it wants, and the
 * `limit` that the model takes.
 */
export const tokenPatterns: readonly RegExp[] = [
  // Those that count the reply come first.
  /is too large: (?<reply>[\d,]+)\. this model's maximum context length is (?<limit>[\d,]+) tokens and your request has (?<input>[\d,]+) input tokens/i,
  /maximum context length is (?<limit>[\d,]+) tokens\b.{0,60}?requested (?:about )?(?<asked>[\d,]+) tokens \(.{0,120}?(?<reply>[\d,]+) (?:in|for|from) the (?:completion|output)\)/i,
  /maximum context length of (?<limit>[\d,]+) tokens.{0,60}?total of (?<asked>[\d,]+) tokens: .{0,80}? and (?<reply>[\d,]+) tokens for the completion/i,
  /context limit: (?<input>[\d,]+) \+ (?<reply>[\d,]+) > (?<limit>[\d,]+)/i,
  /must be <= (?<limit>[\d,]+)\. given: (?<input>[\d,]+)\b.{0,20}? and (?<reply>[\d,]+)\b/i,
  /maximum context length (?:is|of) (?<limit>[\d,]+)(?:.{0,80}?(?<asked>[\d,]{2,}))?/i,
  /\((?<asked>[\d,]+) tokens?\).{0,80}?\((?<limit>[\d,]+) tokens?\)/i,
  /contains (?:at least )?(?<asked>[\d,]+) input tokens.{0,40}?(?<limit>[\d,]{2,})/i,
  /(?<asked>[\d,]+) tokens? > (?<limit>[\d,]+)/i,
  /token count \((?<asked>[\d,]+)\).{0,80}?\((?<limit>[\d,]+)\)/i,
  /token count of (?<asked>[\d,]+) exceeds the limit of (?<limit>[\d,]+)/i,
  /prompt contains (?<asked>[\d,]+) tokens.{0,80}?(?<limit>[\d,]+) maximum context/i,
  /maximum prompt length is (?<limit>[\d,]+).{0,40}?contains (?<asked>[\d,]+)/i,
  /\(length (?<asked>[\d,]+)\).{0,80}?maximum model length of (?<limit>[\d,]+)/i,
  /limit of (?<limit>[\d,]+) tokens.{0,40}?resulted in (?<asked>[\d,]+)/i,
  /token limit: (?<limit>[\d,]+) \(requested: (?<asked>[\d,]+)\)/i,
  /requested tokens \((?<asked>[\d,]+)\) .{0,40}?(?<limit>[\d,]{3,})/i,
  /max size: (?<limit>[\d,]+) tokens/i,
  /range of input length should be \[\d+, ?(?<limit>[\d,]+)\]/i,
  /can ?not exceed (?<limit>[\d,]+)\D{1,20}(?<asked>[\d,]+)/i,
  /must be <= (?<limit>[\d,]+)\. given: (?<asked>[\d,]+)/i,
  /limit (?<limit>[\d,]+), requested (?<asked>[\d,]+)/i,
  // Not a number behind it that is no count of tokens, such as an error's own.
  /context (?:length|size|window)(?: (?:is|of|only|limit|max(?:imum)?|tokens?|the|to)|[ :=(])*(?<limit>[\d,]{3,})(?:[^\d]{1,60}(?<asked>[\d,]{3,}))?/i,
];
