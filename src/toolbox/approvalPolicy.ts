/** What the rules say of a tool, before there is a call: for people who want to know what will be asked. */
import type { ApprovalRules, ApprovalVerdict } from '../core/config.ts';
import type { ToolSpec } from '../core/ports.ts';
import { matchesName, type PermitOptions } from './approvalRules.ts';

/** Whose word it is: the setting's, the agent file's, or that of the tool's own effects. */
export type PolicySource = 'read-only' | 'setting' | 'agent file' | 'effects';

export interface PatternVerdict {
  readonly pattern: string;
  readonly verdict: ApprovalVerdict;
  readonly source: PolicySource;
}

export interface ToolPolicy {
  /** Of a call that none of the patterns fits. */
  readonly verdict: ApprovalVerdict;
  readonly source: PolicySource;
  /** By what a call is about, in the order of the rules: of several that fit, the last one of its source holds. */
  readonly patterns: readonly PatternVerdict[];
}

/** The same rules as `createPermit`'s, for all calls of a tool at once. */
export function approvalPolicy(spec: ToolSpec, { agent, user, readOnly }: PermitOptions): ToolPolicy {
  const changes = spec.effects === 'workspace' || spec.effects === 'outside' || spec.command === true;
  if (readOnly !== undefined && changes) return { verdict: 'deny', source: 'read-only', patterns: [] };
  const said = [rulesOf('setting', user, spec), rulesOf('agent file', agent, spec)];
  const whole = said.flatMap(({ source, verdict }) => (verdict === undefined ? [] : [{ source, verdict }]));
  const patterns = said.flatMap((one) => one.patterns);
  const base = whole.find(({ verdict }) => verdict === 'deny') ?? whole[0];
  if (base) return { ...base, patterns };
  return {
    verdict: spec.effects === 'outside' ? 'ask' : 'allow',
    source: 'effects',
    patterns: [...(spec.effects === 'workspace' ? steering : []), ...patterns],
  };
}

/** What `createPermit` asks for without a rule, as patterns that people read. */
const steering: readonly PatternVerdict[] = [
  { pattern: '.vscode/*, *.agent.json, *.code-workspace', verdict: 'ask', source: 'effects' },
];

interface Said {
  readonly source: PolicySource;
  /** Of the last rule for the whole tool. */
  readonly verdict: ApprovalVerdict | undefined;
  /** Those behind it: the ones before never hold. */
  readonly patterns: readonly PatternVerdict[];
}

function rulesOf(
  source: PolicySource,
  rules: ApprovalRules | undefined,
  { name, ownName = name }: ToolSpec,
): Said {
  const all = Object.entries(rules ?? {}).flatMap(([names, rule]): PatternVerdict[] => {
    if (!matchesName(names, name) && !matchesName(names, ownName)) return [];
    if (typeof rule === 'string') return [{ pattern: '*', verdict: rule, source }];
    return Object.entries(rule).map(([pattern, verdict]) => ({ pattern, verdict, source }));
  });
  const whole = all.findLastIndex(({ pattern }) => pattern === '*');
  return { source, verdict: all[whole]?.verdict, patterns: all.slice(whole + 1) };
}
