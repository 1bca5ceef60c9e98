/**
 * What a chat-completions API refuses, from its public description and from what its servers are known to
 * answer. Written apart from `core/legal.ts` on purpose: each is there to catch the other's mistakes.
 */
import { json, type ScriptedAnswer } from './scriptedServer.ts';

interface Complaint {
  readonly param: string;
  readonly message: string;
  readonly code?: string;
}

/** The answer of a strict server to a request that it refuses; undefined for one that it takes. */
export function strictRefusal(body: string): ScriptedAnswer | undefined {
  const complaint = complaintAbout(body);
  if (!complaint) return undefined;
  const { message, param, code = null } = complaint;
  return json(400, { error: { message, type: 'invalid_request_error', param, code } });
}

type Json = Record<string, unknown>;

class Refused extends Error {
  readonly complaint: Complaint;
  constructor(complaint: Complaint) {
    super(complaint.message);
    this.complaint = complaint;
  }
}

function refuse(param: string, message: string, code?: string): never {
  throw new Refused({ param, message, ...(code === undefined ? {} : { code }) });
}

function complaintAbout(body: string): Complaint | undefined {
  try {
    const request = object(JSON.parse(body) as unknown, 'body');
    checkParameters(request);
    checkTools(request);
    checkChoice(request);
    checkMessages(request['messages']);
    checkSurrogates(request, 'body');
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.complaint;
    return { param: 'body', message: `We could not parse the JSON body of your request: ${String(error)}` };
  }
}

function object(value: unknown, param: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse(param, `Invalid type for '${param}': expected an object.`);
  return value as Json;
}

const isText = (value: unknown) => typeof value === 'string';

const parameters: Readonly<Record<string, (value: unknown) => boolean>> = {
  model: (value) => typeof value === 'string' && value !== '',
  messages: (value) => Array.isArray(value) && value.length > 0 && value.length <= 2048,
  tools: (value) => Array.isArray(value) && value.length > 0 && value.length <= 128,
  temperature: (value) => typeof value === 'number' && value >= 0 && value <= 2,
  top_p: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  max_tokens: (value) => Number.isInteger(value) && Number(value) > 0,
  max_completion_tokens: (value) => Number.isInteger(value) && Number(value) > 0,
  stream: (value) => typeof value === 'boolean',
  stream_options: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([key, is]) => key === 'include_usage' && typeof is === 'boolean'),
  parallel_tool_calls: (value) => typeof value === 'boolean',
  tool_choice: (value) => ['none', 'auto', 'required'].includes(String(value)) || typeof value === 'object',
  response_format: (value) => typeof value === 'object' && value !== null,
  reasoning_effort: (value) => typeof value === 'string',
  seed: Number.isInteger,
  stop: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.length <= 4 && value.every(isText)),
  user: (value) => typeof value === 'string',
};

function checkParameters(request: Json): void {
  for (const [name, value] of Object.entries(request)) {
    const fits = parameters[name];
    if (!fits) refuse(name, `Unrecognized request argument supplied: ${name}`, 'unknown_parameter');
    if (!fits(value)) refuse(name, `Invalid value for '${name}'.`, 'invalid_type');
  }
  for (const name of ['model', 'messages']) {
    if (!(name in request))
      refuse(name, `Missing required parameter: '${name}'.`, 'missing_required_parameter');
  }
  if ('stream_options' in request && request['stream'] !== true)
    refuse('stream_options', "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  for (const name of ['tool_choice', 'parallel_tool_calls']) {
    if (name in request && !('tools' in request))
      refuse(name, `'${name}' is only allowed when 'tools' are specified.`);
  }
  if ('max_tokens' in request && 'max_completion_tokens' in request)
    refuse('max_tokens', "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not allowed.");
}

const name = /^[a-zA-Z0-9_-]{1,64}$/;

