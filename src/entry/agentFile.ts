/** Reads an agent file: JSON with comments, checked, with messages that name key, value, line and what is allowed. */
import * as l10n from '@vscode/l10n';
import * as jsonc from 'jsonc-parser';
import type * as z from 'zod';
import { type AgentConfig, policyNames } from '../core/config.ts';
import { atPointer } from '../core/pointer.ts';
import { nearestNames } from '../toolbox/nearestNames.ts';
import { agentSchema, commandToolKeys, contextKeys, priceKeys } from './agentSchema.ts';
import { compilePattern } from './secrets.ts';
import { toolIssues, toolProblems } from './toolProblems.ts';

export interface FileProblem {
  /** In words, with the place in front: `day.agent.json:4: …`. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The place in `tools` that it is about. */
  readonly tool?: number;
}

/** Where something stands in the file, from 1. */
export type FilePlace = Pick<FileProblem, 'line' | 'column'>;

export type AgentFile =
  | {
      readonly ok: true;
      readonly config: AgentConfig;
      readonly warnings: readonly FileProblem[];
      /** Where `system_prompt` stands, line from 1. */
      readonly systemLine: number;
      /** Where the tools stand, in the order of `tools`. */
      readonly toolPlaces: readonly FilePlace[];
    }
  | {
      readonly ok: false;
      readonly problems: readonly FileProblem[];
      /** Where the shape is right and only what it says is not. */
      readonly known?: { readonly config: AgentConfig; readonly toolPlaces: readonly FilePlace[] };
    };

/**
 * @param name how messages call the file
 * @param overrides settings by dotted path (`context.max_tokens`), over what the file says
 */
export function parseAgentFile(
  given: string,
  name: string,
  toolNames: readonly string[],
  overrides: ReadonlyMap<string, unknown> = new Map(),
): AgentFile {
  // Editors of some systems begin a file with a byte order mark; what stands in front of a text is not part of it.
  const text = given.startsWith('\ufeff') ? given.slice(1) : given;
  const at = (offset: number, message: string): FileProblem => {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    return { message: `${name}:${line}: ${message}`, line, column: offset - before.lastIndexOf('\n') };
  };
  const deep = tooDeepAt(text);
  if (deep !== undefined)
    return {
      ok: false,
      problems: [at(deep, l10n.t('This is nested deeper than {0} levels.', String(maxDepth)))],
    };
  const errors: jsonc.ParseError[] = [];
  const tree = jsonc.parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error || !tree) return { ok: false, problems: [at(error?.offset ?? 0, syntaxWords(text, error))] };
  const wrong = ambiguities(tree, at);
  if (wrong.length > 0) return { ok: false, problems: wrong };
  const place = (path: readonly PropertyKey[]) => nodeAt(tree, path)?.offset ?? tree.offset;
  const value = withOverrides(jsonc.getNodeValue(tree) as unknown, overrides);
  const known = withoutUnknownKeys(value);
  const warnings = known.unknown.map((path) => at(place(path), unknownKeyWords(path)));
  const parsed = agentSchema.safeParse(known.value);
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.error.issues
        .flatMap((issue) => toolIssues(issue, known.value))
        .map((issue) => at(place(issue.path), issueWords(issue, known.value))),
    };
  }
  const config = parsed.data as AgentConfig;
  const toolPlaces = config.tools.map((_, index): FilePlace => {
    const { line, column } = at(place(['tools', index]), '');
    return { line, column };
  });
  const bad = settingProblems(config, toolNames, (path, message) => at(place(path), message));
  if (bad.length > 0) return { ok: false, problems: bad, known: { config, toolPlaces } };
  if (isIgnoredWindow(value, config)) {
    warnings.push(
      at(
        place(['max_history']),
        l10n.t(
          'max_history is used by the policy "window" only; the policy here is "{0}".',
          config.context.policy,
        ),
      ),
    );
  }
  return { ok: true, config, warnings, systemLine: at(place(['system_prompt']), '').line, toolPlaces };
}

