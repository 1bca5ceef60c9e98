import type { WhatIfAnswer, WhatIfAsk } from '../../core/whatIf.ts';
import { countedTexts } from '../../planner/countMessage.ts';
import { createMeasures, type Measures } from '../../planner/measure.ts';
import { createTokenCounter } from '../../planner/tokens.ts';
import { whatIf } from '../../planner/whatIf.ts';
import { parseMessage } from '../../core/parseMessage.ts';
import { inSlices } from '../inSlices.ts';
import type { PanelSession } from './panelChannel.ts';

/** What was counted for one question serves the next: a slider asks many. */
const measuresOf = new WeakMap<PanelSession, Promise<Measures>>();

/** The answer in slices, with how far it is after each; undefined when `isWanted` said no in between. */
export async function answerWhatIf(
  session: PanelSession,
  ask: WhatIfAsk,
  isWanted: () => boolean,
  onProgress: (rounds: number) => void,
): Promise<WhatIfAnswer | undefined> {
  let measures = measuresOf.get(session);
  if (!measures) measuresOf.set(session, (measures = measure(session)));
  const course = whatIf([...session.events], ask, await measures, session.ownPolicy);
  return inSlices(course, (rounds) => {
    if (!isWanted()) return false;
    onProgress(rounds);
    return true;
  });
}

/** Long texts are counted on another thread before they are asked for. */
async function measure(session: PanelSession): Promise<Measures> {
  const counter = await createTokenCounter();
  const texts = [...session.state.messages.values()].flatMap(({ versions }) => {
    const message = parseMessage(session.state.parts.get(versions.at(-1)?.part ?? '') ?? '');
    return message ? countedTexts(message) : [];
  });
  await counter.ahead(texts);
  return createMeasures(counter);
}
