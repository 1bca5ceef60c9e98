/** What can be typed next in an expression: members of the value before the dot, names, tools within quotes. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { visible } from '../core/visible.ts';
import { scopeNames } from './expressionScope.ts';
import type { Member } from './sandbox.ts';

export interface CompletionPorts {
  /** The members of a value; none where there is none. Must not reject. */
  readonly members: (expression: string) => Promise<readonly Member[]>;
  readonly tools: readonly string[];
}

/** Longer ones are no expression that anyone completes by hand. */
const longestText = 10_000;

/** `text` ends at the cursor. Never rejects. */
export async function completions(
  text: string,
  ports: CompletionPorts,
): Promise<DebugProtocol.CompletionItem[]> {
  if (text.length > longestText) return [];
  const tokens = tokensOf(text);
  const last = tokens.at(-1);
  if (last?.kind === 'comment') return [];
  if (last?.isOpen) return openString(last.text, ports);
  const typed = last?.kind === 'name' && last.end === text.length ? last.text : '';
  const before = typed === '' ? tokens : tokens.slice(0, -1);
  const dot = before.at(-1);
  if (dot?.kind === 'number') return [];
  if (dot?.text !== '.' && dot?.text !== '?.') return [...names(typed), ...(await globals(typed, ports))];
  const owner = receiver(before.slice(0, -1));
  if (owner.length === 0) return [];
  const found = await ports.members(sliceOf(text, owner));
  const members = found.length > 0 ? found : await ports.members(itemOf(text, owner, before) ?? '');
  return members.filter(([name]) => isLike(name, typed)).map((member) => memberItem(member, typed, dot.text));
}

const isName = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function isLike(name: string, typed: string): boolean {
  return name.toLowerCase().startsWith(typed.toLowerCase());
}

/** A name that no identifier can be goes in brackets, in place of the dot. */
function memberItem([name, kind, depth]: Member, typed: string, dot: string): DebugProtocol.CompletionItem {
  const item = { label: visible(name).replace(/\s/g, ' '), type: kind, sortText: `${depth} ${name}` };
  if (isName.test(name)) return { ...item, text: name, length: typed.length };
  const bracket = `[${JSON.stringify(name)}]`;
  return dot === '?.'
    ? { ...item, text: bracket, length: typed.length }
    : { ...item, text: bracket, length: typed.length + dot.length };
}

function names(typed: string): DebugProtocol.CompletionItem[] {
  return scopeNames
    .filter((name) => isLike(name, typed))
    .map((name) => ({
      label: name,
      text: name,
      type: 'variable',
      length: typed.length,
      sortText: `0 ${name}`,
    }));
}

async function globals(typed: string, { members }: CompletionPorts): Promise<DebugProtocol.CompletionItem[]> {
  if (typed === '') return [];
  const found = await members('globalThis');
  return found
    .filter(
      ([name, , depth]) =>
        depth === 0 && isLike(name, typed) && !(scopeNames as readonly string[]).includes(name),
    )
    .map(([name, kind]) => ({
      label: name,
      text: name,
      type: kind === 'method' ? 'function' : 'variable',
      length: typed.length,
      sortText: `1 ${name}`,
    }));
}

/** The tools of the agent, as conditions compare with them; within `${` of a template it is code again. */
async function openString(open: string, ports: CompletionPorts): Promise<DebugProtocol.CompletionItem[]> {
  const hole = open.startsWith('`') ? open.lastIndexOf('${') : -1;
  if (hole > 0 && !open.includes('}', hole)) return completions(open.slice(hole + 2), ports);
  const [typed, { tools }] = [open.slice(1), ports];
  return tools
    .filter((tool) => isLike(tool, typed))
    .map((tool) => ({ label: tool, text: tool, type: 'value', length: typed.length, sortText: tool }));
}

interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'regex' | 'comment' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** A string or comment that the text ends in. */
  readonly isOpen: boolean;
}

