/** Loads the context policy that an agent file names by path. The module's code runs: only where that is trusted. */
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { isPolicyName, type PolicyName, type PolicyPath } from '../core/config.ts';
import type { NamedPolicy } from '../planner/pack.ts';
import type { Policy } from '../planner/policy.ts';

export type LoadedPolicy =
  | { readonly ok: true; readonly policy?: NamedPolicy }
  /** In words, with the path. */
  | { readonly ok: false; readonly message: string };

/** Nothing to load for a policy of Loopscope's own. Never rejects. @param agentFile its path, absolute */
export async function loadPolicy(named: PolicyName | PolicyPath, agentFile: string): Promise<LoadedPolicy> {
  if (isPolicyName(named)) return { ok: true };
  const file = path.resolve(path.dirname(agentFile), named);
  try {
    const { mtimeMs, size } = await stat(file);
    // Node keeps modules by address: an edited one is another.
    const module = (await import(`${pathToFileURL(file).href}?${mtimeMs}-${size}`)) as Readonly<
      Record<string, unknown>
    >;
    const { decide } = module;
    if (typeof decide === 'function') return { ok: true, policy: { name: named, decide: decide as Policy } };
    return {
      ok: false,
      message: l10n.t('The context policy {0} exports no function named decide.', file),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, message: l10n.t('The context policy {0} can not be loaded: {1}', file, why) };
  }
}
