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
  /** What to do about it, for people. */
  readonly advice?: string;
}

const overflowAdvice = 'Lower context.max_tokens in the agent file, so that older messages leave earlier.';
/** Statuses that servers overflow with; 401, 403, 404 and 429 mean other things, whatever the text. */
export const overflowStatuses: readonly number[] = [0, 400, 413, 422, 500];

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
  // A limit of the reply's length, not of the request's.
  {
    class: 'bad-request',
    retryable: false,
    statuses: overflowStatuses,
    text: /^(?!.*context (?:length|size|window)).*\bmax_(?:completion_|output_|new_)?tokens\b.*(?:must|should|at most|too (?:large|high|big)|less than|greater than|exceed|range)/i,
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
    ],
    advice: overflowAdvice,
  },
  { class: 'overflow', retryable: false, statuses: [413], advice: overflowAdvice },
  {
    class: 'overflow',
    retryable: false,
    statuses: overflowStatuses,
    text: /maximum context length|context ?(?:length|size|window) (?:has been |was )?exceeded|contextwindowexceeded|exceeds? (?:the )?(?:available|maximum|model'?s?)? ?(?:maximum )?context|prompt (?:is|was) too long|prompt contains .{0,20}\d+ input tokens|input is too long|(?:input|prompt) token count .{0,40}exceeds|larger than the context|(?:request entity|payload|content) too large|\b(?:context|prompt|input)\b.{0,30}(?:too (?:long|large)|overflow)|exceeds? .{0,30}context (?:length|size|window)|context (?:length|size|window|limit) .{0,20}exceed|too many (?:input |prompt )?tokens|input length .{0,40}exceeds?|reduce the length of (?:the|your) (?:messages|prompt|input)|maximum prompt length is|greater than the context (?:length|size|window)/i,
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
  // The key.
  {
    class: 'auth',
    retryable: false,
    statuses: [0, 400],
    text: /\bapi[ _-]?key (?:is )?(?:not valid|invalid|expired|missing|not found)|(?:invalid|incorrect|missing) api[ _-]?key/i,
  },
  { class: 'auth', retryable: false, codes: ['invalid_api_key', 'authentication_error', 'unauthenticated'] },
  { class: 'auth', retryable: false, statuses: [401, 403, 407] },
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

/** Token numbers in an overflow: what was asked, and what the model takes. */
export const tokenPatterns: readonly RegExp[] = [
  /maximum context length (?:is|of) (?<limit>[\d,]+)(?:.{0,80}?(?<asked>[\d,]{2,}))?/i,
  /\((?<asked>[\d,]+) tokens?\).{0,80}?\((?<limit>[\d,]+) tokens?\)/i,
  /contains (?:at least )?(?<asked>[\d,]+) input tokens.{0,40}?(?<limit>[\d,]{2,})/i,
  /(?<asked>[\d,]+) tokens? > (?<limit>[\d,]+)/i,
  /token count \((?<asked>[\d,]+)\).{0,80}?\((?<limit>[\d,]+)\)/i,
  /prompt contains (?<asked>[\d,]+) tokens.{0,80}?(?<limit>[\d,]+) maximum context/i,
  /maximum prompt length is (?<limit>[\d,]+).{0,40}?contains (?<asked>[\d,]+)/i,
  /can ?not exceed (?<limit>[\d,]+)\D{1,20}(?<asked>[\d,]+)/i,
  /must be <= (?<limit>[\d,]+)\. given: (?<asked>[\d,]+)/i,
  /limit (?<limit>[\d,]+), requested (?<asked>[\d,]+)/i,
  /context (?:length|size|window)[^\d]{0,30}(?<limit>[\d,]{3,})(?:[^\d]{1,60}(?<asked>[\d,]{3,}))?/i,
];
