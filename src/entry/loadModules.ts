/** Loads what an agent file names by path: a context policy, a retrieval. Their code runs: only where that is trusted. */
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { type ContextConfig, isPolicyName, type ModulePath } from '../core/config.ts';
import { thrownText } from '../core/thrownText.ts';
import type { NamedPolicy } from '../planner/pack.ts';
import type { Policy } from '../planner/policy.ts';
import type { Retrieve } from '../runner/retrieve.ts';

export interface UserModules {
  readonly policy?: NamedPolicy;
  readonly retrieve?: Retrieve;
}

export type LoadedModules =
  | { readonly ok: true; readonly modules: UserModules }
  /** In words, with the path. */
  | { readonly ok: false; readonly message: string };

/** The paths of modules that an agent's settings name. */
export function namedModules({ policy, retrieve }: ContextConfig): readonly ModulePath[] {
  return [...(isPolicyName(policy) ? [] : [policy]), ...(retrieve === undefined ? [] : [retrieve])];
}

/** A module may wait for something before it is there; for longer than this nobody waits for it. */
const longestMs = 10_000;

/** Never rejects. @param agentFile its path, absolute */
export async function loadModules(
  context: ContextConfig,
  agentFile: string,
  limitMs = longestMs,
): Promise<LoadedModules> {
  const { policy, retrieve } = context;
  const load = (named: ModulePath, name: string) =>
    loadExport(path.resolve(path.dirname(agentFile), named), name, limitMs);
  const decide = isPolicyName(policy) ? undefined : await load(policy, 'decide');
  if (decide?.ok === false) return decide;
  const retrieval = retrieve === undefined ? undefined : await load(retrieve, 'retrieve');
  if (retrieval?.ok === false) return retrieval;
  return {
    ok: true,
    modules: {
      ...(decide ? { policy: { name: policy, decide: decide.value as Policy } } : {}),
      ...(retrieval ? { retrieve: retrieval.value as Retrieve } : {}),
    },
  };
}

type Loaded =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** A function that a module exports, not called yet. */
async function loadExport(file: string, name: string, limitMs: number): Promise<Loaded> {
  try {
    const { mtimeMs, size } = await stat(file);
    // Node keeps modules by address: an edited one is another.
    const loading = import(`${pathToFileURL(file).href}?${mtimeMs}-${size}`) as Promise<
      Readonly<Record<string, unknown>>
    >;
    const { [name]: value } = await inTime(loading, limitMs);
    if (typeof value === 'function') return { ok: true, value };
    return { ok: false, message: l10n.t('The module {0} exports no function named {1}.', file, name) };
  } catch (error) {
    const why = thrownText(error);
    return { ok: false, message: l10n.t('The module {0} can not be loaded: {1}', file, why) };
  }
}

async function inTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const why = l10n.t('it takes longer than {0} s', String(limitMs / 1000));
    timer = setTimeout(() => reject(new Error(why)), limitMs);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
