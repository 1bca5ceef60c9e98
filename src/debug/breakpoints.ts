/**
 * Breakpoints of one debug session: phase and fault filters, function breakpoints on tool names, source
 * breakpoints on the loop's checkpoints, data breakpoints, stop rules. Changes take effect at the next checkpoint.
 */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Hits, StopRules } from '../runner/gate.ts';
import type { Session } from '../session/session.ts';
import {
  type Breakpoint,
  type BreakpointPorts,
  createBreakpoint,
  type Moment,
  type Wish,
} from './breakpoint.ts';
import {
  dataWish,
  filterWish,
  type FilterWish,
  functionWish,
  isPhase,
  lineWish,
} from './breakpointWishes.ts';
import type { StopRule } from '../core/stopRules.ts';
import { type Fault, faultsIn } from './faults.ts';
import { exceptionFilters } from './filters.ts';
import type { CheckpointLines } from './loopSource.ts';
import { createLostText, type LostText } from './lostText.ts';
import { ruleWish } from './ruleWish.ts';

export interface BreakpointsPorts extends BreakpointPorts {
  readonly lines: CheckpointLines;
  readonly loopSource: DebugProtocol.Source;
  /** The agent's tools, for telling a typing error from a breakpoint. */
  readonly toolNames: () => readonly string[];
  /** Stop rules that hold before a client has set any. */
  readonly firstRules: readonly StopRule[];
  /** What is being debugged, once there is something. */
  readonly session: () => Session | undefined;
}

