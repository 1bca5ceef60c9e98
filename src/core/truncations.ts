import type { JournalState } from './journalState.ts';
import type { MessageId } from './messages.ts';

/** What one round's packings took out of the context, or shortened. */
export interface Truncation {
  readonly run: number;
  readonly round: number;
  readonly dropped: readonly MessageId[];
  readonly folded: readonly MessageId[];
  readonly trimmed: readonly MessageId[];
  /** Tokens of what was dropped and folded, as they were counted. */
  readonly tokens: number;
}

/** Every round that dropped, folded or shortened something, in order. What came back within the round does not count. */
export function truncations(state: JournalState): Truncation[] {
  const tokens = new Map<MessageId, number>();
  const rounds = new Map<
    string,
    { run: number; round: number; fates: Map<MessageId, string>; tokens: Map<MessageId, number> }
  >();
  for (const { run, round, event } of state.packings) {
    const key = `${run}.${round}`;
    const at = rounds.get(key) ?? {
      run,
      round,
      fates: new Map<MessageId, string>(),
      tokens: new Map<MessageId, number>(),
    };
    for (const { id, fate } of event.changed) {
      at.fates.set(id, fate);
      at.tokens.set(id, tokens.get(id) ?? 0);
    }
    for (const [id, count] of event.counted) {
      tokens.set(id, count);
      if (at.tokens.get(id) === 0) at.tokens.set(id, count);
    }
    rounds.set(key, at);
  }
  return [...rounds.values()].flatMap(({ run, round, fates, tokens: counts }) => {
    const of = (fate: string) => [...fates].filter(([, one]) => one === fate).map(([id]) => id);
    const [dropped, folded, trimmed] = [of('dropped'), of('folded'), of('trimmed')];
    if (dropped.length + folded.length + trimmed.length === 0) return [];
    const sum = [...dropped, ...folded].reduce((all, id) => all + (counts.get(id) ?? 0), 0);
    return [{ run, round, dropped, folded, trimmed, tokens: sum }];
  });
}
