import * as vscode from 'vscode';
import { outcomeWords } from './outcomeWords.ts';
import { costText } from '../../core/cost.ts';
import { headOf } from '../../core/panelEvent.ts';
import { type AgentEntry, type RunEntry, runsList } from '../../core/runsList.ts';
import { commands } from './names.ts';
import type { SessionStore } from './sessionStore.ts';

export const runsViewId = 'loopscope.runs';

/** A line of the tree; commands of its menu are given it. */
export type RunNode =
  | { readonly kind: 'agent'; readonly entry: AgentEntry }
  | { readonly kind: 'day'; readonly agent: string; readonly day: AgentEntry['days'][number] }
  | { readonly kind: 'run'; readonly run: RunEntry };

export interface RunsView extends vscode.Disposable {
  /** What a key means that is pressed in the view. */
  readonly selected: RunNode | undefined;
}

/** UTF-16 units of a goal in its line. */
const mostOfGoal = 22;

const icons: Readonly<Record<string, vscode.ThemeIcon>> = {
  done: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  limit: new vscode.ThemeIcon('debug-pause'),
  blocked: new vscode.ThemeIcon('circle-slash'),
  refused: new vscode.ThemeIcon('circle-slash'),
  cancelled: new vscode.ThemeIcon('debug-stop'),
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
  crashed: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
};

/**
 * Agents, their days, their runs: how each ended, rounds, tokens, cost. Journals are looked at when the view is shown,
 * and again when a session begins or ends.
 */
export function createRunsView(store: SessionStore): RunsView {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<RunNode>(runsViewId, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getChildren(node) {
        if (!node)
          return runsList(await store.runs(), dayOf).map((entry) => ({ kind: 'agent', entry }) as const);
        if (node.kind === 'agent')
          return node.entry.days.map((day) => ({ kind: 'day', agent: node.entry.agent, day }) as const);
        return node.kind === 'day' ? node.day.runs.map((run) => ({ kind: 'run', run }) as const) : [];
      },
      getTreeItem: (node) => itemOf(node, store),
    },
  });
  const registrations = [
    store.onDidChangeCurrent(() => changed.fire()),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) changed.fire();
    }),
  ];
  return {
    get selected() {
      return view.selection[0];
    },
    dispose: () => void vscode.Disposable.from(view, changed, ...registrations).dispose(),
  };
}

function dayOf(at: number): string {
  return at === 0 ? vscode.l10n.t('no date') : dateText(at, { dateStyle: 'medium' });
}

function itemOf(node: RunNode, store: SessionStore): vscode.TreeItem {
  const { Expanded, None } = vscode.TreeItemCollapsibleState;
  if (node.kind === 'run') {
    const { goal } = node.run;
    // Short, so that a narrow view has room for what the run came to; the whole is in the hover.
    const head = headOf(goal, mostOfGoal).trimEnd();
    const label = head === goal ? goal : `${head}…`;
    const item = new vscode.TreeItem(label || vscode.l10n.t('no goal'), None);
    return Object.assign(item, runItem(node, store));
  }
  // With an id a branch stays as it was opened, also when the list is made anew.
  if (node.kind === 'agent') {
    const item = new vscode.TreeItem(node.entry.agent || vscode.l10n.t('no agent'), Expanded);
    return Object.assign(item, { id: `agent ${node.entry.agent}`, contextValue: 'agent' });
  }
  const item = new vscode.TreeItem(node.day.day, Expanded);
  return Object.assign(item, { id: `day ${node.agent} ${node.day.day}`, contextValue: 'day' });
}

function runItem(node: RunNode & { kind: 'run' }, store: SessionStore): Partial<vscode.TreeItem> {
  const { goal, outcome, session, run, at } = node.run;
  const live = store.live(session);
  const isRunning = live?.live === true && outcome === undefined;
  const state = outcomeText(outcome, isRunning);
  const facts = factsOf(node.run);
  const tooltip = new vscode.MarkdownString();
  const started = at === 0 ? [] : [dateText(at, { dateStyle: 'medium', timeStyle: 'medium' })];
  tooltip.appendText([goal, [state, ...facts].join(' · '), ...started].join('\n'));
  return {
    id: `run ${session} ${run}`,
    // What a narrow view cuts off comes last. The icon says that it is done; anything else is said in words too.
    description: [
      ...facts,
      ...(outcome === 'done' ? [] : [state]),
      ...(at === 0 ? [] : [dateText(at, { timeStyle: 'short' })]),
    ].join(' · '),
    tooltip,
    iconPath: isRunning
      ? new vscode.ThemeIcon('debug-alt')
      : (icons[outcome ?? ''] ?? new vscode.ThemeIcon('question')),
    contextValue: live?.live === true ? 'liveRun' : 'run',
    command: { command: commands.openRun, title: vscode.l10n.t('Open Run'), arguments: [node] },
    accessibilityInformation: { label: [goal, state, ...facts, ...started].join(', ') },
  };
}

function dateText(at: number, style: Intl.DateTimeFormatOptions): string {
  return new Date(at).toLocaleString(vscode.env.language, style);
}

/** What a run took. Sums of which a part is not known say that they are the least. */
function factsOf({ rounds, tokens, cost, isPartly }: RunEntry): string[] {
  const { t } = vscode.l10n;
  const least = (text: string) => (isPartly ? `≥ ${text}` : text);
  return [
    rounds === 1 ? t('{0} round', rounds) : t('{0} rounds', rounds),
    ...(cost === undefined ? [] : [least(costText(cost, vscode.env.language))]),
    ...(tokens === undefined ? [] : [t('{0} tokens', least(tokens.toLocaleString(vscode.env.language)))]),
  ];
}

function outcomeText(outcome: string | undefined, isRunning: boolean): string {
  const { t } = vscode.l10n;
  if (outcome === undefined) return isRunning ? t('running') : t('not ended');
  const words: Readonly<Record<string, string>> = outcomeWords();
  return words[outcome] ?? outcome;
}
