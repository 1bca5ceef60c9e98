/**
 * The stop rules of this workspace: kept across sessions and windows, told to every debug session at once, listed and
 * removed by a command, and shown in the Rounds panel.
 */
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import {
  type ListedRule,
  readStopRule,
  type StopRule,
  type StopTarget,
  stopTargetId,
} from '../../core/stopRules.ts';
import { debugType } from './names.ts';

export interface StopRules extends vscode.Disposable {
  readonly list: () => readonly ListedRule[];
  /** One rule a target: another condition replaces it. */
  set(rule: StopRule): void;
  remove(target: StopTarget): void;
  readonly onDidChange: vscode.Event<void>;
}

const storageKey = 'loopscope.stopRules';

export function createStopRules(memory: vscode.Memento, onFault: (error: unknown) => void): StopRules {
  let rules = readStored(memory.get(storageKey));
  let problems = new Map<string, string>();
  const changed = new vscode.EventEmitter<void>();
  const sessions = new Set<vscode.DebugSession>();

  const tell = async (session: vscode.DebugSession): Promise<void> => {
    const asked = rules;
    const { breakpoints } = (await session.customRequest('loopscope/setStopRules', { rules: asked })) as {
      readonly breakpoints: readonly DebugProtocol.Breakpoint[];
    };
    if (asked !== rules) return;
    problems = new Map(
      asked.flatMap(({ target }, index) => {
        const { verified, message } = breakpoints[index] ?? { verified: true };
        return verified ? [] : [[stopTargetId(target), message ?? '']];
      }),
    );
    changed.fire();
  };
  const keep = (next: readonly StopRule[]) => {
    rules = next;
    problems = new Map();
    changed.fire();
    for (const session of sessions) tell(session).catch(onFault);
    memory.update(storageKey, rules).then(undefined, onFault);
  };
  const others = (target: StopTarget) =>
    rules.filter((one) => stopTargetId(one.target) !== stopTargetId(target));

  const registrations = [
    changed,
    vscode.debug.onDidStartDebugSession((session) => {
      if (session.type !== debugType) return;
      sessions.add(session);
      // It has them from its beginning; this asks which of them can work.
      if (rules.length > 0) tell(session).catch(onFault);
    }),
    vscode.debug.onDidTerminateDebugSession((session) => void sessions.delete(session)),
  ];

  return {
    list: () =>
      rules.map((rule): ListedRule => {
        const problem = problems.get(stopTargetId(rule.target));
        return { ...rule, words: ruleWords(rule), ...(problem === undefined ? {} : { problem }) };
      }),
    set: (rule) => keep([...others(rule.target), rule]),
    remove: (target) => keep(others(target)),
    onDidChange: changed.event,
    dispose: () => registrations.forEach((one) => void one.dispose()),
  };
}

function readStored(stored: unknown): readonly StopRule[] {
  return (Array.isArray(stored) ? stored : []).flatMap((one) => readStopRule(one) ?? []);
}

function ruleWords({ target, condition }: StopRule): string {
  const words = targetWords(target);
  return condition === undefined ? words : vscode.l10n.t('{0}, if {1}', words, condition);
}

function targetWords(target: StopTarget): string {
  switch (target.kind) {
    case 'message':
      return vscode.l10n.t('{0} changes or leaves the context', target.id);
    case 'enters':
      return vscode.l10n.t('{0} enters the history', target.id);
    case 'state':
      return vscode.l10n.t('{0} changes', target.key);
    case 'round':
      return vscode.l10n.t('plan of round {0}', target.round);
    case 'tool':
      return vscode.l10n.t('call of {0}', target.name);
  }
}