/** What no shape tells: tools that there are not, patterns that are none, a limit in dollars without prices. */
function settingProblems(
  config: AgentConfig,
  toolNames: readonly string[],
  problem: (path: readonly PropertyKey[], message: string) => FileProblem,
): FileProblem[] {
  const tools = toolProblems(config.tools, toolNames).map(({ path, message }) => ({
    ...problem(['tools', ...path], message),
    tool: Number(path[0]),
  }));
  const patterns = (config.redact ?? []).flatMap((source, index) => {
    const compiled = compilePattern(source, 'pattern');
    if (compiled.ok) return [];
    const quoted = JSON.stringify(source);
    const words = l10n.t('The regular expression {0} can not be used: {1}.', quoted, compiled.why);
    return [problem(['redact', index], words)];
  });
  const words = l10n.t(
    '"max_cost" needs "price": what a million tokens cost, for example {0}.',
    '"price": { "input": 0.4, "output": 1.6 }',
  );
  const isUnpriced = config.max_cost !== undefined && config.price === undefined;
  return [...tools, ...patterns, ...(isUnpriced ? [problem(['max_cost'], words)] : [])];
}

/** An agent file has three levels; a parser would fall over ten thousand. */
const maxDepth = 100;

/** Where brackets nest deeper than that; a scanner reads strings and comments for what they are. */
function tooDeepAt(text: string): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    // The first character says what a token is: a bracket in a string begins with a quote.
    const first = text[scanner.getTokenOffset()] ?? '';
    depth += '{['.includes(first) ? 1 : '}]'.includes(first) ? -1 : 0;
    if (depth > maxDepth) return scanner.getTokenOffset();
  }
  return undefined;
}

/** What would be read as something else than it says: a key given twice, a number too large to be one. */
function ambiguities(node: jsonc.Node, at: (offset: number, message: string) => FileProblem): FileProblem[] {
  const below = (node.children ?? []).flatMap((child) => ambiguities(child, at));
  if (node.type === 'number' && !Number.isFinite(node.value))
    return [at(node.offset, l10n.t('This number is too large.')), ...below];
  if (node.type !== 'object') return below;
  const keys = (node.children ?? []).flatMap(({ children: [key] = [] }) => (key ? [key] : []));
  const twice = keys.filter((key, index) => keys.findIndex((one) => one.value === key.value) < index);
  return [
    ...twice.map((key) => at(key.offset, l10n.t('The key "{0}" is there twice.', String(key.value)))),
    ...below,
  ];
}

function syntaxWords(text: string, error: jsonc.ParseError | undefined): string {
  if (!error || text.trim() === '')
    return l10n.t(
      'The file is empty. An agent file is a JSON object; run “Loopscope: New Agent” for a commented one.',
    );
  const found = JSON.stringify(
    text.slice(error.offset, error.offset + Math.max(1, error.length)).slice(0, 40),
  );
  const what = jsonc
    .printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return l10n.t('This is not valid JSON ({0}) at {1}.', what, found);
}

function nodeAt(tree: jsonc.Node, path: readonly PropertyKey[]): jsonc.Node | undefined {
  // The deepest node on the path that exists: a missing key is reported where it is missing.
  for (let length = path.length; length >= 0; length--) {
    const node = jsonc.findNodeAtLocation(tree, path.slice(0, length) as (string | number)[]);
    if (node) return node.parent?.type === 'property' ? node.parent : node;
  }
  return undefined;
}

function withOverrides(value: unknown, overrides: ReadonlyMap<string, unknown>): unknown {
  let result = value;
  for (const [path, leaf] of overrides) result = assign(result, path.split('.'), leaf);
  return result;
}

function assign(value: unknown, [key, ...rest]: readonly string[], leaf: unknown): unknown {
  if (key === undefined) return leaf;
  const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...record, [key]: assign(record[key], rest, leaf) };
}

const knownKeys: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(agentSchema.shape),
  context: contextKeys,
};

/** Unknown keys are warned about and left out: a later version's file still runs. `$schema` is an editor's. */
function withoutUnknownKeys(value: unknown): { value: unknown; unknown: string[][] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value, unknown: [] };
  const unknown: string[][] = [];
  const clean = (record: Record<string, unknown>, parent: string) =>
    Object.fromEntries(
      Object.entries(record).filter(([key]) => {
        const known = knownKeys[parent]?.includes(key) ?? true;
        if (!known && key !== '$schema') unknown.push(parent === '' ? [key] : [parent, key]);
        return known;
      }),
    );
  const top = clean(value as Record<string, unknown>, '');
  const { context } = top;
  const nested = typeof context === 'object' && context !== null && !Array.isArray(context);
  return {
    value: nested ? { ...top, context: clean(context as Record<string, unknown>, 'context') } : top,
    unknown,
  };
}

