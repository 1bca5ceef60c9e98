/**
 * How servers say that they do not take a field of a request, kept as data. Which of the sent fields is meant
 * is found by `refusedFields`; what is sent instead, by `planRewrites`.
 */

/** Statuses such a refusal comes with; an error inside a stream may have none and counts as `0`. */
export const refusalStatuses: readonly number[] = [0, 400, 404, 405, 422, 500, 501];

/** `code` and `type` fields that refuse the field itself, whatever the words. */
export const refusalCodes: readonly string[] = [
  'unsupported_parameter',
  'unsupported_value',
  'unknown_parameter',
  'unsupported_param',
  'unsupported_params_error',
  'unsupportedparamserror',
  'unrecognized_parameter',
  'unexpected_parameter',
  'extra_forbidden',
  'value_error.extra',
];

/** Words that refuse a field as such; one that complains about the size of a value has none of them. */
export const refusalWords =
  /unsupported|not support|please remove|n't support|unknown|unrecogni[sz]ed|unexpected|extra (?:inputs?|fields?|keys?)|not (?:permitted|allowed|accepted|recogni[sz]ed|implemented|available|enabled|a valid)|additional propert|deprecated|no longer|not (?:both )?(?:be )?(?:used|set|specified|compatible)\b|mutually exclusive|incompatible|invalid (?:parameter|argument|field|request)s?\b|use ['"“`]?max_(?:completion_)?tokens|only the default/i;

/** Words that are also plain English: as a field's name they stand in quotes, or beside the word for one. */
export const plainWords: ReadonlySet<string> = new Set([
  'stream',
  'stop',
  'user',
  'store',
  'seed',
  'n',
  'modalities',
  'metadata',
  'strict',
  'reasoning',
  'thinking',
  'prediction',
  'audio',
  'functions',
]);

/** Refusals that name no field. */
export const unnamedRefusals: readonly { readonly field: string; readonly text: RegExp }[] = [
  {
    field: 'stream',
    text: /streaming (?:is |responses? (?:is|are) )?not (?:supported|allowed|enabled|available)|(?:does not|doesn't|can ?not|can't) (?:support )?stream(?:ing)?\b|must be verified to stream/i,
  },
  {
    field: 'messages/role',
    text: /\b(?:system|developer)['"`’”]* (?:role|messages?|prompts?|instructions?)\b|\brole\b.{0,40}\b(?:system|developer)\b|variant ['"`]?(?:system|developer)\b/i,
  },
  { field: 'tools/strict', text: /strict (?:mode|schemas?|tools?|function)/i },
];

/** Ids of calls are refused for their form: other servers gave them, or a gateway between makes its own. */
export const idRefusal = /tool.?call.?id\b.{0,120}must be a-z, A-Z, 0-9,? with a length of 9/i;

/** Fields that make no sense without another. */
export const dependents: Readonly<Record<string, readonly string[]>> = { stream: ['stream_options'] };

/** Never given up: without these it is another question. */
export const essential: ReadonlySet<string> = new Set(['model', 'messages', 'tools']);