export interface Breakpoints {
  // Each takes effect at once; what they resolve to says which of them can work, in the order of the arguments.
  // One that is asked for again as it was stays the same: its id, its count of hits, what is wrong with it.
  setFilters(args: DebugProtocol.SetExceptionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  setFunctions(args: DebugProtocol.SetFunctionBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  setLines(args: DebugProtocol.SetBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  setData(args: DebugProtocol.SetDataBreakpointsArguments): Promise<DebugProtocol.Breakpoint[]>;
  setRules(rules: readonly StopRule[]): Promise<DebugProtocol.Breakpoint[]>;
  /** The rules for a session's runs; faults are looked for since the checkpoint before. All counts begin anew. */
  rulesFor(session: Session): StopRules;
  /** The same rules for checkpoints that are on record, asked in their order: nothing counts, and nothing is logged. */
  readonly recordedRules: () => Look;
  /** The breakpoints among a stop's hits. */
  hitBy(hits: readonly string[]): readonly Breakpoint[];
  /** The faults of the last checkpoint. */
  readonly faults: readonly Fault[];
}

/** What stops at a checkpoint on record; `hits`: what it was paused for when the run was there. */
export type Look = (
  moment: Moment,
  hits: readonly string[],
) => Promise<{ readonly hits: Hits; readonly faults: readonly Fault[]; readonly by: readonly Breakpoint[] }>;

type Armed = Breakpoint & { readonly wish: Wish };
type Filter = Breakpoint & { readonly wish: FilterWish };

const noHits: Promise<Hits> = Promise.resolve({ faults: [], breakpoints: [], phases: [] });

export function createBreakpoints(ports: BreakpointsPorts): Breakpoints {
  let lastId = 0;
  let filters: readonly Filter[] = [];
  let functions: readonly Armed[] = [];
  let lines: readonly Armed[] = [];
  let data: readonly Armed[] = [];
  let rules: readonly StopRule[] = ports.firstRules;
  let ours: readonly Armed[] = [];
  let faults: readonly Fault[] = [];
  let hit: readonly Breakpoint[] = [];

  /** Clients set all of a kind anew whenever one changes: what is asked for as before is the one from before. */
  const arm = <W extends Wish>(before: readonly (Breakpoint & { wish: W })[], wishes: readonly W[]) => {
    const left = [...before];
    return wishes.map((wish) => {
      const same = left.findIndex((one) => keyOf(one.wish) === keyOf(wish));
      return left.splice(same, same < 0 ? 0 : 1)[0] ?? { wish, ...createBreakpoint(++lastId, wish, ports) };
    });
  };
  filters = arm(
    filters,
    exceptionFilters().flatMap((one) => (one.default ? (filterWish(one.filter) ?? []) : [])),
  );

  const ruleWishes = (session: Session | undefined) =>
    rules.map((one) => ruleWish(one, session, ports.toolNames()));

  const placedNow = () => [...functions, ...lines, ...data, ...ours];

  const findHits = async (moment: Moment, lostText: LostText): Promise<Hits> => {
    // What is set while they are asked counts at the next checkpoint.
    const [ticked, placed] = [filters, placedNow()];
    const stopping: Breakpoint[] = [];
    const stops = async (one: Breakpoint | undefined): Promise<boolean> => {
      const isHit = one !== undefined && (await one.stops(moment));
      if (isHit) stopping.push(one);
      return isHit;
    };
    const found = faultsAt(moment, ticked, lostText);
    const live = new Set<string>();
    for (const id of new Set(found.map((fault) => fault.id)))
      if (await stops(ticked.find(({ wish }) => wish.id === id))) live.add(id);
    const phase = ticked.find(({ wish }) => isPhase(wish.id) && wish.id === moment.at.kind);
    const phases = (await stops(phase)) ? [`filter:${moment.at.kind}`] : [];
    const breakpoints: string[] = [];
    for (const one of placed) if (await stops(one)) breakpoints.push(one.label);
    faults = found.filter(({ id }) => live.has(id));
    hit = stopping;
    return { faults: faults.map(({ id }) => `fault:${id}`), breakpoints, phases };
  };

  const recordedRules = (): Look => {
    const lostText = createLostText();
    const [ticked, placed] = [filters, placedNow()];
    const asked = new Map<Breakpoint, ReturnType<Breakpoint['recorded']>>(
      [...ticked, ...placed].map((one) => [one, one.recorded()]),
    );
    return async (moment, before) => {
      const by: Breakpoint[] = [];
      const stops = async (one: Breakpoint | undefined): Promise<boolean> => {
        const isHit = one !== undefined && ((await asked.get(one)?.(moment, before)) ?? false);
        if (isHit) by.push(one);
        return isHit;
      };
      const faultsHere: Fault[] = [];
      for (const found of faultsAt(moment, ticked, lostText))
        if (await stops(ticked.find(({ wish }) => wish.id === found.id))) faultsHere.push(found);
      const phase = ticked.find(({ wish }) => isPhase(wish.id) && wish.id === moment.at.kind);
      const phases = (await stops(phase)) ? [`filter:${moment.at.kind}`] : [];
      const breakpoints: string[] = [];
      for (const one of placed) if (await stops(one)) breakpoints.push(one.label);
      const hits = { faults: faultsHere.map(({ id }) => `fault:${id}`), breakpoints, phases };
      return { hits, faults: faultsHere, by };
    };
  };

  const verdicts = (all: readonly Breakpoint[]) => Promise.all(all.map((one) => one.verdict()));

  return {
    get faults() {
      return faults;
    },
    hitBy: (hits) => hit.filter(({ label }) => hits.includes(label)),
    async setFilters({ filters: plain, filterOptions = [] }) {
      const wanted = [...plain.map((filterId) => ({ filterId, condition: undefined })), ...filterOptions];
      const wishes = wanted.map(({ filterId, condition }) => filterWish(filterId, condition));
      // Said twice, the last word counts.
      filters = arm(
        filters,
        wishes.filter((one) => one !== undefined),
      ).reverse();
      const told = await verdicts(filters);
      return wishes.map((wish, index) => {
        const name = wanted[index]?.filterId ?? '';
        return wish ? told.pop()! : { verified: false, message: l10n.t('Unknown filter {0}.', name) };
      });
    },
    setFunctions({ breakpoints }) {
      functions = arm(
        functions,
        breakpoints.map((one) => functionWish(one, ports.toolNames())),
      );
      return verdicts(functions);
    },
    setLines({ breakpoints = [] }) {
      lines = arm(
        lines,
        breakpoints.map((one) => lineWish(one, ports.lines, ports.loopSource)),
      );
      return verdicts(lines);
    },
    setData({ breakpoints }) {
      data = arm(
        data,
        breakpoints.map((one) => dataWish(one, ports.session())),
      );
      return verdicts(data);
    },
    setRules(wanted) {
      rules = wanted;
      ours = arm(ours, ruleWishes(ports.session()));
      return verdicts(ours);
    },
    recordedRules,
    rulesFor(session) {
      const { journal, id } = session;
      // What they look at may be this session's own.
      ours = arm([], ruleWishes(session));
      let seen = journal.events.length;
      const lostText = createLostText();
      for (const one of [...filters, ...placedNow()]) one.begin(id);
      return {
        hits(at) {
          const from = seen;
          seen = journal.events.length;
          // Nothing is set: there is nothing to look for, and most checkpoints of a run are such.
          if (filters.length === 0 && placedNow().length === 0) {
            [faults, hit] = [[], []];
            return noHits;
          }
          const since = journal.events.slice(from);
          return findHits({ at, journal, since }, lostText);
        },
      };
    },
  };
}

/** What makes it the same breakpoint as before. */
function keyOf(wish: Wish): string {
  const { label, condition, hitCondition, logMessage, doubt, key } = wish;
  return JSON.stringify([label, condition, hitCondition, logMessage, doubt, key]);
}

function faultsAt(
  { at, journal: { state }, since }: Moment,
  ticked: readonly Filter[],
  lostText: LostText,
): readonly Fault[] {
  const lost = lostText(state, at, ticked.find(({ wish }) => wish.id === 'contextLost')?.wish.text);
  return [...faultsIn(state, since), ...(lost ? [lost] : [])];
}
