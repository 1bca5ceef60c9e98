/**
 * The one meter: it decides what fits, and it is what is shown. Our own count of a request knows neither the model's
 * tokenizer nor what its server adds, so the meter learns from what providers report: a factor per model, and what
 * the last request took beyond our count (the anchor). Unknown is not zero: without a report it is our own count.
 */
import type { ContextPacked, Meter } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import { evidence, learntFactor, mostFactor, type Report, tolerance } from './learntFactor.ts';

export interface Reading {
  /** Tokens of the meter for one of our own count. */
  readonly factor: number;
  /** What the provider counted in the last request beyond our count of it, in tokens. May be negative. */
  readonly measured: number;
  readonly anchor?: NonNullable<Meter['anchor']>;
  readonly error?: number;
}

/** @param ownFixed tokens of tools and framing, by our own count */
export function readMeter(state: JournalState, model: string, ownFixed: number): Reading {
  const known = state.packings.findLast(({ event }) => event.meter.model === model)?.event.meter.factor ?? 1;
  const last = state.reports.at(-1);
  const packing = last && state.packings[last.packing]?.event;
  if (!last || !packing) return { factor: known, measured: 0 };
  const { prompt: reported, request } = last;
  const estimated = packing.total;
  const anchor = { request, reported, estimated };
  const error = Math.round(((estimated - reported) / reported) * 10_000) / 10_000;
  const said = () => reportsOf(state, model);
  const changes = () => changesOf(state, model);
  const [newest] = said();
  // What was learnt stays where this report taught nothing.
  const factor = newest?.request === request ? learntFactor(said, known, ownFixed, changes) : known;
  const beyond = beyondCount(said(), factor);
  // What is counted too high is mostly what every request carries (providers render schemas their own way), so that
  // a request never counts for less than its messages.
  return { factor, measured: Math.max(beyond, -Math.round(ownFixed * factor)), anchor, error };
}

/** How often the factor of a model has changed. */
function changesOf({ packings }: JournalState, model: string): number {
  const factors = packings.flatMap(({ event: { meter } }) =>
    meter.model === model ? [meter.factor ?? 1] : [],
  );
  return factors.filter((factor, index) => factor !== (factors[index - 1] ?? 1)).length;
}

/** A prompt that is reported far below our count was cut by the server, silently. Media are no evidence. */
export function isCutByServer(reported: number, packing: ContextPacked): boolean {
  const text = packing.total - (packing.meter.media ?? 0);
  return reported < text / 2 && text - reported > evidence;
}

/** Tokens of the largest prompt that a server may put before ours. */
const largestHidden = 200_000;

/** More than any tokenizer makes of it, and than a server adds: taken at its word, nothing would fit any more. */
function isNoCount(reported: number, packing: ContextPacked): boolean {
  return packing.meter.media === undefined && reported > mostFactor * ownCount(packing) + largestHidden;
}

/**
 * The reports that say something about this model, newest first: another model's count does not, and neither does one
 * of a prompt that was not the one we sent.
 */
function* reportsOf({ reports, packings }: JournalState, model: string): Generator<Report> {
  for (let at = reports.length - 1; at >= 0; at--) {
    const { prompt, packing: index, request } = reports[at]!;
    const packing = packings[index]?.event;
    if (!packing || (packing.meter.model ?? model) !== model) continue;
    if (isCutByServer(prompt, packing) || isNoCount(prompt, packing)) continue;
    yield { request, prompt, own: ownCount(packing), hasMedia: (packing.meter.media ?? 0) > 0 };
  }
}

/** Reports that are looked at for a swing, and how often it must turn to be one: up and down again is an exception. */
const window = 12;
const turns = 2;

/**
 * Tokens of the last request beyond our count of it. Where reports swing (an end point with two tokenizers behind it,
 * or one that leaves out of its reports what it had cached now and then) the next one may be of either kind: then it is
 * the most of them, and the context stays inside the limit by both.
 */
function beyondCount(said: Iterable<Report>, factor: number): number {
  const recent = [...taken(said, window)];
  const [newest] = recent;
  if (!newest) return 0;
  const beyond = recent.map(({ prompt, own }) => prompt - Math.round(own * factor));
  if (turnsOf(beyond, tolerance * newest.prompt) < turns) return beyond[0]!;
  return Math.max(...recent.map(({ own }, index) => Math.round(beyond[index]! * (newest.own / own))));
}

/** How often a line of numbers turns round, steps of up to `least` aside. */
function turnsOf(line: readonly number[], least: number): number {
  const steps = line.slice(1).map((value, index) => value - line[index]!);
  const ways = steps.filter((step) => Math.abs(step) > least).map(Math.sign);
  return ways.filter((way, index) => index > 0 && way !== ways[index - 1]).length;
}

function* taken<Item>(items: Iterable<Item>, most: number): Generator<Item> {
  let left = most;
  for (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}

function ownCount({ meter, total }: ContextPacked): number {
  return meter.own ?? total;
}
