/**
 * The answer to a what-if for the panel, in slices of work. A session may hold texts of megabytes, so long ones are
 * counted on another thread before they are asked for, also each length that a message is cut to.
 */
import type { JournalEvent } from '../../core/events.ts';
import type { TokenCounter } from '../../core/ports.ts';
import type { WhatIfAnswer, WhatIfAsk } from '../../core/whatIf.ts';
import { parseMessage } from '../../core/parseMessage.ts';
import { countedTexts } from '../../planner/countMessage.ts';
import { createMeasures, type PreparedMeasures } from '../../planner/measure.ts';
import { createTokenCounter } from '../../planner/tokens.ts';
import { whatIf } from '../../planner/whatIf.ts';
import { inSlices } from '../inSlices.ts';
import type { PanelSession } from './panelChannel.ts';

export type WhatIfSession = Pick<PanelSession, 'events' | 'state' | 'ownPolicy'>;

/** What was counted for one question serves the next: a slider asks many. */
interface Known {
  readonly measures: PreparedMeasures;
  /** How many of the session's events were looked through for texts. */
  looked: number;
  /** Settles when those texts are counted. */
  counted: Promise<unknown>;
}

const knownOf = new WeakMap<WhatIfSession, Known>();

/** Courses that are tried for what they would cut: the size of one form may decide which others are wanted. */
const tries = 8;

/** With how far it is, in rounds, after each slice; undefined when `isWanted` said no in between. */
export async function answerWhatIf(
  session: WhatIfSession,
  ask: WhatIfAsk,
  isWanted: () => boolean,
  onProgress: (rounds: number) => void,
  counter?: TokenCounter,
): Promise<WhatIfAnswer | undefined> {
  const count = counter ?? (await createTokenCounter());
  const known = knownOf.get(session) ?? {
    measures: createMeasures(count),
    looked: 0,
    counted: Promise.resolve(),
  };
  knownOf.set(session, known);
  const events = [...session.events];
  known.counted = Promise.all([known.counted, countTexts(events.slice(known.looked), session, count)]);
  known.looked = events.length;
  await known.counted;
  if (!isWanted()) return undefined;
  const goesOn = (rounds: number) => {
    if (isWanted()) onProgress(rounds);
    return isWanted();
  };
  for (let n = 1; ; n++) {
    const { measures, missing } = known.measures.trial();
    const isLast = n === tries;
    const course = whatIf(events, ask, isLast ? known.measures : measures, session.ownPolicy);
    const answer = await inSlices(course, goesOn);
    if (!answer || missing.length === 0) return answer;
    for (const form of missing) {
      if (!isWanted()) return undefined;
      await known.measures.prepare(form, (list) => count.ahead(list));
    }
  }
}

async function countTexts(
  events: readonly JournalEvent[],
  session: WhatIfSession,
  count: TokenCounter,
): Promise<void> {
  const texts = await inSlices(textsIn(events, session));
  if (texts) await count.ahead(texts);
}

/** The texts that are counted of the messages which these events bring. */
function* textsIn(events: readonly JournalEvent[], { state }: WhatIfSession): Generator<void, string[]> {
  const texts: string[] = [];
  for (const event of events) {
    for (const part of partsOf(event)) {
      const message = parseMessage(state.parts.get(part) ?? '');
      if (message) texts.push(...countedTexts(message));
      yield;
    }
  }
  return texts;
}

function partsOf(event: JournalEvent): readonly string[] {
  if (event.type === 'history.appended') return event.messages.map(({ part }) => part);
  return event.type === 'edited' && event.after !== undefined ? [event.after] : [];
}
