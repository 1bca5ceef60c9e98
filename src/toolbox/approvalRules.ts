/** The rules of what may run without a yes, with one, or never: a pure function of a call. */
import type { ApprovalRules, ApprovalVerdict } from '../core/config.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { Permission, Permit, ToolCallRequest, ToolSpec } from '../core/ports.ts';
import { commandParts, operators, unwrapped } from './commandReadings.ts';
import { many, matchWildcards, mayMatch } from './matchWildcards.ts';
import { normalPath } from './normalPath.ts';
import { isOpen, possibleCommands } from './possibleCommands.ts';

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
    const said = [ruleFor(user, spec, about), ruleFor(agent, spec, about)].filter((one) => one !== undefined);
    const denied = said.find(({ verdict }) => verdict === 'deny');
    if (denied) return { verdict: 'deny', reason: `the rule ${denied.name} denies it` };
    const [rule] = said;
    if (said.some(({ isUnsure }) => isUnsure)) return { verdict: 'ask' };
    return rule ? permissionOf(rule) : { verdict: usual(spec, about) };
  };
}

/** What a rule's patterns are compared with. */
export interface CallSubject {
  readonly kind: 'command' | 'path' | 'arguments';
  readonly text: string;
  /** As the model wrote it, where that is another text. */
  readonly written?: string;
}

/** A line for the shell, the name of a task, a path in normal form, else the arguments as JSON. */
export function aboutOf(call: ToolCallRequest, { name, command }: ToolSpec): CallSubject {
  const given = parseJson(call.arguments);
  const { command: line, path, task } = isRecord(given) ? given : {};
  if (command && typeof line === 'string') return { kind: 'command', text: line.trim() };
  // Of a tool of the user's that has such an argument, all others count too.
  if (name === 'run_task' && typeof task === 'string') return { kind: 'arguments', text: task };
  if (typeof path === 'string') return pathSubject(path);
  // Of a key that stands twice the last one counts, and an escape is what it stands for.
  const text = given === undefined ? call.arguments : JSON.stringify(given);
  return { kind: 'arguments', text, written: call.arguments };
}

/** A path that has no normal form leads out, or is none: only a rule for all of them lets it pass. */
function pathSubject(path: string): CallSubject {
  try {
    return { kind: 'path', text: normalPath(path) };
  } catch {
    return { kind: 'path', text: '', written: path };
  }
}

interface Rule {
  readonly verdict: ApprovalVerdict;
  readonly name: string;
  /** It denies what the call may come to, and nobody knows yet what it will: that is asked. */
  readonly isUnsure?: boolean;
}

interface PatternRule extends Rule {
  readonly pattern: string;
}

/** Whether a pattern fits what is asked about, in one reading of it. */
type Reading = (pattern: string, verdict: ApprovalVerdict) => boolean;

/**
 * The last rule that fits the subject as it is; or a stricter one that is the last to fit another reading of it. What
 * allows has to fit the subject itself.
 */
function ruleFor(
  rules: ApprovalRules | undefined,
  { name, ownName = name }: ToolSpec,
  about: CallSubject,
): Rule | undefined {
  const own = Object.entries(rules ?? {}).flatMap(([names, rule]): PatternRule[] => {
    if (!matchesName(names, name) && !matchesName(names, ownName)) return [];
    if (typeof rule === 'string') return [{ verdict: rule, name: names, pattern: '*' }];
    return Object.entries(rule).map(([pattern, verdict]) => ({
      verdict,
      name: `${names} ${JSON.stringify(pattern)}`,
      pattern,
    }));
  });
  if (own.length === 0) return undefined;
  const [plain, ...others] = readings(about).map((fits) =>
    own.findLast(({ pattern, verdict }) => pattern === '*' || fits(pattern, verdict)),
  );
  const stricter = ['deny', 'ask'].flatMap((verdict) => others.find((one) => one?.verdict === verdict) ?? []);
  const rule = [plain, ...stricter].reduce((one, other) =>
    strictness(other) > strictness(one) ? other : one,
  );
  if (rule?.verdict === 'deny' || about.kind !== 'command') return rule;
  const possible = possibleDenial(own, about.text);
  return possible ? { ...possible, verdict: 'ask', isUnsure: true } : rule;
}

