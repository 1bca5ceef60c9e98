/** The list of an agent's tools: what is chosen is shown where it is defined, or as the model is told of it. */
import * as vscode from 'vscode';
import type { AgentTool, AgentTools } from '../agentTools.ts';
import type { FilePlace, FileProblem } from '../agentFile.ts';
import { costWords, effectsWords, oneLine, originWords, policyWords, totalWords } from '../toolWords.ts';
import { documentOf, type FoundTools, type ToolSource, toolsFrom, toolsUri } from './toolSource.ts';

interface Choice extends vscode.QuickPickItem {
  /** What Enter does. */
  readonly open: () => Thenable<unknown>;
  readonly other?: () => Thenable<unknown>;
}

/** Shows the list; resolves when something was chosen and shown, or nothing. */
export async function pickTool(source: ToolSource): Promise<void> {
  const found = await toolsFrom(source);
  const pick = vscode.window.createQuickPick<Choice>();
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (found.ok) {
    pick.title = found.title;
    pick.placeholder = totalWords(found.list);
    pick.items = toolChoices(found, source);
  } else {
    pick.title = vscode.l10n.t('Tools');
    pick.placeholder = vscode.l10n.t('The agent file is not right: choose what is to be put right');
    pick.items = found.problems.map((problem) => problemChoice(found.agent, problem));
  }
  const chosen = await new Promise<(() => Thenable<unknown>) | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.open));
    pick.onDidTriggerItemButton(({ item }) => resolve(item.other));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  pick.dispose();
  await chosen?.();
}

function toolChoices(found: FoundTools, source: ToolSource): Choice[] {
  const { list, agent } = found;
  const asSent = (tool?: AgentTool) => () => showAsSent(found, source, tool);
  const choice = (tool: AgentTool) => toolChoice(tool, agent, asSent(tool));
  const group = (label: string, tools: readonly AgentTool[]): Choice[] =>
    tools.length === 0 ? [] : [separator(label), ...tools.map(choice)];
  const { t } = vscode.l10n;
  return [
    {
      label: `$(json) ${t('Show all as they are sent')}`,
      description: totalWords(list),
      open: asSent(),
    },
    ...group(t('sent with each request'), withState(list, 'sent')),
    ...group(t('can not be used'), withState(list, 'unusable')),
    ...group(t('sent when it is needed'), withState(list, 'later')),
    ...group(t('ship with Loopscope, not given to this agent'), withState(list, 'not given')),
  ];
}

function withState({ tools }: AgentTools, state: AgentTool['state']): readonly AgentTool[] {
  return tools.filter((tool) => tool.state === state);
}

function separator(label: string): Choice {
  return { label, kind: vscode.QuickPickItemKind.Separator, open: () => Promise.resolve() };
}

function toolChoice(tool: AgentTool, agent: vscode.Uri, asSent: () => Thenable<unknown>): Choice {
  const { name, spec, policy, place, problems, from } = tool;
  const inFile = place && (() => showPlace(agent, place));
  // What is of the agent file is defined there, and what is wrong is put right there.
  const isInFile = from === 'agent file' || problems.length > 0;
  const [open, other] = isInFile ? [inFile ?? asSent, asSent] : [asSent, inFile];
  const about = spec
    ? [originWords(tool), effectsWords(spec.effects), ...(policy ? [policyWords(policy)] : [])]
    : [];
  const button = isInFile
    ? { iconPath: new vscode.ThemeIcon('json'), tooltip: vscode.l10n.t('Show as It Is Sent') }
    : { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Show in the Agent File') };
  return {
    label: `$(${iconOf(tool)}) ${plain(name)}`,
    description: plain(costWords(tool)),
    detail: plain([...problems.map(({ message }) => message), ...about].join(' · ')),
    open,
    ...(other ? { other, buttons: [button] } : {}),
  };
}

function iconOf({ problems, from, state }: AgentTool): string {
  const severities = problems.map(({ severity }) => severity);
  if (severities.includes('error')) return 'error';
  if (severities.includes('warning')) return 'warning';
  if (severities.includes('information')) return 'info';
  if (state === 'not given') return 'circle-slash';
  return from === 'shipped' ? 'tools' : 'terminal';
}

/** Names and patterns are text: no icon is made of them, and none of them hides another. */
function plain(text: string): string {
  return oneLine(text).replaceAll('$(', '$\u200b(');
}

function problemChoice(agent: vscode.Uri, problem: FileProblem): Choice {
  return {
    label: `$(error) ${plain(problem.message)}`,
    open: () => showPlace(agent, problem),
  };
}

async function showPlace(agent: vscode.Uri, { line, column }: FilePlace): Promise<void> {
  const at = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(agent, { selection: new vscode.Range(at, at), preview: false });
}

async function showAsSent(found: FoundTools, source: ToolSource, tool?: AgentTool): Promise<void> {
  const { lines } = documentOf(found);
  const line = tool ? (lines[found.list.tools.indexOf(tool)] ?? 0) : 0;
  const editor = await vscode.window.showTextDocument(toolsUri(source), {
    selection: new vscode.Range(line, 0, line, 0),
  });
  editor.revealRange(new vscode.Range(line, 0, line, 0), vscode.TextEditorRevealType.AtTop);
}
