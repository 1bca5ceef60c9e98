/**
 * What a run would have sent under another limit and policy: every round is packed again from the history as it stood
 * then, by the same `pack`, without a model call (of a summary only the size is assumed). What the model would have said to another context nobody knows: the
 * messages are those that are on record, summaries that were made stay.
 */
import type { AgentConfig } from '../core/config.ts';
import type { Fate, JournalEvent } from '../core/events.ts';
import { fold } from '../core/fold.ts';
import { currentRound, currentRun, emptyState, type JournalState, textOf } from '../core/journalState.ts';
import type { MessageId } from '../core/messages.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import type { RoundRef } from '../core/protocol.ts';
import type { WhatIfAnswer, WhatIfAsk, WhatIfGroup } from '../core/whatIf.ts';
import type { Measures } from './measure.ts';
import { createAssumedSummaries } from './assumedSummaries.ts';
import type { NamedPolicy, Packed } from './pack.ts';
import { packInput } from './packInput.ts';

type Spans = [from: number, to: number, fate: Fate][];

interface Course {
  readonly rounds: RoundRef[];
  readonly totals: number[];
  readonly spans: Map<MessageId, Spans>;
  /** Where each message first left, as it would go and as it went. */
  readonly left: Map<MessageId, number>;
  readonly leftThen: Map<MessageId, number>;
  blocked?: WhatIfAnswer['blocked'];
  textLost?: number;
  hadText: boolean;
}

/**
 * Yields after each round that it packed, so that whoever asks may stop or let others have their turn.
 * `own`: a policy of the user's that may be asked for by its name; it runs as it does in the loop, held to the same rules.
 */
export function* whatIf(
  events: readonly JournalEvent[],
  ask: WhatIfAsk,
  measures: Measures,
  own?: NamedPolicy,
): Generator<number, WhatIfAnswer> {
  const state = emptyState();
  const summaries = createAssumedSummaries();
  const course: Course = {
    rounds: [],
    totals: [],
    spans: new Map(),
    left: new Map(),
    leftThen: new Map(),
    hadText: false,
  };
  for (const event of events) {
    if (event.type === 'context.packed') {
      const config = configOf(state, ask);
      const { tools, format, measured = 0 } = event.fixed;
      const fixed = tools + format + measured;
      const source = {
        state,
        config: { ...config, context: { ...config.context, reserve: event.reserve } },
        measures,
        limit: ask.limit,
        fixed,
        factor: event.meter.factor ?? 1,
        saysRest: state.hasCutResults,
        policy: own?.name === ask.policy ? own : undefined,
      };
      take(course, state, summaries.pack(state, packInput(source)), ask);
      for (const { id, fate } of event.changed)
        if (fate === 'dropped' || fate === 'folded') setFirst(course.leftThen, id, course.rounds.length - 1);
      yield course.rounds.length;
    }
    fold(state, event);
  }
  const { size } = summaries;
  return { ...answerOf(course, state, ask), ...(size ? { assumed: size } : {}) };
}

function setFirst(map: Map<MessageId, number>, id: MessageId, round: number): void {
  if (!map.has(id)) map.set(id, round);
}

/** The run's settings with the budget that is asked about; what the journal does not say is as an agent file has it. */
function configOf(state: JournalState, { limit, policy }: WhatIfAsk): AgentConfig {
  const value = parseJson(state.parts.get(currentRun(state)?.config ?? '') ?? '');
  const config = isRecord(value) ? value : {};
  const context = isRecord(config['context']) ? config['context'] : {};
  return {
    ...config,
    max_history: typeof config['max_history'] === 'number' ? config['max_history'] : 20,
    context: { ...context, max_tokens: limit, policy },
  } as unknown as AgentConfig;
}

function take(course: Course, state: JournalState, packed: Packed, ask: WhatIfAsk): void {
  const round = currentRound(state);
  const ref = { run: round?.run ?? 0, round: round?.round ?? 0 };
  const last = course.rounds.at(-1);
  // A round that is packed again sends what it packed last.
  if (last?.run !== ref.run || last.round !== ref.round) course.rounds.push(ref);
  const at = course.rounds.length - 1;
  course.totals[at] = packed.total;
  const fates = new Map(packed.left.map(({ id, fate }) => [id, fate]));
  for (const id of state.history) {
    const fate = fates.get(id) ?? 'kept';
    note(course.spans, id, at, fate);
    if (fate === 'dropped' || fate === 'folded') setFirst(course.left, id, at);
  }
  if (packed.blocked) course.blocked ??= { round: at, needs: packed.blocked.needs };
  if (ask.text === '' || course.textLost !== undefined) return;
  const wanted = ask.text.toLowerCase();
  const isThere = packed.kept.some(
    (id) =>
      packed.shortened.get(id) === undefined &&
      textOf(state, id)?.toLowerCase().includes(JSON.stringify(wanted).slice(1, -1)),
  );
  if (isThere) course.hadText = true;
  else if (course.hadText) course.textLost = at;
}

function note(spans: Map<MessageId, Spans>, id: MessageId, at: number, fate: Fate): void {
  const list = spans.get(id) ?? [];
  const last = list.at(-1);
  if (last?.[2] === fate) last[1] = at + 1;
  else if (last?.[0] === at) last[2] = fate;
  else {
    if (last) last[1] = at;
    list.push([at, at + 1, fate]);
  }
  spans.set(id, list);
}

function answerOf(course: Course, state: JournalState, ask: WhatIfAsk): WhatIfAnswer {
  const { rounds, totals, blocked, textLost, left, leftThen } = course;
  const ids = state.history.filter((id) => course.spans.has(id));
  const alike = <Value>(list: readonly MessageId[], of: (id: MessageId) => Value) => {
    const groups: { ids: MessageId[]; of: Value; key: string }[] = [];
    for (const id of list) {
      const key = JSON.stringify(of(id));
      const last = groups.at(-1);
      if (last?.key === key) last.ids.push(id);
      else groups.push({ ids: [id], of: of(id), key });
    }
    return groups;
  };
  const groups: WhatIfGroup[] = alike(ids, (id) => course.spans.get(id) ?? []).map((group) => ({
    ids: group.ids,
    spans: group.of,
  }));
  const leaving = ids.filter((id) => left.has(id));
  const leaves = alike(leaving, (id) => [left.get(id) ?? 0, leftThen.get(id)] as const).map(
    ({ ids: together, of: [round, was] }) => ({
      ids: together,
      round,
      ...(was === undefined ? {} : { was }),
    }),
  );
  return {
    ask,
    rounds,
    totals,
    groups,
    leaves,
    ...(blocked ? { blocked } : {}),
    ...(textLost === undefined ? {} : { textLost }),
  };
}