function unknownKeyWords(path: readonly string[]): string {
  const keys = knownKeys[path.length > 1 ? (path[0] ?? '') : ''] ?? [];
  const [nearest] = nearestNames(path.at(-1) ?? '', keys);
  const key = path.join('.');
  return nearest
    ? l10n.t('Unknown key "{0}" is ignored. Did you mean "{1}"?', key, nearest)
    : l10n.t('Unknown key "{0}" is ignored. Known keys: {1}.', key, keys.join(', '));
}

function issueWords(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.path.length === 0) return l10n.t('An agent file must be a JSON object.');
  const key = issue.path.join('.');
  const found = atPointer(value, issue.path.join('/'));
  if (found === undefined) return l10n.t('"{0}" is missing. {1}', key, allowed(issue));
  const shown = JSON.stringify(found);
  return l10n.t(
    '"{0}" can not be {1}. {2}',
    key,
    shown.length > 80 ? `${shown.slice(0, 80)}…` : shown,
    allowed(issue),
  );
}

function allowed(issue: z.core.$ZodIssue): string {
  if (issue.path.join('.') === 'context.policy')
    return l10n.t(
      'Allowed: {0}, or the path of a module: {1}.',
      policyNames.map((one) => JSON.stringify(one)).join(', '),
      '"./my-policy.mjs"',
    );
  if (issue.path.join('.') === 'context.retrieve')
    return l10n.t('Allowed: the path of a module: {0}.', '"./my-retrieval.mjs"');
  switch (issue.code) {
    case 'invalid_value':
      return l10n.t('Allowed: {0}.', issue.values.map((one) => JSON.stringify(one)).join(', '));
    case 'too_small':
      if (issue.origin === 'string') return l10n.t('It must not be empty.');
      return issue.inclusive === false
        ? l10n.t('It must be greater than {0}.', String(issue.minimum))
        : l10n.t('It must be at least {0}.', String(issue.minimum));
    case 'too_big':
      return l10n.t('It must be at most {0}.', String(issue.maximum));
    case 'invalid_type':
      return l10n.t('It must be of the type {0}.', typeNames[issue.expected] ?? issue.expected);
    case 'unrecognized_keys':
      return unknownKeysWords(
        issue.keys,
        { tools: commandToolKeys, price: priceKeys }[String(issue.path[0])],
      );
    default:
      return issueHint(issue);
  }
}

function unknownKeysWords(keys: readonly string[], known: readonly string[] | undefined): string {
  return known
    ? l10n.t('Unknown keys: {0}. Known keys: {1}.', keys.join(', '), known.join(', '))
    : l10n.t('Unknown keys: {0}.', keys.join(', '));
}

/** What zod calls otherwise than JSON does. */
const typeNames: Readonly<Record<string, string>> = { int: 'integer', record: 'object' };

/** What zod's own words can't say in two languages: the checks by pattern. */
function issueHint(issue: z.core.$ZodIssue): string {
  if (issue.path[0] === 'api_key_env')
    return l10n.t('It must be the name of an environment variable, not the key itself.');
  if (issue.path.includes('overflow_patterns')) return l10n.t('It must be a regular expression.');
  if (issue.path[0] === 'parameters')
    return l10n.t(
      'It can hold any request parameter but model, messages, tools, temperature, stream, stream_options and n.',
    );
  if (issue.path[0] === 'tools')
    return issue.path[2] === 'command'
      ? l10n.t('It must be a line for the shell, or a list of a program and its arguments.')
      : l10n.t('It must be the name of a tool, or an object with {0}.', commandToolKeys.join(', '));
  if (issue.path[0] === 'api_base') return l10n.t('It must be an address such as https://api.openai.com/v1.');
  return issue.message;
}

function isIgnoredWindow(value: unknown, config: AgentConfig): boolean {
  return atPointer(value, 'max_history') !== undefined && config.context.policy !== 'window';
}
