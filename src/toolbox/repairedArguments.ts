import { jsonrepair } from 'jsonrepair';
import { isRecord, parseJson } from '../core/parseMessage.ts';

/** Longer texts are not guessed at: nobody would read what came of them. */
const longest = 100_000;

/**
 * What arguments that are no JSON object may have been meant to be, as JSON text; undefined where that is no object
 * either. A suggestion for a person to look at: nothing is ever executed with it unasked.
 */
export function repairedArguments(text: string): string | undefined {
  if (text.length > longest) return undefined;
  try {
    const repaired = jsonrepair(text);
    return isRecord(parseJson(repaired)) ? repaired : undefined;
  } catch {
    return undefined;
  }
}
