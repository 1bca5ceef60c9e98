/**
 * Breakpoints of one debug session: phase and fault filters, function breakpoints on tool names, source
 * breakpoints on the loop's checkpoints. Changes take effect at the next checkpoint.
 */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { CheckpointKind } from '../core/events.ts';
import { callAt, type JournalState } from '../core/journalState.ts';
import type { Checkpoint, Hits, StopRules } from '../runner/gate.ts';
import type { Journal } from '../session/journal.ts';
import { pathMatcher } from '../toolbox/globMatcher.ts';
import { type Fault, faultsIn } from './faults.ts';
import { exceptionFilters, type FilterId, isFilterId, phaseIds } from './filters.ts';
import { type CheckpointLines, snapToCheckpoint } from './loopSource.ts';

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
  /** A breakpoint that can't work as it stands: said once, on the breakpoint. */
  readonly onBroken: (breakpoint: DebugProtocol.Breakpoint) => void;
}

export interface Breakpoints {
  setFilters(args: DebugProtocol.SetExceptionBreakpointsArguments): DebugProtocol.Breakpoint[];
  setFunctions(args: DebugProtocol.SetFunctionBreakpointsArguments): DebugProtocol.Breakpoint[];
  setLines(args: DebugProtocol.SetBreakpointsArguments): DebugProtocol.Breakpoint[];
  /** The rules for a journal's runs; faults are looked for since the checkpoint before. */
  rulesFor(journal: Journal): StopRules;
  /** Ids of the breakpoints among a stop's hits. */
  hitIds(hits: readonly string[]): number[];
  /** The faults of the last checkpoint. */
  readonly faults: readonly Fault[];
}

interface Armed {
  readonly id: number;
  readonly label: string;
  readonly matches: (at: Checkpoint, state: JournalState) => boolean;
  readonly condition?: string;
  reported: boolean;
}

export function createBreakpoints(ports: BreakpointPorts): Breakpoints {
  let nextId = 1;
  let filters = new Map<FilterId, string | undefined>(
    exceptionFilters().flatMap((one) => (one.default ? [[one.filter, undefined] as const] : [])),
  );
  let functions: Armed[] = [];
  let lines: Armed[] = [];
  let faults: readonly Fault[] = [];

  const arm = (label: string, condition: string | undefined, matches: Armed['matches']): Armed => {
    const trimmed = condition?.trim();
    return { id: nextId++, label, matches, reported: false, ...(trimmed ? { condition: trimmed } : {}) };
  };

  /** A broken condition is reported once and does not stop the run. */
  const holds = async (armed: Armed, at: Checkpoint): Promise<boolean> => {
    if (armed.condition === undefined) return true;
    const verdict = await ports.condition(armed.condition, at);
    if (verdict.ok) return verdict.truthy;
    if (!armed.reported) ports.onBroken({ id: armed.id, verified: false, message: verdict.message });
    armed.reported = true;
    return false;
  };

  const armedHits = async (all: readonly Armed[], at: Checkpoint, state: JournalState): Promise<string[]> => {
    const hits: string[] = [];
    for (const armed of all) if (armed.matches(at, state) && (await holds(armed, at))) hits.push(armed.label);
    return hits;
  };

  const filterHolds = async (id: FilterId, at: Checkpoint): Promise<boolean> => {
    const condition = filters.get(id)?.trim();
    if (!filters.has(id)) return false;
    if (!condition) return true;
    const verdict = await ports.condition(condition, at);
    return verdict.ok && verdict.truthy;
  };

  return {
    get faults() {
      return faults;
    },
    setFilters({ filters: plain, filterOptions = [] }) {
      const wanted = [...plain.map((filterId) => ({ filterId, condition: undefined })), ...filterOptions];
      filters = new Map();
      return wanted.map(({ filterId, condition }) => {
        if (!isFilterId(filterId))
          return { verified: false, message: l10n.t('Unknown filter {0}.', filterId) };
        filters.set(filterId, condition);
        return { verified: true };
      });
    },
    setFunctions({ breakpoints }) {
      functions = breakpoints.map(({ name, condition }) => {
        const isMatch = toolMatcher(name);
        const matches: Armed['matches'] = (at, state) =>
          at.kind === 'act' && isMatch(callAt(state, at.key ?? '')?.name ?? '');
        return arm(`function:${name}`, condition, matches);
      });
      return functions.map(({ id }, index) => ({
        id,
        ...verifyTool(breakpoints[index]?.name ?? '', ports.toolNames()),
      }));
    },
    setLines({ breakpoints = [] }) {
      const snapped = breakpoints.map((one) => ({ ...one, ...snapToCheckpoint(ports.lines, one.line) }));
      lines = snapped.map(({ kind, line, condition }) =>
        arm(`line:${line}`, condition, (at: { kind: CheckpointKind }) => at.kind === kind),
      );
      return lines.map(({ id }, index) => ({ id, verified: true, line: snapped[index]?.line ?? 1 }));
    },
    rulesFor(journal) {
      let seen = journal.events.length;
      return {
        async hits(at): Promise<Hits> {
          const since = journal.events.slice(seen);
          seen = journal.events.length;
          const found = faultsIn(journal.state, since);
          const live: Fault[] = [];
          for (const fault of found) if (await filterHolds(fault.id, at)) live.push(fault);
          faults = live;
          const isPhase = at.kind !== 'end' && phaseIds.includes(at.kind) && (await filterHolds(at.kind, at));
          return {
            faults: live.map(({ id }) => `fault:${id}`),
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

function verifyTool(
  name: string,
  tools: readonly string[],
): Pick<DebugProtocol.Breakpoint, 'verified' | 'message'> {
  const isMatch = toolMatcher(name);
  if (tools.some((tool) => isMatch(tool))) return { verified: true };
  const message = l10n.t(
    'No tool of this agent is called {0}. Its tools: {1}.',
    name,
    tools.join(', ') || '–',
  );
  return { verified: false, message };
}
