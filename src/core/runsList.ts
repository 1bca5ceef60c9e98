/** Sessions and their runs as a list that one looks through: by agent, by day, newest first. */
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
}

export interface AgentEntry {
  readonly agent: string;
  readonly days: readonly { readonly day: string; readonly runs: readonly RunEntry[] }[];
}

interface Listed {
  readonly id: string;
  readonly agent: string;
  readonly state: JournalState;
}

/** `dayOf`: a day as people call it, from epoch milliseconds. */
export function runsList(sessions: readonly Listed[], dayOf: (at: number) => string): AgentEntry[] {
  const agents = new Map<string, RunEntry[]>();
  for (const { id, agent, state } of sessions) {
    const runs = state.runs.map((run) => entryOf(id, state, run));
    agents.set(agent, [...(agents.get(agent) ?? []), ...runs]);
  }
  return [...agents].map(([agent, runs]) => {
    const days = new Map<string, RunEntry[]>();
    for (const run of runs.toSorted((a, b) => b.at - a.at || b.run - a.run)) {
      const day = dayOf(run.at);
      days.set(day, [...(days.get(day) ?? []), run]);
    }
    return { agent, days: [...days].map(([day, list]) => ({ day, runs: list })) };
  });
}

function entryOf(session: string, state: JournalState, run: RunState): RunEntry {
  const goal = messageBody(textOf(state, run.goal) ?? '').text.replace(/\s+/g, ' ');
  const tokens = tokensOf(state, run);
  return {
    session,
    run: run.run,
    goal: headOf(goal, 120),
    at: run.at,
    rounds: run.rounds.length,
    ...(run.ended ? { outcome: run.ended.outcome } : {}),
    ...(tokens === undefined ? {} : { tokens }),
  };
}

function tokensOf(state: JournalState, run: RunState): number | undefined {
  const counts: number[] = [];
  for (const id of run.rounds.flatMap((round) => round.requests))
    for (const { replied } of state.requests.get(id)?.attempts ?? [])
      for (const count of [replied?.usage?.prompt, replied?.usage?.completion])
        if (typeof count === 'number') counts.push(count);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}
