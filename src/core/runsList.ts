/** Sessions and their runs as a list that one looks through: by agent, by day, newest first. */
import { spentIn } from './cost.ts';
import type { JournalState, RunState } from './journalState.ts';
import { textOf } from './journalState.ts';
import { messageBody } from './messageView.ts';
import { headOf } from './panelEvent.ts';

export interface RunEntry {
  readonly session: string;
  readonly run: number;
  readonly goal: string;
  /** Epoch milliseconds; 0 where the journal does not say. */
  readonly at: number;
  /** How it ended; absent while it has not. */
  readonly outcome?: string;
  readonly rounds: number;
  /** Tokens that the provider reported, in and out; absent where it reported none: unknown is not zero. */
  readonly tokens?: number;
  /** US dollars; absent where no price is set, or no usage was reported. */
  readonly cost?: number;
  /** Not every reply was reported: tokens and cost are the least that it took. */
  readonly isPartly?: true;
}

export interface AgentEntry {
  readonly agent: string;
  readonly days: readonly { readonly day: string; readonly runs: readonly RunEntry[] }[];
}

interface Listed {
  readonly agent: string;
  readonly runs: readonly RunEntry[];
}

/** `dayOf`: a day as people call it, from epoch milliseconds. */
export function runsList(sessions: readonly Listed[], dayOf: (at: number) => string): AgentEntry[] {
  const agents = new Map<string, RunEntry[]>();
  for (const { agent, runs } of sessions) agents.set(agent, [...(agents.get(agent) ?? []), ...runs]);
  return [...agents]
    .filter(([, runs]) => runs.length > 0)
    .map(([agent, runs]) => {
      const days = new Map<string, RunEntry[]>();
      for (const run of runs.toSorted((a, b) => b.at - a.at || b.run - a.run)) {
        const day = dayOf(run.at);
        days.set(day, [...(days.get(day) ?? []), run]);
      }
      return { agent, days: [...days].map(([day, list]) => ({ day, runs: list })) };
    });
}

/** The runs of a session that is read. */
export function runEntries(session: string, state: JournalState): RunEntry[] {
  return state.runs.map((run) => entryOf(session, state, run));
}

function entryOf(session: string, state: JournalState, run: RunState): RunEntry {
  const { tokens, cost, unknown } = spentIn(state, run);
  return {
    session,
    run: run.run,
    goal: goalText(textOf(state, run.goal)),
    at: run.at,
    rounds: run.rounds.length,
    ...(run.ended ? { outcome: run.ended.outcome } : {}),
    ...(tokens === undefined ? {} : { tokens }),
    ...(cost === undefined ? {} : { cost }),
    ...(unknown > 0 ? { isPartly: true } : {}),
  };
}

/** A goal's message as one line of a list. */
export function goalText(message: string | undefined): string {
  return headOf(messageBody(message ?? '').text.replace(/\s+/g, ' '), 120);
}