const forms: readonly (readonly [Token['kind'], RegExp])[] = [
  ['comment', /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/uy],
  ['string', /'(?:[^'\\\n]|\\[^])*'?|"(?:[^"\\\n]|\\[^])*"?|`(?:[^`\\]|\\[^])*`?/uy],
  ['name', /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy],
  ['number', /\d(?:[\p{ID_Continue}_]|\.(?=\d))*\.?(?![.\p{ID_Start}$_])/uy],
  ['regex', /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\p{ID_Continue}*/uy],
  ['sign', /\?\.(?!\d)|=>|[^\s]/uy],
];

/** Roughly as JavaScript does it: enough to know strings, and where an expression before a dot begins. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const found = tokenAt(text, at, tokens.at(-1));
    if (found) tokens.push(found);
    at = found?.end ?? at + 1;
  }
  // A comment says nothing, but where the text ends in it.
  return tokens.filter(
    (token, index) => token.kind !== 'comment' || (token.isOpen && index === tokens.length - 1),
  );
}

function tokenAt(text: string, at: number, before: Token | undefined): Token | undefined {
  for (const [kind, form] of forms) {
    // After a value a slash divides.
    if (kind === 'regex' && before && endsValue(before)) continue;
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found === undefined) continue;
    const end = at + found.length;
    return { kind, text: found, start: at, end, isOpen: end === text.length && isUnclosed(kind, found) };
  }
  return undefined;
}

function isUnclosed(kind: Token['kind'], text: string): boolean {
  if (kind === 'string') return !/^(['"`])(?:[^\\]|\\[^])*?\1$/u.test(text);
  return kind === 'comment' && (text.startsWith('//') || !text.endsWith('*/') || text === '/*/');
}

function endsValue({ kind, text }: Token): boolean {
  return kind === 'sign' ? text === ')' || text === ']' || text === '}' : kind !== 'comment';
}

/** The tokens at the end that make up one value: names, calls and indexes, chained. */
function receiver(tokens: readonly Token[]): readonly Token[] {
  let start = tokens.length;
  for (;;) {
    const unit = unitStart(tokens, start);
    if (unit === start) return tokens.slice(start);
    start = unit;
    const before = tokens[start - 1];
    if (before?.text === '.' || before?.text === '?.') start--;
    // `f(x)`, `list[0]`: what stands before brackets belongs to them.
    else if (!isBracket(tokens[start]) || !before || !endsValue(before)) return tokens.slice(start);
  }
}

function isBracket(token: Token | undefined): boolean {
  return token?.kind === 'sign' && (token.text === '(' || token.text === '[');
}

const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Where the last name, string or pair of brackets before `end` begins; `end` where there is none. */
function unitStart(tokens: readonly Token[], end: number): number {
  const last = tokens[end - 1];
  if (!last || !endsValue(last)) return end;
  if (last.kind !== 'sign') return end - 1;
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    const { kind, text } = tokens[at]!;
    if (kind !== 'sign') continue;
    if (Object.hasOwn(openers, text)) depth++;
    else if (Object.values(openers).includes(text) && --depth === 0) return at;
  }
  return end;
}

/** The first item of a list, for the parameter of a function that one of its methods was given: `messages.filter(m => m.`. */
function itemOf(text: string, owner: readonly Token[], tokens: readonly Token[]): string | undefined {
  const [name, ...rest] = owner;
  const arrow = tokens.findLastIndex(
    ({ text }, index) => text === '=>' && parameter(tokens, index) === name?.text,
  );
  if (arrow < 0) return undefined;
  const isWrapped = tokens[arrow - 1]?.text === ')';
  const call = arrow - (isWrapped ? 4 : 2);
  if (tokens[call]?.text !== '(' || tokens[call - 1]?.kind !== 'name' || tokens[call - 2]?.text !== '.')
    return undefined;
  const list = receiver(tokens.slice(0, call - 2));
  return list.length === 0 ? undefined : `(${sliceOf(text, list)})[0]${sliceOf(text, rest)}`;
}

/** The one parameter of an arrow function. */
function parameter(tokens: readonly Token[], arrow: number): string | undefined {
  const [before, wrapped] = [tokens[arrow - 1], tokens[arrow - 2]];
  return before?.text === ')' && tokens[arrow - 3]?.text === '(' ? wrapped?.text : before?.text;
}

function sliceOf(text: string, tokens: readonly Token[]): string {
  return text.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0);
}
