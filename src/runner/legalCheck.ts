/** The last line of defence: what a strict server would refuse is not sent, and says why. */
import { beginsWith } from '../core/body.ts';
import type { JournalState } from '../core/journalState.ts';
import { createLegalReading } from '../core/legal.ts';
import { factsOfText } from '../core/messageFacts.ts';

/** How such a run ends begins so: the fault `illegalHistory` is told by it, also in journals of before. */
export const illegalHistory = 'The history is not legal';

/** Why the messages of a request are not legal, in words; undefined when they are. */
export type LegalCheck = (texts: readonly string[]) => string | undefined;

/** Remembers the last messages that were legal: where the next ones only add to them, it reads on from there. */
export function createLegalCheck(state: JournalState): LegalCheck {
  let legal: readonly string[] = [];
  let reading = createLegalReading();
  return (texts) => {
    const goesOn = beginsWith(texts, legal);
    const from = goesOn ? legal.length : 0;
    if (!goesOn) reading = createLegalReading();
    legal = [];
    const problem = readOn(state, reading, texts, from);
    if (problem === undefined) legal = texts;
    else reading = createLegalReading();
    return problem;
  };
}

function readOn(
  state: JournalState,
  reading: ReturnType<typeof createLegalReading>,
  texts: readonly string[],
  from: number,
): string | undefined {
  for (let index = from; index < texts.length; index++) {
    const facts = factsOfText(state, texts[index]!);
    if (!facts) return `${illegalHistory}: message ${index + 1} is not a JSON object with a role.`;
    reading.add(facts);
  }
  const [violation] = reading.violations();
  if (!violation) return undefined;
  const { rule, index, detail } = violation;
  return `${illegalHistory} (${rule}, message ${index + 1}): ${detail}.`;
}