/** The rule that would deny what a line may come to, where no later one speaks of all that it may. */
function possibleDenial(own: readonly PatternRule[], line: string): Rule | undefined {
  if (!own.some(({ verdict }) => verdict === 'deny')) return undefined;
  for (const { text, isWrapper } of possibleCommands(line)) {
    const plain = folded(text);
    const speaks = own.findLast(({ pattern, verdict }) => {
      if (pattern === '*' || isWhole(pattern, line)) return true;
      const patterns = [folded(pattern), ...(isWrapper ? [`* ${folded(pattern)}`] : [])];
      return patterns.some((one) =>
        verdict === 'deny' ? mayMatchName(one, plain) : matchesName(one, plain),
      );
    });
    if (speaks?.verdict === 'deny') return speaks;
  }
  return undefined;
}

/** What allows a line: the pattern fits, and stands for no operator of a shell. */
function isWhole(pattern: string, line: string): boolean {
  return matchesName(pattern, line) && operators(pattern) === operators(line);
}

function strictness(rule: Rule | undefined): number {
  return rule === undefined ? 0.5 : ['allow', 'ask', 'deny'].indexOf(rule.verdict);
}

function permissionOf({ verdict, name }: Rule): Permission {
  if (verdict === 'allow') return { verdict, by: `rule ${name}` };
  return verdict === 'ask' ? { verdict } : { verdict, reason: `the rule ${name} denies it` };
}

/** The subject as it is first; then what else it may come to, for what denies or asks. */
function readings(about: CallSubject): readonly [Reading, ...Reading[]] {
  const { text, written = text } = about;
  if (about.kind === 'command') return commandReadings(text);
  return [
    (pattern) => matchesName(pattern, text),
    (pattern) => matchesName(pattern, written),
    (pattern) => matchesName(folded(pattern), folded(text)),
    (pattern) => matchesName(folded(pattern), folded(written)),
  ];
}

/**
 * A command line may hold several commands. What allows one allows no second one behind it: where the pattern has `*`,
 * nothing stands that a shell reads as more than a word. What denies or asks fits also when one of them does.
 */
function commandReadings(line: string): readonly [Reading, ...Reading[]] {
  const known = new Map<string, boolean>();
  const fitsWhole = (pattern: string): boolean => {
    const fits = known.get(pattern) ?? isWhole(pattern, line);
    known.set(pattern, fits);
    return fits;
  };
  const whole: Reading = (pattern, verdict) =>
    verdict === 'allow' ? fitsWhole(pattern) : matchesName(pattern, line);
  // A rule for the very line goes before what is said of a part of it.
  const of = (text: string, isWrapper = false): Reading => {
    const plain = folded(text);
    return (pattern) =>
      fitsWhole(pattern) ||
      matchesName(folded(pattern), plain) ||
      (isWrapper && matchesName(`* ${folded(pattern)}`, plain));
  };
  return [
    whole,
    ...commandParts(line).map((part) => of(part)),
    ...unwrapped(line).map(({ text, isWrapper }) => of(text, isWrapper)),
  ];
}

/** Systems differ in whether case and the way to write an accent make another name. */
function folded(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

/** `*` stands for any text, the empty one too; everything else for itself. */
export function matchesName(pattern: string, text: string): boolean {
  const parts = Array.from(pattern, (character) => (character === '*' ? many : character));
  return matchWildcards(parts, Array.from(text), (part, character) => part === character);
}

/** As `matchesName`, where a part of the text is only known when it runs. */
function mayMatchName(pattern: string, text: string): boolean {
  const parts = Array.from(pattern, (character) => (character === '*' ? many : character));
  const items = Array.from(text, (character) => (isOpen(character) ? many : character));
  return mayMatch(parts, items, (part, character) => part === character);
}

/** What runs later or loosens the rules when it is written: editor settings and tasks, agent files, workspaces. */
const steering = /(?:^|\/)\.vscode\/|\.agent\.json$|\.code-workspace$/iu;

function usual({ effects }: ToolSpec, { kind, text, written = text }: CallSubject): 'allow' | 'ask' {
  if (effects === 'outside') return 'ask';
  const isSteering = kind === 'path' && (steering.test(text) || steering.test(written));
  return effects === 'workspace' && isSteering ? 'ask' : 'allow';
}
