import { offering, type Refusal, refuse } from './refusal.ts';

/** What Loopscope itself puts into a request: another value would make what is shown untrue. */
const assembled = new Set(['messages', 'tools', 'stream', 'stream_options', 'n']);

/** Names as providers have them; a body takes no others. */
const parameterName = /^[A-Za-z_][\w.-]{0,63}$/;

interface Rule {
  readonly takes: (value: unknown) => boolean;
  readonly refusal: (name: string) => Refusal;
  /** The value of that form that is meant; undefined where there is none. */
  readonly nearest?: (value: unknown) => unknown;
}

function onNumber(value: unknown, nearest: (number: number) => number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? nearest(number) : undefined;
}

/** A number in a range, ends included. */
function range(least: number, most: number): Rule {
  return {
    takes: (value) => typeof value === 'number' && value >= least && value <= most,
    refusal: (name) => refuse('{0} must be a number from {1} to {2}.', name, String(least), String(most)),
    nearest: (value) => onNumber(value, (number) => Math.min(most, Math.max(least, number))),
  };
}

const positiveInteger: Rule = {
  takes: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  refusal: (name) => refuse('{0} must be a whole number above 0.', name),
  nearest: (value) => onNumber(value, (number) => Math.max(1, Math.round(number))),
};

const integer: Rule = {
  takes: (value) => Number.isSafeInteger(value),
  refusal: (name) => refuse('{0} must be a whole number.', name),
  nearest: (value) => onNumber(value, Math.round),
};

const flag: Rule = {
  takes: (value) => typeof value === 'boolean',
  refusal: (name) => refuse('{0} must be true or false.', name),
  nearest: (value) => (value === 'true' ? true : value === 'false' ? false : undefined),
};

const text: Rule = {
  takes: (value) => typeof value === 'string' && value.trim() !== '' && value.isWellFormed(),
  refusal: (name) => refuse('{0} must be a text that is not empty.', name),
};

/**
 * Parameters of chat completions whose form is known; a provider's own may hold any JSON.
 * Source: the API reference of OpenAI's `POST /chat/completions`.
 */
const rules: ReadonlyMap<string, Rule> = new Map([
  ['model', text],
  ['temperature', range(0, 2)],
  ['top_p', range(0, 1)],
  ['frequency_penalty', range(-2, 2)],
  ['presence_penalty', range(-2, 2)],
  ['max_tokens', positiveInteger],
  ['max_completion_tokens', positiveInteger],
  ['seed', integer],
  ['parallel_tool_calls', flag],
]);

/** Why a request parameter can't have this value; undefined when it can. */
export function parameterProblem(name: string, value: unknown): Refusal | undefined {
  if (!parameterName.test(name)) return refuse('Name one request parameter, such as request/temperature.');
  if (assembled.has(name)) return refuse('{0} is assembled by Loopscope and can not be set here.', name);
  const rule = rules.get(name);
  if (!rule || rule.takes(value)) return undefined;
  const nearest = rule.nearest?.(value);
  if (nearest === undefined || !rule.takes(nearest)) return rule.refusal(name);
  return offering(rule.refusal(name), {
    kind: 'set',
    target: `request/${name}`,
    scope: 'request',
    value: nearest,
  });
}