function checkTools({ tools }: Json): void {
  const names = new Set<unknown>();
  for (const [index, entry] of ((tools ?? []) as unknown[]).entries()) {
    const at = `tools[${index}]`;
    const tool = object(entry, at);
    if (tool['type'] !== 'function') refuse(`${at}.type`, `Invalid value for '${at}.type'.`);
    const called = object(tool['function'], `${at}.function`);
    for (const key of Object.keys(called)) {
      if (!['name', 'description', 'parameters', 'strict'].includes(key))
        refuse(`${at}.function.${key}`, `Unknown parameter: '${at}.function.${key}'.`, 'unknown_parameter');
    }
    if (typeof called['name'] !== 'string' || !name.test(called['name']))
      refuse(
        `${at}.function.name`,
        `Invalid '${at}.function.name': string does not match pattern.`,
        'invalid_value',
      );
    const described = called['description'] ?? '';
    if (typeof described !== 'string' || described.length > 1024)
      refuse(`${at}.function.description`, 'string too long. Expected a string with maximum length 1024.');
    if (names.has(called['name'])) refuse(`${at}.function.name`, 'Tool names must be unique.');
    names.add(called['name']);
    const schema = object(called['parameters'] ?? { type: 'object' }, `${at}.function.parameters`);
    const bad = (why: string): never =>
      refuse(
        `${at}.function.parameters`,
        `Invalid schema for function '${String(called['name'])}': ${why}`,
        'invalid_function_parameters',
      );
    if (schema['type'] !== 'object') bad('schema must be a JSON Schema of \'type: "object"\'');
    checkSchema(schema, bad, called['strict'] === true);
  }
}

/** A tool that is chosen by name must be one of those that are told of. */
function checkChoice({ tools, tool_choice: choice }: Json): void {
  if (typeof choice !== 'object' || choice === null) return;
  const wanted = object((choice as Json)['function'], 'tool_choice.function')['name'];
  const names = ((tools ?? []) as { function: Json }[]).map((tool) => tool.function['name']);
  if (!names.includes(wanted)) refuse('tool_choice', `Tool choice '${String(wanted)}' not found in 'tools'.`);
}

function checkSchema(value: unknown, bad: (why: string) => never, strict: boolean): void {
  if (Array.isArray(value)) for (const one of value) checkSchema(one, bad, strict);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const schema = value as Json;
  for (const [key, property] of Object.entries((schema['properties'] ?? {}) as Json))
    if (
      typeof property !== 'boolean' &&
      (typeof property !== 'object' || property === null || Array.isArray(property))
    )
      bad(`property '${key}' is not of type 'object', 'boolean'`);
  if ('required' in schema && !(Array.isArray(schema['required']) && schema['required'].every(isText)))
    bad("'required' is not an array of strings");
  if (Array.isArray(schema['enum']) && schema['enum'].length === 0) bad('enum must not be empty');
  if (schema['type'] === 'array' && !('items' in schema) && !('prefixItems' in schema))
    bad('array schema missing items');
  if (strict && schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false)
      bad("'additionalProperties' is required to be supplied and to be false");
    const wanted = Object.keys(schema['properties'] ?? {});
    const required = (schema['required'] ?? []) as unknown[];
    if (wanted.some((key) => !required.includes(key)))
      bad("'required' is required to be supplied and to be an array including every key in properties");
  }
  for (const [key, inner] of Object.entries(schema)) {
    if (key !== 'enum' && key !== 'const' && key !== 'default' && key !== 'examples')
      checkSchema(inner, bad, strict);
  }
}

const messageKeys: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'audio'],
  tool: ['role', 'content', 'tool_call_id'],
};

