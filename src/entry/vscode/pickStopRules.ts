/** The commands of stop rules: a list to add to and remove from, and a rule of a row in Variables. */
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { ListedRule, StopTarget } from '../../core/stopRules.ts';
import { readDataId } from '../../debug/dataWatch.ts';
import { askSession } from './askSession.ts';
import type { SessionStore } from './sessionStore.ts';
import { debugSessionOf, type VariableRow } from './variableRow.ts';
import type { StopRules } from './stopRules.ts';

interface Choice extends vscode.QuickPickItem {
  readonly rule?: ListedRule;
  readonly add?: () => Promise<StopTarget | undefined>;
}

const removeButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: vscode.l10n.t('Remove'),
});

/** Lists the rules: one that is chosen gets a condition, its button removes it; the last entries add one. */
export async function pickStopRules(rules: StopRules): Promise<void> {
  const pick = vscode.window.createQuickPick<Choice>();
  pick.title = vscode.l10n.t('Loopscope: Stop Rules');
  pick.placeholder = vscode.l10n.t('Choose a rule to give it a condition, or add one');
  pick.matchOnDescription = true;
  const show = () => (pick.items = [...rules.list().map(listed), ...additions()]);
  show();
  const changes = rules.onDidChange(show);
  pick.onDidTriggerItemButton(({ item }) => {
    if (item.rule) rules.remove(item.rule.target);
  });
  const chosen = await new Promise<Choice | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  changes.dispose();
  pick.dispose();
  if (chosen?.rule) await askCondition(rules, chosen.rule);
  const target = await chosen?.add?.();
  if (target) rules.set({ target });
}

function listed(rule: ListedRule): Choice {
  const { words, problem } = rule;
  const icon = problem === undefined ? '$(debug-breakpoint)' : '$(debug-breakpoint-unverified)';
  return {
    label: `${icon} ${words.replaceAll('$(', '$\u200b(')}`,
    ...(problem === undefined ? {} : { description: problem }),
    buttons: [removeButton()],
    rule,
  };
}

function additions(): Choice[] {
  const ask = (prompt: string, isRight: (text: string) => boolean) => async () => {
    const typed = await vscode.window.showInputBox({
      title: vscode.l10n.t('Loopscope: Stop Rules'),
      prompt,
      validateInput: (text) => (isRight(text.trim()) ? undefined : prompt),
    });
    return typed?.trim();
  };
  const add = (
    label: string,
    typed: () => Promise<string | undefined>,
    target: (text: string) => StopTarget,
  ): Choice => ({
    label: `$(add) ${label}`,
    alwaysShow: true,
    add: async () => {
      const text = await typed();
      return text === undefined ? undefined : target(text);
    },
  });
  const { t } = vscode.l10n;
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    add(
      t('Stop at a round…'),
      ask(t('The number of the round'), (text) => /^[1-9]\d{0,5}$/.test(text)),
      (text) => ({
        kind: 'round',
        round: Number(text),
      }),
    ),
    add(
      t('Stop at a tool…'),
      ask(t('The name of the tool; * stands for any part of it'), Boolean),
      (name) => ({
        kind: 'tool',
        name,
      }),
    ),
    add(
      t('Stop when a message enters…'),
      ask(t('The id of the message, such as m7'), (text) => /^m\d{1,9}$/.test(text)),
      (id) => ({
        kind: 'enters',
        id,
      }),
    ),
    add(t('Stop when to-dos or a variable change…'), ask(t('The name, such as todos'), Boolean), (key) => ({
      kind: 'state',
      key,
    })),
  ];
}

async function askCondition(rules: StopRules, { target, condition, words }: ListedRule): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Stop: {0}', words),
    prompt: vscode.l10n.t('An expression that must hold for it to stop; empty: always'),
    value: condition ?? '',
  });
  if (typed === undefined) return;
  const text = typed.trim();
  rules.set({ target, ...(text === '' ? {} : { condition: text }) });
}

/** Stops when the message or value of a row in Variables changes, or (a message) leaves the context. */
export async function stopOnVariable(
  store: SessionStore,
  rules: StopRules,
  row: VariableRow | undefined,
): Promise<void> {
  const info = await askOfRow<DebugProtocol.DataBreakpointInfoResponse['body']>(
    store,
    'dataBreakpointInfo',
    row,
  );
  const target = readDataId(info?.dataId ?? '');
  if (target) rules.set({ target });
  else if (info !== undefined || !row)
    void vscode.window.showInformationMessage(
      info?.description ??
        vscode.l10n.t('Use this in the Variables view, on a message or a value of Session.'),
    );
}

/** Stops before each call of the tool that a row in Variables is a call of. */
export async function stopOnTool(
  store: SessionStore,
  rules: StopRules,
  row: VariableRow | undefined,
): Promise<void> {
  const found = await askOfRow<{ readonly tool: string }>(store, 'loopscope/tool', row);
  if (found) rules.set({ target: { kind: 'tool', name: found.tool } });
  else if (!row)
    void vscode.window.showInformationMessage(vscode.l10n.t('Use this in the Variables view, on a call.'));
}

/** Asks the session whose row it is; undefined where no row is named, or the session refuses and has said so. */
async function askOfRow<Body extends object>(
  store: SessionStore,
  command: string,
  row: VariableRow | undefined,
): Promise<Body | undefined> {
  const session = debugSessionOf(store, row);
  const variablesReference = row?.container?.variablesReference;
  const name = row?.variable?.name;
  if (!session || variablesReference === undefined || name === undefined) return undefined;
  return askSession<Body>(session, command, { variablesReference, name });
}
