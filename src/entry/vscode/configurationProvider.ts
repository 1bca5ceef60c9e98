/** Completes launch configurations: F5 in an agent file works without a launch.json. */
import * as vscode from 'vscode';
import { agentUriOf } from './agentUri.ts';
import { activeAgent, findAgent } from './findAgent.ts';
import { askGoal } from './goalBox.ts';
import { debugType } from './names.ts';

export function createConfigurationProvider(memory: vscode.Memento): vscode.DebugConfigurationProvider {
  return {
    provideDebugConfigurations() {
      const agent = activeAgent();
      const path = agent ? vscode.workspace.asRelativePath(agent, false) : 'my.agent.json';
      return [agentConfiguration(vscode.l10n.t('Debug agent'), `\${workspaceFolder}/${path}`)];
    },
    async resolveDebugConfiguration(_folder, config) {
      const agent =
        typeof config['agent'] === 'string' && config['agent'] !== '' ? config['agent'] : undefined;
      const found = agent ?? (await findAgent())?.toString();
      // Undefined stops the launch without a word: the user was asked, or told, already.
      if (found === undefined) return undefined;
      const fresh = agentConfiguration(vscode.l10n.t('Debug agent'), found);
      return {
        ...(config.type ? { stopOnEntry: false } : fresh),
        ...config,
        type: debugType,
        request: 'launch',
        name: config.name || fresh.name,
        agent: found,
        suppressMultipleSessionWarning: true,
        internalConsoleOptions:
          (config['internalConsoleOptions'] as string | undefined) ?? 'openOnSessionStart',
      };
    },
    async resolveDebugConfigurationWithSubstitutedVariables(_folder, config) {
      // More rounds for the goal that the session has.
      if (typeof config['more'] === 'number') return config;
      const agent = agentUriOf(String(config['agent']));
      if (typeof config['goal'] === 'string' && config['goal'].trim() !== '') return config;
      const goal = await askGoal(memory, {
        agent: agent.toString(),
        prompt: vscode.l10n.t('What should the agent do?'),
      });
      return typeof goal === 'string' ? { ...config, goal } : undefined;
    },
  };
}

export function agentConfiguration(name: string, agent: string): vscode.DebugConfiguration {
  return { type: debugType, request: 'launch', name, agent, stopOnEntry: true };
}
