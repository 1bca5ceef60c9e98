/** How servers say that a request does not fit the model's context, and with which numbers; kept as data. */

/** The request does not fit the model's context. */
export const overflowWords = anyOf(
  'maximum context length',
  'context ?(?:length|size|window) (?:has been |was )?exceeded',
  'contextwindowexceeded',
  "exceeds? (?:the )?(?:available|maximum|model'?s?)? ?(?:maximum )?context",
  'exceed(?:s|ed)? .{0,30}context (?:length|size|window|limit)',
  'context (?:length|size|window|limit) .{0,20}exceed',
  '(?:larger|greater) than the (?:max(?:imum)? )?context',
  "longer than the (?:maximum )?(?:model|context|sequence)(?:'s)? (?:context )?length",
  '\\b(?:context|prompt|input)\\b.{0,30}(?:too (?:long|large)|overflow)',
  'prompt (?:is|was) too long',
  'prompt contains .{0,20}\\d+ input tokens',
  'maximum prompt length is',
  'range of input length',
  '(?:input|prompt) length .{0,40}(?:exceeds?|is (?:greater|larger|longer) than)',
  'sum of prompt length .{0,80}not exceed',
  '(?:input|prompt) token count .{0,60}(?:exceeds|only supports)',
  'number of input tokens .{0,20}(?:can ?not|must not|should not) exceed',
  '[`\'"]?inputs[`\'"]? must have less than \\d+ tokens',
  'prompt exceeds max length',
  'tokens in request more than max tokens',
  'max input characters',
  'resulting in a maximum input length of',
  'messages\\[\\d+\\]\\S* string too long',
  'expected maxLength: \\d+, actual: \\d+',
  // What counts the reply as what the prompt leaves says so of a prompt that leaves nothing.
  'max_(?:completion_)?tokens must be at least 1, got -\\d',
  '(?:输入|上下文|提示词|prompt).{0,12}(?:超长|过长|超过|超出)',
  'token ?数?.{0,6}超[过出]',
  'too many (?:input |prompt )?tokens',
  'exceed(?:s|ed)? (?:the )?(?:max message tokens|model token limit)',
  'reduce the length of (?:the|your) (?:messages|prompt|input)',
  '(?:request entity|request body|payload|content) too large',
);

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(words.join('|'), 'i');
}

/**
 * Token numbers in an overflow: `asked` in all, `input` of the request and `reply` of the reply that it wants, and the
 * `limit` that the model takes.
 */
export const tokenPatterns: readonly RegExp[] = [
  // Those that count the reply come first.
  /maximum context length is (?<limit>[\d,]+) tokens\b.{0,40}?requested (?<reply>[\d,]+) output tokens and your prompt contains (?:at least )?(?<input>[\d,]+) input tokens/i,
  /passed (?<input>[\d,]+) input tokens and requested (?<reply>[\d,]+) output tokens\b.{0,60}?context length is only (?<limit>[\d,]+)/i,
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
  /input token count is (?<asked>[\d,]+) but .{0,30}only supports up to (?<limit>[\d,]+)/i,
  /number of input tokens (?<asked>[\d,]+) .{0,40}?limit (?<limit>[\d,]+)/i,
  /tokens \((?<asked>[\d,]+)\) exceeded .{0,60}?\((?<limit>[\d,]+)\)/i,
  /(?:prompt|input) length \(?(?<asked>[\d,]+)\)? (?:exceeds|is (?:greater|larger|longer) than) .{0,40}?(?<limit>[\d,]{3,})/i,
  /sum of prompt length \((?<asked>[\d,]+)\).{0,120}\((?<limit>[\d,]+)\)/i,
  /must have less than (?<limit>[\d,]+) tokens\. given: (?<asked>[\d,]+)/i,
  /current length is (?<asked>[\d,]+) while limit is (?<limit>[\d,]+)/i,
  /too long: (?<asked>[\d,]+), .{0,40}context length: (?<limit>[\d,]+)/i,
  /requested tokens \((?<asked>[\d,]+)\) .{0,40}?(?<limit>[\d,]{3,})/i,
  /max size: (?<limit>[\d,]+) tokens/i,
  /range of input length should be \[\d+, ?(?<limit>[\d,]+)\]/i,
  /can ?not exceed (?<limit>[\d,]+)\D{1,20}(?<asked>[\d,]+)/i,
  /must be <= (?<limit>[\d,]+)\. given: (?<asked>[\d,]+)/i,
  /limit (?<limit>[\d,]+), requested (?<asked>[\d,]+)/i,
  // Not a number behind it that is no count of tokens, such as an error's own.
  /context (?:length|size|window)(?: (?:is|of|only|limit|max(?:imum)?|tokens?|the|to)|[ :=(])*(?<limit>[\d,]{3,})(?:[^\d]{1,60}(?<asked>[\d,]{3,}))?/i,
];
