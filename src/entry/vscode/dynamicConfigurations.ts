/** “Debug AGENT” for each agent file of a folder, offered where VS Code lists what can be debugged. */
import * as vscode from 'vscode';
import { agentConfiguration } from './configurationProvider.ts';
import { agentGlob } from './names.ts';

export function createDynamicConfigurations(): vscode.DebugConfigurationProvider {
  return {
    async provideDebugConfigurations(folder) {
      const glob = folder ? new vscode.RelativePattern(folder, agentGlob) : agentGlob;
      const found = await vscode.workspace.findFiles(glob, '**/node_modules/**', 100);
      return found
        .map((uri) => configurationOf(uri, folder))
        .toSorted((a, b) => a.name.localeCompare(b.name));
    },
  };
}

/** Relative to its folder, so that it can be kept in that folder's launch.json. */
function configurationOf(uri: vscode.Uri, folder: vscode.WorkspaceFolder | undefined) {
  const path = vscode.workspace.asRelativePath(uri, false);
  const name = vscode.l10n.t('Debug {0}', path.replace(/\.agent\.json$/, ''));
  return agentConfiguration(name, folder ? `\${workspaceFolder}/${path}` : uri.toString());
}
