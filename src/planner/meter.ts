/**
 * The one meter: it decides what fits, and it is what is shown. Our own count of a request knows neither the model's
 * tokenizer nor what its server adds, so the meter learns from what providers report: a factor per model, and what
 * the last request took beyond our count (the anchor). Unknown is not zero: without a report it is our own count.
 */
import type { ContextPacked, Meter } from '../core/events.ts';
import type { JournalState, ReportState } from '../core/journalState.ts';

export interface Reading {
  /** Tokens of the meter for one of our own count. */
  readonly factor: number;
  /** What the provider counted in the last request beyond our count of it, in tokens. May be negative. */
  readonly measured: number;
  readonly anchor?: NonNullable<Meter['anchor']>;
  readonly error?: number;
}

/** No tokenizer in use is further from ours than this; what is, is something else. */
const least = 0.5;
const most = 6;
/** A prediction this near is good enough: a factor that moves all the time would only make counts restless. */
const tolerance = 0.1;
/** Tokens that two requests must differ by to say something about the tokens in between. */
const evidence = 200;
/** A first report is weighed as if so many tokens had been counted as we count: a short prompt says little. */
const prior = 100;

export function readMeter(state: JournalState, model: string, ownFixed: number): Reading {
  const { report } = state;
  const packing = report && packingOf(state, report);
  const known = state.packings.findLast(({ event }) => event.meter.model === model)?.event.meter.factor ?? 1;
  if (!report || !packing) return { factor: known, measured: 0 };
  const { prompt: reported, request } = report;
  const estimated = packing.total;
  const anchor = { request, reported, estimated };
  const error = Math.round(((estimated - reported) / reported) * 10_000) / 10_000;
  const shown = { anchor, error };
  // Another model's count, or one of a prompt that was not the one we sent, says nothing about this one.
  const isAnother = (packing.meter.model ?? model) !== model;
  if (isAnother || isCutByServer(reported, packing) || isNoCount(reported, packing))
    return { factor: known, measured: 0, ...shown };
  const factor = learnt(state, report, packing, known);
  const beyond = reported - Math.round(ownCount(packing) * factor);
  // What is counted too high is mostly what every request carries (providers render schemas their own way), so that
  // a request never counts for less than its messages.
  return { factor, measured: Math.max(beyond, -Math.round(ownFixed * factor)), ...shown };
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
  return packing.meter.media === undefined && reported > most * ownCount(packing) + largestHidden;
}

/** The factor after this report: what explains the growth between two reports, else the report itself. */
function learnt(state: JournalState, report: ReportState, packing: ContextPacked, known: number): number {
  if (packing.meter.media) return known;
  const own = ownCount(packing);
  const before = report.before && packingOf(state, report.before);
  if (report.before && before && before.meter.model === packing.meter.model && !before.meter.media) {
    const grown = own - ownCount(before);
    if (Math.abs(grown) < evidence) return known;
    return better(known, report.prompt - report.before.prompt, grown);
  }
  const ratio = (report.prompt + prior) / (own + prior);
  const isGood = Math.abs(own * known - report.prompt) <= tolerance * report.prompt;
  return isGood || !isPlausible(ratio) ? known : rounded(ratio);
}

/** A growth that no tokenizer explains is not its doing: a prompt that was cut, or something else that came along. */
function better(known: number, reported: number, own: number): number {
  const slope = reported / own;
  const isGood = Math.abs(own * known - reported) <= tolerance * Math.abs(reported);
  return isGood || !isPlausible(slope) ? known : rounded(slope);
}

function isPlausible(factor: number): boolean {
  return factor >= least && factor <= most;
}

function rounded(factor: number): number {
  return Math.round(factor * 100) / 100;
}

function packingOf(state: JournalState, { packing }: ReportState): ContextPacked | undefined {
  return state.packings[packing]?.event;
}

function ownCount({ meter, total }: ContextPacked): number {
  return meter.own ?? total;
}
