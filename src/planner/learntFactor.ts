/**
 * How many tokens a model makes of one that we count, learnt from the prompts that its provider reported. A factor
 * restates the tokens of every message there is, so a report that contradicts it does not change it: the change has to
 * hold, twice as long each time. What a report says of the whole is taken at once (see `meter.ts`).
 */
import type { RequestId } from '../core/messages.ts';

/** A prompt as its provider counted it, and as we do. */
export interface Report {
  readonly request: RequestId;
  /** Tokens that were reported, and tokens by our own count. */
  readonly prompt: number;
  readonly own: number;
  readonly hasMedia: boolean;
}

/** No tokenizer in use is further from ours than this; what is, is something else. */
const leastFactor = 0.5;
export const mostFactor = 6;
/** A prediction this near is good enough: a factor that moves all the time would only make counts restless. */
export const tolerance = 0.1;
/** Tokens that two requests must differ by to say something about the tokens in between. */
export const evidence = 200;
/** A first report is weighed as if so many tokens had been counted as we count: a short prompt says little. */
const prior = 100;

/**
 * The factor after the newest report: what explains the growth between reports, else the report itself.
 *
 * @param said newest first, at least one; walked anew with each call, and no further than needed
 * @param ownFixed tokens of tools and framing, by our own count
 * @param changes how often the factor has changed
 */
export function learntFactor(
  said: () => Iterable<Report>,
  known: number,
  ownFixed: number,
  changes: () => number,
): number {
  const [newest, older] = farApart(said());
  if (newest.hasMedia) return known;
  if (!older) return ofOne(newest, known);
  const grown = newest.own - older.own;
  const told = newest.prompt - older.prompt;
  if (Math.abs(grown) < evidence || Math.abs(grown * known - told) <= tolerance * Math.abs(told))
    return known;
  const slope = told / grown;
  // A server puts something before a prompt, and takes nothing away from it but its own way to write schemas.
  const added = newest.prompt - newest.own * slope;
  if (!isPlausible(slope) || added < -(ownFixed * slope + tolerance * newest.prompt)) return known;
  return holds(slope, newest, said(), 2 ** changes()) ? rounded(slope) : known;
}

/** The newest report, and the newest one before it that differs enough to compare them; else the oldest there is. */
function farApart(said: Iterable<Report>): readonly [newest: Report, older?: Report] {
  let newest: Report | undefined;
  let older: Report | undefined;
  for (const report of said) {
    if (newest && report.hasMedia) break;
    if (newest) older = report;
    newest ??= report;
    if (older && Math.abs(newest.own - older.own) >= evidence) break;
  }
  return older ? [newest!, older] : [newest!];
}

/** Whether more than `most` reports in a row lie on the line of this slope, or there are but two. */
function holds(slope: number, newest: Report, said: Iterable<Report>, most: number): boolean {
  let agreeing = 0;
  for (const { own, prompt, hasMedia } of said) {
    const grown = newest.own - own;
    const off = newest.prompt - prompt - slope * grown;
    if (hasMedia || Math.abs(off) > tolerance * (Math.abs(slope * grown) + evidence)) return false;
    agreeing++;
    if (agreeing > Math.max(2, most)) return true;
  }
  return agreeing === 2;
}

function ofOne({ prompt, own }: Report, known: number): number {
  const ratio = (prompt + prior) / (own + prior);
  const isGood = Math.abs(own * known - prompt) <= tolerance * prompt;
  return isGood || !isPlausible(ratio) ? known : rounded(ratio);
}

function isPlausible(factor: number): boolean {
  return factor >= leastFactor && factor <= mostFactor;
}

function rounded(factor: number): number {
  return Math.round(factor * 100) / 100;
}