function checkMessages(value: unknown): void {
  const messages = value as readonly unknown[];
  const seen = new Set<string>();
  let waiting: string[] = [];
  let spoken = false;
  for (const [index, entry] of messages.entries()) {
    const at = `messages[${index}]`;
    const message = object(entry, at);
    const role = String(message['role']);
    const keys = messageKeys[role];
    if (!keys)
      refuse(
        `${at}.role`,
        `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', and 'tool'.`,
        'invalid_value',
      );
    for (const key of Object.keys(message))
      if (!keys.includes(key))
        refuse(`${at}.${key}`, `Unknown parameter: '${at}.${key}'.`, 'unknown_parameter');
    checkSurrogates(message, at);
    if (role !== 'tool' && waiting.length > 0)
      refuse(
        at,
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${waiting.join(', ')}`,
      );
    if (role === 'system' || role === 'developer') {
      if (spoken) refuse(`${at}.role`, 'Instructions must stand at the beginning.');
    } else if (!spoken && role !== 'user')
      refuse(`${at}.role`, 'The conversation must begin with a user message.');
    else spoken = true;
    if (role === 'tool') waiting = answered(message, waiting, at);
    else if (role === 'assistant') waiting = asked(message, seen, at);
    else checkContent(message['content'], at, role);
    const named = message['name'];
    if (named !== undefined && !(isText(named) && /^[^\s<|\\/>]+$/.test(String(named))))
      refuse(`${at}.name`, `Invalid '${at}.name': string does not match pattern.`);
  }
  if (waiting.length > 0)
    refuse('messages', `tool_call_ids without response messages: ${waiting.join(', ')}`);
  if (!spoken) refuse('messages', 'There must be a user message.');
}

function answered(message: Json, waiting: readonly string[], at: string): string[] {
  const id = message['tool_call_id'];
  if (typeof id !== 'string') refuse(`${at}.tool_call_id`, `Missing parameter 'tool_call_id' in '${at}'.`);
  const place = waiting.indexOf(id);
  if (place < 0)
    refuse(
      `${at}.role`,
      "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
    );
  checkContent(message['content'], at);
  return waiting.filter((_, index) => index !== place);
}

function asked(message: Json, seen: Set<string>, at: string): string[] {
  const { content, tool_calls: calls } = message;
  if (calls === undefined) {
    if (content === null || content === undefined || content === '')
      refuse(
        `${at}.content`,
        `Invalid value for 'content': expected a string, got ${JSON.stringify(content) ?? 'nothing'}.`,
      );
    checkContent(content, at);
    return [];
  }
  if (!Array.isArray(calls) || calls.length === 0)
    refuse(`${at}.tool_calls`, `[] is too short - '${at}.tool_calls'`);
  if (content !== null && content !== undefined && content !== '') checkContent(content, at);
  return (calls as unknown[]).map((entry, index) => {
    const where = `${at}.tool_calls[${index}]`;
    const call = object(entry, where);
    const { id, type } = call;
    if (typeof id !== 'string' || id === '' || id.length > 40)
      refuse(
        `${where}.id`,
        `Invalid '${where}.id': string too long. Expected a string with maximum length 40.`,
      );
    checkKeys(call, ['id', 'type', 'function'], where);
    if (seen.has(id)) refuse(`${where}.id`, `Duplicate value for 'tool_call_id' of '${id}'.`);
    seen.add(id);
    if (type !== 'function') refuse(`${where}.type`, `Invalid value for '${where}.type'.`);
    const called = object(call['function'], `${where}.function`);
    checkKeys(called, ['name', 'arguments'], `${where}.function`);
    if (typeof called['name'] !== 'string' || !name.test(called['name']))
      refuse(`${where}.function.name`, `Invalid '${where}.function.name': string does not match pattern.`);
    checkArguments(called['arguments'], `${where}.function.arguments`);
    return id;
  });
}

function checkKeys(value: Json, keys: readonly string[], at: string): void {
  for (const key of Object.keys(value))
    if (!keys.includes(key))
      refuse(`${at}.${key}`, `Unknown parameter: '${at}.${key}'.`, 'unknown_parameter');
}

function checkArguments(value: unknown, at: string): void {
  if (typeof value !== 'string') refuse(at, `Invalid type for '${at}': expected a string.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    refuse(at, `Invalid '${at}': arguments must be JSON.`);
  }
  checkSurrogates(object(parsed, at), at);
}

function checkContent(content: unknown, at: string, role = 'assistant'): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content) || content.length === 0)
    refuse(`${at}.content`, `Invalid type for '${at}.content': expected a string or an array of parts.`);
  for (const [index, part] of (content as unknown[]).entries()) {
    const { type, text } = object(part, `${at}.content[${index}]`);
    const types = role === 'user' ? ['text', 'image_url', 'input_audio', 'file'] : ['text', 'refusal'];
    if (!types.includes(String(type)))
      refuse(`${at}.content[${index}].type`, `Invalid value: '${String(type)}'.`);
    if (type === 'text' && !isText(text))
      refuse(`${at}.content[${index}].text`, `Missing required parameter: '${at}.content[${index}].text'.`);
  }
}

/** A lone half of a surrogate pair anywhere: strict JSON readers refuse the whole body. */
function checkSurrogates(value: unknown, at: string): void {
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(textsOf(value)))
    refuse(at, `We could not parse the JSON body of your request: lone surrogate in '${at}'.`);
}

function textsOf(value: unknown): string {
  if (typeof value === 'string') return `${value} `;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${textsOf(inner)}`)
    .join('');
}
