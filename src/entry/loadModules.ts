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

/** Never rejects. @param agentFile its path, absolute */
export async function loadModules(context: ContextConfig, agentFile: string): Promise<LoadedModules> {
  const { policy, retrieve } = context;
  const decide = isPolicyName(policy) ? undefined : await loadExport(agentFile, policy, 'decide');
  if (decide?.ok === false) return decide;
  const retrieval = retrieve === undefined ? undefined : await loadExport(agentFile, retrieve, 'retrieve');
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
async function loadExport(agentFile: string, named: ModulePath, name: string): Promise<Loaded> {
  const file = path.resolve(path.dirname(agentFile), named);
  try {
    const { mtimeMs, size } = await stat(file);
    // Node keeps modules by address: an edited one is another.
    const module = (await import(`${pathToFileURL(file).href}?${mtimeMs}-${size}`)) as Readonly<
      Record<string, unknown>
    >;
    const value = module[name];
    if (typeof value === 'function') return { ok: true, value };
    return { ok: false, message: l10n.t('The module {0} exports no function named {1}.', file, name) };
  } catch (error) {
    const why = thrownText(error);
    return { ok: false, message: l10n.t('The module {0} can not be loaded: {1}', file, why) };
  }
}
