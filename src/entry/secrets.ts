/** What must not enter a journal, as far as this process knows it: the key in use, the environment's, the user's patterns. */
import { RE2JS } from 're2js';
import type { AgentConfig } from '../core/config.ts';
import type { SecretPattern, Secrets } from '../session/redactor.ts';
import { secretShapes } from '../session/secretShapes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function secretsOf(config: AgentConfig, apiKey: string | undefined, env: Environment): Secrets {
  return {
    values: [
      ...(apiKey === undefined ? [] : [{ name: 'api-key', value: apiKey }]),
      ...secretsOfUrl(config.api_base),
      ...secretsOfEnvironment(env, config.api_key_env),
    ],
    patterns: (config.redact ?? []).flatMap((source, index) => {
      const compiled = compilePattern(source, `pattern-${index + 1}`);
      return compiled.ok ? [compiled.pattern] : [];
    }),
  };
}

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: SecretPattern }
  /** In the engine's words. */
  | { readonly ok: false; readonly why: string };

/** A user's regular expression on an engine that takes linear time: it has no backreferences and no look-around. */
export function compilePattern(source: string, name: string): CompiledPattern {
  try {
    const regex = RE2JS.compile(source);
    const find = (text: string) => {
      const found: [number, number][] = [];
      const matcher = regex.matcher(text);
      while (matcher.find()) found.push([matcher.start(), matcher.end()]);
      return found;
    };
    return { ok: true, pattern: { name, find } };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

const secretName =
  /(?:^|_)(?:API_?KEY|KEY|(?:AUTH|ACCESS)?TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT)(?:_\d+)?$/i;

/** Where a password in an address is needed to reach it (a proxy, a database), it is no key of a model's. */
const keyShapes = secretShapes.filter(({ name }) => name !== 'password');

/**
 * The environment of the user's commands: this process's, without what is a key or looks like one (by its name or its
 * value), and without what an editor tells its own processes.
 *
 * @param keys the key in use, and the variable that the agent file names for it
 */
export function commandEnvironment(
  env: Environment,
  { apiKey = '', named }: { readonly apiKey?: string | undefined; readonly named?: string | undefined } = {},
): Environment {
  const isKey = (name: string, value: string) =>
    name === named ||
    (secretName.test(name) && !isPath(value)) ||
    (apiKey.length < 8 ? value === apiKey && value !== '' : value.includes(apiKey)) ||
    keyShapes.some(({ find }) => find(value).length > 0);
  const kept = ([name, value = '']: [string, string | undefined]) =>
    !/^(?:ELECTRON|VSCODE)_/.test(name) && !isKey(name, value);
  return Object.fromEntries(Object.entries(env).filter(kept));
}

function secretsOfEnvironment(env: Environment, named: string | undefined): Secrets['values'] {
  return Object.entries(env).flatMap(([name, value = '']) => [
    ...((secretName.test(name) || name === named) && looksSecret(value)
      ? [{ name: placeholderName(name), value }]
      : []),
    // A proxy, a database: what refuses it may say its password alone.
    ...(value.includes('://') ? secretsOfUrl(value) : []),
  ]);
}

/** Words, numbers and paths that such variables also hold would be taken out of every other sentence. */
function looksSecret(value: string): boolean {
  if (value.length < 8 || value.length > 4096 || isPath(value)) return false;
  return !/^(?:[a-z]{1,15}|\d{1,15})$/i.test(value);
}

function isPath(value: string): boolean {
  return /^[/~.]|^[a-z]:\\/i.test(value);
}

function placeholderName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'secret'
  );
}

/**
 * A password in the address, a token in place of a user, and what its query names a key. Servers echo the parts of an
 * address one by one.
 */
function secretsOfUrl(address: string): Secrets['values'] {
  if (!URL.canParse(address)) return [];
  const url = new URL(address);
  const query = [...url.searchParams].filter(([name]) => /key|token|secret|password|sig/i.test(name));
  const user = decoded(url.username);
  const isToken = url.password === '' && user.length >= 12 && /\d/.test(user);
  return [
    ...(isToken ? [{ name: 'url-user', value: user }] : []),
    ...(url.password === '' ? [] : [{ name: 'password', value: decoded(url.password) }]),
    ...query.map(([, value]) => ({ name: 'url-key', value })),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
