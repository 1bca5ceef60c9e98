import { isOwnField } from '../core/messageFacts.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { ErrorText } from './classifyText.ts';
import {
  essential,
  idRefusal,
  plainWords,
  refusalCodes,
  refusalStatuses,
  refusalWords,
  unnamedRefusals,
} from './dialectPatterns.ts';

/**
 * The fields of a request that its server may refuse by name: parameters (`temperature`), `messages/role` for the
 * role of the instructions, `messages/NAME` for a field of an assistant message, `messages/call_id` for the form of the
 * ids of calls, `tools/strict`.
 */
export function fieldsOf(body: string): readonly string[] {
  const request = parseJson(body);
  if (!isRecord(request)) return [];
  const parameters = Object.keys(request).filter((name) => !essential.has(name));
  const messages = listOf(request['messages']);
  const instructed = messages.some(({ role }) => role === 'system' || role === 'developer');
  const replies = messages.filter(({ role }) => role === 'assistant');
  const own = [
    ...replies.flatMap((message) => Object.keys(message)).filter((name) => isOwnField(name, 'message')),
    ...replies
      .flatMap((message) => listOf(message['tool_calls']))
      .flatMap((call) => Object.keys(call))
      .filter((name) => isOwnField(name, 'call')),
  ];
  const strict = listOf(request['tools']).some(
    (tool) => isRecord(tool['function']) && 'strict' in tool['function'],
  );
  return [
    ...parameters,
    ...(instructed ? ['messages/role'] : []),
    ...(messages.some(({ role }) => role === 'tool') ? ['messages/call_id'] : []),
    ...[...new Set(own)].map((name) => `messages/${name}`),
    ...(strict ? ['tools/strict'] : []),
  ];
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * Which of the fields that were sent an error refuses: by the place that it names, else by its words. Empty for
 * an error about something else, about a value's size too.
 */
export function refusedFields(
  said: ErrorText,
  status: number | undefined,
  sent: readonly string[],
): readonly string[] {
  if (!refusalStatuses.includes(status ?? 0)) return [];
  if (idRefusal.test(said.message)) return sent.filter((field) => field === 'messages/call_id');
  const refused = said.codes.some((code) => refusalCodes.includes(code)) || refusalWords.test(said.message);
  const placed = said.params.flatMap((place) => fieldAt(place, sent));
  // A complaint about a message's place names its role too, and another role for the instructions is no answer to it.
  if (placed.includes('messages/role')) return misplaced.test(said.message) ? [] : ['messages/role'];
  if (!refused) return [];
  if (placed.length > 0) return [...new Set(placed)];
  const named = namedIn(said.message, sent);
  // Of two that exclude each other one can stay.
  if (named.length > 0) return exclusive.test(said.message) ? named.slice(-1) : named;
  return unnamedRefusals
    .filter(({ field, text }) => sent.includes(field) && text.test(said.message))
    .map(({ field }) => field)
    .slice(0, 1);
}

const exclusive = /\b(?:not|n't) both\b|\bonly one of\b|\bmutually exclusive\b|\buse only one\b/i;

const misplaced =
  /tool_calls?\b|tool_call_id|\balternat|must (?:be (?:a response|preceded|followed)|follow|precede)/i;

/** The field at a place as servers write it: `messages[0].role`, `messages.2.assistant.reasoning`, `tools[0].function.strict`. */
function fieldAt(place: string, sent: readonly string[]): string[] {
  const path = place.split(/[.[\]/'"]+/).filter((key) => key !== '' && !/^\d+$/.test(key) && key !== 'body');
  const [first = '', ...rest] = path;
  const last = rest.at(-1) ?? '';
  const name = first === 'messages' || first === 'tools' ? `${first}/${last}` : first;
  return sent.includes(name) ? [name] : [];
}

/** Sent fields by their names in a text: all that stand in quotes, else the first one and those listed with it. */
function namedIn(text: string, sent: readonly string[]): string[] {
  const found = sent.flatMap((field) => {
    const name = field.slice(field.indexOf('/') + 1);
    if (field === 'messages/role') return [];
    const places = [name, camelCase(name)].map((spelt) => ({
      at: placeIn(text, spelt),
      length: spelt.length,
    }));
    const found = places.find(({ at }) => at >= 0);
    return found ? [{ field, at: found.at, end: found.at + found.length }] : [];
  });
  const [first, ...rest] = found.toSorted((a, b) => a.at - b.at);
  if (!first) return [];
  let { end } = first;
  const listed = rest.filter((next) => {
    const together = /^[\s'"`’”,;&]*(?:and|or)?[\s'"`‘“,;&]*$/i.test(text.slice(end, next.at));
    if (together) end = next.end;
    return together;
  });
  return [first, ...listed].map(({ field }) => field);
}

/** Servers that are written in Go or Java may name a field as their code does. */
function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Where the name stands as a name; -1 when it does not. */
function placeIn(text: string, name: string): number {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  const alone = `(?<![\\w-])${escaped}(?![\\w-])`;
  const asField = [
    `['"\`‘“]${escaped}['"\`’”]`,
    `\\b(?:parameter|argument|field|property|properties|option|keyword|key|input)s?(?: \\w+){0,2}\\W{1,4}${alone}`,
    `${alone} (?:is|are) (?:not |un)(?:supported|permitted|allowed|accepted|known|recogni[sz]ed|available|implemented)`,
    `\\bsupport(?:ed|s)? (?:the )?${alone}`,
    `${alone}\\W{0,2} (?:parameter|argument|field|property|option)`,
    `(?:body|request)\\.${escaped}\\b`,
    `^${escaped}:`,
  ].join('|');
  const found = new RegExp(plainWords.has(name) ? asField : alone, 'i').exec(text);
  return found ? found.index + found[0].toLowerCase().lastIndexOf(name.toLowerCase()) : -1;
}
