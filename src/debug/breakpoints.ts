/**
 * Breakpoints of one debug session: phase and fault filters, function breakpoints on tool names, source
 * breakpoints on the loop's checkpoints. Changes take effect at the next checkpoint.
 */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { callAt, type JournalState } from '../core/journalState.ts';
import type { Checkpoint, Hits, StopRules } from '../runner/gate.ts';
import type { Journal } from '../session/journal.ts';
import { pathMatcher } from '../toolbox/globMatcher.ts';
import { type Fault, faultsIn } from './faults.ts';
import { exceptionFilters, type FilterId, phaseIds } from './filters.ts';
import { type CheckpointLines, snapToCheckpoint } from './loopSource.ts';
import { createLostText } from './lostText.ts';

/** Evaluates a condition at a checkpoint: a verdict, or what is wrong with the expression. */
export type Condition = (
  expression: string,
  at: Checkpoint,
) => Promise<
  { readonly ok: true; readonly truthy: boolean } | { readonly ok: false; readonly message: string }
>;

export interface BreakpointPorts {
  readonly lines: CheckpointLines;
  /** The agent's tools, for telling a typing error from a breakpoint. */
  readonly toolNames: () => readonly string[];
  readonly condition: Condition;
  /** Why an expression does not compile; undefined when it does. Must not reject. */
  readonly compile: (expression: string) => Promise<string | undefined>;
  /** A condition that could not be evaluated, in words for people; once for each. */
  readonly onBroken: (words: string) => void;
}

