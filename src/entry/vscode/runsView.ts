import * as vscode from 'vscode';
import { type AgentEntry, type RunEntry, runsList } from '../../core/runsList.ts';
import { commands } from './names.ts';
import type { SessionStore } from './sessionStore.ts';

export const runsViewId = 'loopscope.runs';

/** A line of the tree; commands of its menu are given it. */
export type RunNode =
  | { readonly kind: 'agent'; readonly entry: AgentEntry }
  | { readonly kind: 'day'; readonly day: AgentEntry['days'][number] }
  | { readonly kind: 'run'; readonly run: RunEntry };

const icons: Readonly<Record<string, string>> = {
  done: 'pass',
  limit: 'debug-pause',
  blocked: 'circle-slash',
  refused: 'circle-slash',
  cancelled: 'debug-stop',
  failed: 'error',
  crashed: 'error',
};

/** Agents, their days, their runs: how each ended, rounds, tokens. Shows what the store has, and follows it. */
export function createRunsView(store: SessionStore): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const dayOf = (at: number) =>
    at === 0
      ? vscode.l10n.t('no date')
      : new Date(at).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
  const view = vscode.window.createTreeView<RunNode>(runsViewId, {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren(node) {
        if (!node) return runsList(store.list(), dayOf).map((entry) => ({ kind: 'agent', entry }) as const);
        if (node.kind === 'agent') return node.entry.days.map((day) => ({ kind: 'day', day }) as const);
        return node.kind === 'day' ? node.day.runs.map((run) => ({ kind: 'run', run }) as const) : [];
      },
      getTreeItem: (node) => itemOf(node, store),
    },
  });
  const follow = store.onDidChangeCurrent(() => changed.fire());
  return vscode.Disposable.from(view, changed, follow);
}

function itemOf(node: RunNode, store: SessionStore): vscode.TreeItem {
  if (node.kind === 'agent')
    return new vscode.TreeItem(node.entry.agent, vscode.TreeItemCollapsibleState.Expanded);
  if (node.kind === 'day') return new vscode.TreeItem(node.day.day, vscode.TreeItemCollapsibleState.Expanded);
  const { goal, outcome, rounds, tokens, session } = node.run;
  const item = new vscode.TreeItem(goal, vscode.TreeItemCollapsibleState.None);
  item.description = [
    outcome ?? vscode.l10n.t('running'),
    vscode.l10n.t('rounds: {0}', rounds),
    ...(tokens === undefined ? [] : [vscode.l10n.t('tokens: {0}', tokens)]),
  ].join(' · ');
  item.tooltip = `${goal}\n${item.description}`;
  item.iconPath = new vscode.ThemeIcon(icons[outcome ?? ''] ?? 'debug-alt');
  item.contextValue = store.live(session)?.live === true ? 'liveRun' : 'run';
  item.command = { command: commands.openRun, title: '', arguments: [node] };
  return item;
}
