import * as vscode from 'vscode';
import type { ContextConfig } from '../../core/config.ts';
import { type LoadedModules, loadModules, namedModules } from '../loadModules.ts';

/** A module of the user's is code: it is loaded from a disk, and only where the workspace is trusted. */
export async function loadTrusted(context: ContextConfig, agent: vscode.Uri): Promise<LoadedModules> {
  const [named] = namedModules(context);
  if (named === undefined || (vscode.workspace.isTrusted && agent.scheme === 'file'))
    return loadModules(context, agent.fsPath);
  const message = vscode.l10n.t(
    'The module {0} is code: it is loaded only in a trusted workspace, for an agent file on disk.',
    named,
  );
  return { ok: false, message };
}