export interface Breakpoints {
  // Each takes effect at once; what they resolve to says which of them can work, in the order of the arguments.
  setFilters(args: DebugProtocol.SetExceptionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  setFunctions(args: DebugProtocol.SetFunctionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  setLines(args: DebugProtocol.SetBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  /** The rules for a journal's runs; faults are looked for since the checkpoint before. */
  rulesFor(journal: Journal): StopRules;
  /** Ids of the breakpoints among a stop's hits. */
  hitIds(hits: readonly string[]): number[];
  /** The faults of the last checkpoint. */
  readonly faults: readonly Fault[];
}

type Verdict = Pick<DebugProtocol.Breakpoint, 'verified' | 'message'>;

interface Armed {
  readonly id: number;
  readonly label: string;
  /** As people know it: a tool's name, a check box, a line. */
  readonly name: string;
  readonly matches: (at: Checkpoint, state: JournalState) => boolean;
  readonly condition?: string;
}

export function createBreakpoints(ports: BreakpointPorts): Breakpoints {
  let nextId = 1;
  const reported = new Set<string>();
  let functions: Armed[] = [];
  let lines: Armed[] = [];
  let faults: readonly Fault[] = [];

  const arm = (
    label: string,
    name: string,
    condition?: string,
    matches: Armed['matches'] = () => true,
  ): Armed => {
    const trimmed = condition?.trim();
    return { id: nextId++, label, name, matches, ...(trimmed ? { condition: trimmed } : {}) };
  };
  const armFilter = ({ filter, label }: { filter: FilterId; label: string }, condition?: string) =>
    [filter, arm(`filter:${filter}`, label, condition)] as const;

  let filters = new Map(exceptionFilters().flatMap((one) => (one.default ? [armFilter(one)] : [])));

  /** Clients set all breakpoints anew whenever one changes: what was said of a condition is not said again. */
  const report = ({ label, name, condition = '' }: Armed, message: string) => {
    const key = JSON.stringify([label, condition]);
    if (reported.has(key)) return;
    reported.add(key);
    ports.onBroken(l10n.t('The condition of {0} does not work and does not stop: {1}', name, message));
  };

  const verify = async (armed: Armed): Promise<Verdict> => {
    const problem = armed.condition === undefined ? undefined : await ports.compile(armed.condition);
    if (problem === undefined) return { verified: true };
    report(armed, problem);
    return { verified: false, message: l10n.t('The condition does not compile: {0}', problem) };
  };

  const holds = async (armed: Armed, at: Checkpoint): Promise<boolean> => {
    if (armed.condition === undefined) return true;
    const verdict = await ports.condition(armed.condition, at);
    if (!verdict.ok) report(armed, verdict.message);
    return verdict.ok && verdict.truthy;
  };

  const armedHits = async (all: readonly Armed[], at: Checkpoint, state: JournalState): Promise<string[]> => {
    const hits: string[] = [];
    for (const armed of all) if (armed.matches(at, state) && (await holds(armed, at))) hits.push(armed.label);
    return hits;
  };

  const filterHolds = async (id: FilterId, at: Checkpoint): Promise<boolean> => {
    const armed = filters.get(id);
    return armed !== undefined && (await holds(armed, at));
  };

  return {
    get faults() {
      return faults;
    },
    setFilters({ filters: plain, filterOptions = [] }) {
      const wanted = [...plain.map((filterId) => ({ filterId, condition: undefined })), ...filterOptions];
      const known = exceptionFilters();
      filters = new Map();
      const armed = wanted.map(({ filterId, condition }) => {
        const filter = known.find((one) => one.filter === filterId);
        if (!filter) return undefined;
        const [id, made] = armFilter(filter, condition);
        filters.set(id, made);
        return made;
      });
      return Promise.all(
        armed.map(async (one, index) => {
          if (one) return one === filters.get('contextLost') ? verifyText(one) : verify(one);
          const name = wanted[index]?.filterId ?? '';
          return { verified: false, message: l10n.t('Unknown filter {0}.', name) };
        }),
      );
    },
    setFunctions({ breakpoints }) {
      const armed = breakpoints.map(({ name, condition }) => {
        const isMatch = toolMatcher(name);
        const matches: Armed['matches'] = (at, state) =>
          at.kind === 'act' && isMatch(callAt(state, at.key ?? '')?.name ?? '');
        return arm(`function:${name}`, name, condition, matches);
      });
      functions = armed;
      return Promise.all(
        armed.map(async (one) => {
          const tool = verifyTool(one.name, ports.toolNames());
          const verified = await verify(one);
          return { id: one.id, ...(tool.verified ? verified : tool) };
        }),
      );
    },
    setLines({ breakpoints = [] }) {
      const armed = breakpoints.map(({ line: wanted, condition }) => {
        const { kind, line } = snapToCheckpoint(ports.lines, wanted);
        const name = l10n.t('line {0}', line);
        return { line, ...arm(`line:${line}`, name, condition, (at) => at.kind === kind) };
      });
      lines = armed;
      return Promise.all(armed.map(async (one) => ({ id: one.id, line: one.line, ...(await verify(one)) })));
    },
    rulesFor(journal) {
      let seen = journal.events.length;
      const lostText = createLostText();
      return {
        async hits(at): Promise<Hits> {
          const since = journal.events.slice(seen);
          seen = journal.events.length;
          const found = faultsIn(journal.state, since);
          const live: Fault[] = [];
          for (const fault of found) if (await filterHolds(fault.id, at)) live.push(fault);
          const lost = lostText(journal.state, at, filters.get('contextLost')?.condition);
          faults = lost ? [...live, lost] : live;
          const isPhase = at.kind !== 'end' && phaseIds.includes(at.kind) && (await filterHolds(at.kind, at));
          return {
            faults: faults.map(({ id }) => `fault:${id}`),
            breakpoints: await armedHits([...functions, ...lines], at, journal.state),
            phases: isPhase ? [`filter:${at.kind}`] : [],
          };
        },
      };
    },
    hitIds: (hits) =>
      [...functions, ...lines].filter(({ label }) => hits.includes(label)).map(({ id }) => id),
  };
}

/** A tool's name, or a glob of names; a glob that does not parse matches nothing. */
function toolMatcher(pattern: string): (name: string) => boolean {
  try {
    return pathMatcher(pattern);
  } catch {
    return (name) => name === pattern;
  }
}

/** Its condition is a text, whatever it looks like. */
function verifyText({ condition }: Armed): Verdict {
  if (condition !== undefined) return { verified: true };
  return { verified: false, message: l10n.t('Give it a condition: the text that the model must see.') };
}

function verifyTool(name: string, tools: readonly string[]): Verdict {
  const isMatch = toolMatcher(name);
  if (tools.some((tool) => isMatch(tool))) return { verified: true };
  const message = l10n.t(
    'No tool of this agent is called {0}. Its tools: {1}.',
    name,
    tools.join(', ') || '–',
  );
  return { verified: false, message };
}
