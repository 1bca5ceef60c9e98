/** The rules of what may run without a yes, with one, or never: a pure function of a call. */
import type { ApprovalRules, ApprovalVerdict } from '../core/config.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { Permission, Permit, ToolCallRequest, ToolSpec } from '../core/ports.ts';
import { many, matchWildcards } from './matchWildcards.ts';
import { normalPath } from './normalPath.ts';

export interface PermitOptions {
  /** The agent file's rules. */
  readonly agent: ApprovalRules | undefined;
  /** The user's: where they say something, it goes before what the agent file says. */
  readonly user?: ApprovalRules | undefined;
  /** Why nothing may be changed and nothing run, in words for the model. */
  readonly readOnly?: string | undefined;
}

/**
 * A `deny` of either holds; else the user's rule, else the agent's, else what the effects say: what acts outside is asked
 * for, and so is writing what tells editors and agents what to do.
 */
export function createPermit({ agent, user, readOnly }: PermitOptions): Permit {
  return (call, spec) => {
    const changes = spec.effects === 'workspace' || spec.effects === 'outside' || spec.command === true;
    if (readOnly !== undefined && changes) return { verdict: 'deny', reason: readOnly };
    const about = aboutOf(call, spec);
    const said = [ruleFor(user, call.name, about), ruleFor(agent, call.name, about)].filter(
      (one) => one !== undefined,
    );
    const denied = said.find(({ verdict }) => verdict === 'deny');
    if (denied) return { verdict: 'deny', reason: `the rule ${denied.name} denies it` };
    const [rule] = said;
    return rule ? permissionOf(rule) : { verdict: usual(spec, about) };
  };
}

/** What a rule's patterns are compared with. */
export interface CallSubject {
  readonly kind: 'command' | 'path' | 'arguments';
  readonly text: string;
}

/** A line for the shell, a path in normal form, else the arguments as they are. */
export function aboutOf(call: ToolCallRequest, { command }: ToolSpec): CallSubject {
  const given = parseJson(call.arguments);
  const { command: line, path } = isRecord(given) ? given : {};
  if (command && typeof line === 'string') return { kind: 'command', text: line.trim() };
  if (typeof path === 'string') return { kind: 'path', text: normal(path) };
  return { kind: 'arguments', text: call.arguments };
}

function normal(path: string): string {
  try {
    return normalPath(path);
  } catch {
    // It will be refused by the tool.
    return path;
  }
}

interface Rule {
  readonly verdict: ApprovalVerdict;
  readonly name: string;
}

/** The last rule that fits. */
function ruleFor(rules: ApprovalRules | undefined, tool: string, about: CallSubject): Rule | undefined {
  const fitting = Object.entries(rules ?? {}).flatMap(([names, rule]): Rule[] => {
    if (!matchesName(names, tool)) return [];
    if (typeof rule === 'string') return [{ verdict: rule, name: names }];
    return Object.entries(rule)
      .filter(([pattern, verdict]) => fits(pattern, verdict, about))
      .map(([pattern, verdict]) => ({ verdict, name: `${names} ${JSON.stringify(pattern)}` }));
  });
  return fitting.at(-1);
}

function permissionOf({ verdict, name }: Rule): Permission {
  if (verdict === 'allow') return { verdict, by: `rule ${name}` };
  return verdict === 'ask' ? { verdict } : { verdict, reason: `the rule ${name} denies it` };
}

/**
 * A command line may hold several commands. What allows one allows no second one behind it: where the pattern has `*`,
 * nothing stands that a shell reads as more than a word. What denies or asks fits also when one of them does.
 */
function fits(pattern: string, verdict: ApprovalVerdict, { kind, text }: CallSubject): boolean {
  if (kind !== 'command') return matchesName(pattern, text);
  if (verdict === 'allow')
    return pattern === '*' || (matchesName(pattern, text) && operators(pattern) === operators(text));
  return [text, ...text.split(/[;&|\n\r`(){}]+/)].some((part) => matchesName(pattern, part.trim()));
}

/** What a shell reads as more than a part of a word, in order: as much of it as the pattern has, no `*` stands for any. */
function operators(line: string): string {
  return line.replace(/[^;&|<>`$(){}\\^%!\r\n]+/g, '');
}

/** `*` stands for any text, the empty one too; everything else for itself. */
export function matchesName(pattern: string, text: string): boolean {
  const parts = Array.from(pattern, (character) => (character === '*' ? many : character));
  return matchWildcards(parts, Array.from(text), (part, character) => part === character);
}

/** What runs later or loosens the rules when it is written: editor settings and tasks, agent files, workspaces. */
const steering = /(?:^|\/)\.vscode\/|\.agent\.json$|\.code-workspace$/i;

function usual({ effects }: ToolSpec, { kind, text }: CallSubject): 'allow' | 'ask' {
  if (effects === 'outside') return 'ask';
  return effects === 'workspace' && kind === 'path' && steering.test(text) ? 'ask' : 'allow';
}
