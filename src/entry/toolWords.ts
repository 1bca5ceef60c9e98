/** An agent's tools in words for people, in the picker, in the document and on the command line. */
import * as l10n from '@vscode/l10n';
import { assertNever } from '../core/assertNever.ts';
import type { ApprovalVerdict } from '../core/config.ts';
import type { Effects } from '../core/messages.ts';
import { visible } from '../core/visible.ts';
import type { PolicySource, ToolPolicy } from '../toolbox/approvalPolicy.ts';
import type { AgentTool } from './agentTools.ts';

const { t } = l10n;

export function originWords({ from }: AgentTool): string {
  return from === 'shipped' ? t('ships with Loopscope') : t('a command of the agent file');
}

export function effectsWords(effects: Effects): string {
  switch (effects) {
    case 'none':
      return t('changes nothing');
    case 'session':
      return t('changes the session');
    case 'workspace':
      return t('changes files of the workspace');
    case 'outside':
      return t('acts outside the workspace');
    default:
      return assertNever(effects);
  }
}

/** In one line, with the patterns that make a difference. */
export function policyWords({ verdict, source, patterns }: ToolPolicy): string {
  const base =
    source === 'effects' ? verdictWords(verdict) : `${verdictWords(verdict)} (${sourceWords(source)})`;
  const others = patterns.map((one) => `${oneLine(one.pattern)}: ${verdictWords(one.verdict)}`);
  return [base, ...others].join('; ');
}

export function verdictWords(verdict: ApprovalVerdict): string {
  switch (verdict) {
    case 'allow':
      return t('runs without a question');
    case 'ask':
      return t('asks first');
    case 'deny':
      return t('is denied');
    default:
      return assertNever(verdict);
  }
}

function sourceWords(source: Exclude<PolicySource, 'effects'>): string {
  switch (source) {
    case 'setting':
      return t('by the setting {0}', 'loopscope.approvals');
    case 'agent file':
      return t('by the agent file');
    case 'read-only':
      return t('the workspace is not trusted');
    default:
      return assertNever(source);
  }
}

export function costWords({ state, tokens, spec }: AgentTool): string {
  const count = tokens.toLocaleString('en-US');
  switch (state) {
    case 'sent':
      return t('{0} tokens', count);
    case 'later':
      return t('sent once a result was cut, {0} tokens', count);
    case 'unusable':
      return spec ? t('not sent') : t('there is no such tool');
    case 'not given':
      return t('not given to this agent, {0} tokens', count);
    default:
      return assertNever(state);
  }
}

/** Name, origin, effects, approval and cost. */
export function toolWords(tool: AgentTool): readonly string[] {
  const { spec, policy } = tool;
  return [
    ...(spec ? [originWords(tool), effectsWords(spec.effects)] : []),
    ...(policy ? [policyWords(policy)] : []),
    costWords(tool),
  ];
}

export function totalWords({
  total,
  tools,
}: {
  readonly total: number;
  readonly tools: readonly AgentTool[];
}): string {
  const count = tools.filter(({ state }) => state === 'sent').length;
  return t('{0} tools are sent with each request: {1} tokens.', String(count), total.toLocaleString('en-US'));
}

export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}
