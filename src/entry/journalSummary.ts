/**
 * What a list of runs needs of a journal, without holding or folding it: the file is read in slices, and of most lines
 * only their beginning is looked at. A file of any size takes the memory of one slice, and others get their turn.
 */
import * as fs from 'node:fs/promises';
import { priceIn, spentOn } from '../core/cost.ts';
import type { JournalEvent, RunStarted, SessionOpened, Usage } from '../core/events.ts';
import { isRecord, parseJson } from '../core/parseMessage.ts';
import { goalText, type RunEntry } from '../core/runsList.ts';
import { createLineScanner, type LinePlace } from './lineScanner.ts';

export interface JournalSummary {
  readonly session: string;
  readonly agent: string;
  readonly model: string;
  readonly runs: readonly RunEntry[];
}

interface RunDraft {
  readonly run: number;
  readonly at: number;
  readonly goal: string;
  config: string;
  /** Its text's part; found when the goal enters the history. */
  goalPart?: string | undefined;
  outcome?: string;
  rounds: number;
  readonly usages: (Usage | null)[];
}

/** Bytes that are read at once. */
const slice = 256 * 1024;
/** A line's beginning: enough to see what it tells. */
const beginning = /^\{"seq":\d+,"at":\d+,(?:"inferred":true,)?"type":"([a-z.]+)"(?:,"id":"(p\d+)")?/;
const told = new Set([
  'session.opened',
  'run.started',
  'run.ended',
  'round.started',
  'history.appended',
  'model.replied',
  'edited',
]);

/** Undefined for a file that is no journal, or holds no run. Rejects when the file can not be read. */
export async function summariseJournal(file: string): Promise<JournalSummary | undefined> {
  const handle = await fs.open(file, 'r');
  try {
    const draft: Draft = { lines: 0, runs: [], parts: new Map() };
    const scanner = createLineScanner(
      (head, place) => wants(draft, head, place),
      (line) => take(draft, parseJson(line) as JournalEvent | undefined),
    );
    for (let at = 0; ;) {
      // A new buffer each time: what is kept of a line is a view of it.
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(slice), 0, slice, at);
      // What has no line end yet is torn, or is being written.
      if (bytesRead === 0) break;
      scanner.push(buffer.subarray(0, bytesRead));
      at += bytesRead;
      if (draft.lines > 1 && !draft.opened) return undefined;
    }
    return await finish(draft, async ({ start, length }) => {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, start);
      return buffer.toString('utf8', 0, bytesRead);
    });
  } finally {
    await handle.close();
  }
}

/** What was seen of a journal so far. */
interface Draft {
  opened?: SessionOpened;
  lines: number;
  readonly runs: RunDraft[];
  /** Where the texts stand: read when it is known which are needed. */
  readonly parts: Map<string, LinePlace>;
}

/** Whether a line is to be kept whole, by its beginning. */
function wants(draft: Draft, head: string, place: LinePlace): boolean {
  draft.lines++;
  const [, type, part] = beginning.exec(head) ?? [];
  // Written by hand, or by something else: its fields may stand in another order.
  if (type === undefined) return true;
  if (type === 'part' && part !== undefined) draft.parts.set(part, place);
  if (type === 'history.appended') return draft.runs.at(-1)?.goalPart === undefined;
  return told.has(type);
}

function take(draft: Draft, event: JournalEvent | undefined): void {
  const { runs } = draft;
  const run = runs.at(-1);
  switch (event?.type) {
    case 'session.opened':
      if (draft.lines === 1 && event.v === 1) draft.opened = event;
      break;
    case 'run.started':
      startRun(runs, event);
      break;
    case 'history.appended':
      if (run) run.goalPart ??= event.messages.find(({ id }) => id === run.goal)?.part;
      break;
    case 'edited':
      for (const one of runs)
        if (one.goal === event.target && event.scope === 'history' && event.after !== undefined)
          one.goalPart = event.after;
      break;
    case 'round.started':
      if (run) run.rounds++;
      break;
    case 'model.replied':
      run?.usages.push(isRecord(event.usage) ? event.usage : null);
      break;
    case 'run.ended':
      if (run) run.outcome = event.outcome;
      break;
    default:
  }
}

/** A new one, or the last one goes on after a limit. */
function startRun(runs: RunDraft[], { run, at, goal, config, more }: JournalEvent & RunStarted): void {
  const last = runs.at(-1);
  if (more === undefined || last?.run !== run) {
    runs.push({ run, at, goal, config, rounds: 0, usages: [] });
    return;
  }
  last.config = config;
  delete last.outcome;
}

async function finish(
  { opened, runs, parts }: Draft,
  read: (place: LinePlace) => Promise<string>,
): Promise<JournalSummary | undefined> {
  if (!opened) return undefined;
  const { session, agent } = opened;
  const textOf = async (part: string | undefined) => {
    const place = part === undefined ? undefined : parts.get(part);
    const event = place && parseJson(await read(place));
    return isRecord(event) && typeof event['text'] === 'string' ? event['text'] : '';
  };
  const entries: RunEntry[] = [];
  let model = '';
  for (const { run, at, goalPart, config, outcome, rounds, usages } of runs) {
    const settings = await textOf(config);
    model = modelIn(settings);
    const { tokens, cost, unknown } = spentOn(usages, priceIn(settings));
    entries.push({
      session,
      run,
      goal: goalText(await textOf(goalPart)),
      at,
      rounds,
      ...(outcome === undefined ? {} : { outcome }),
      ...(tokens === undefined ? {} : { tokens }),
      ...(cost === undefined ? {} : { cost }),
      ...(unknown > 0 ? { isPartly: true } : {}),
    });
  }
  return { session, agent, model, runs: entries };
}

function modelIn(config: string): string {
  const value = parseJson(config);
  const name = isRecord(value) ? value['model_name'] : undefined;
  return typeof name === 'string' ? name : '';
}
