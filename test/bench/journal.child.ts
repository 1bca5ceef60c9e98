/**
 * One measurement of the journal benchmark, in a process of its own: `journal.child.js make FILE ROUNDS POLICY`
 * writes a run; `open FILE` reads it as a window does that shows a past session; `parse FILE` only parses its lines;
 * `append FILE` writes its events
 * anew. One line of JSON. In CPU time: other programs on the machine stretch the time on the clock, and V8's helpers
 * count.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { contextView } from '../../src/core/contextView.ts';
import type { JournalEvent } from '../../src/core/events.ts';
import { foldAll } from '../../src/core/fold.ts';
import type { ModelClient } from '../../src/core/ports.ts';
import { currentRound } from '../../src/core/journalState.ts';
import { emptyLane, foldLane } from '../../src/core/lane.ts';
import { roundView } from '../../src/core/roundView.ts';
import { openSessionFile } from '../../src/entry/openSessionFile.ts';
import { systemClock } from '../../src/entry/systemClock.ts';
import { startRun } from '../../src/runner/run.ts';
import { createJournal } from '../../src/session/journal.ts';
import { createFileSink } from '../../src/session/journalFile.ts';
import { readJournalText } from '../../src/session/journalText.ts';
import { defineTool } from '../../src/toolbox/defineTool.ts';
import { calls, says } from '../doubles/scriptedModel.ts';
import { createTestAgent } from '../doubles/testAgent.ts';

const [what = '', file = '', rounds = '0', policy = 'none'] = process.argv.slice(2);
const actions: Readonly<Record<string, () => object | Promise<object>>> = {
  make: () => make(Number(rounds)),
  open,
  parse,
  append: () => append(eventsOf(file).slice(1)),
};
console.log(JSON.stringify(await actions[what]?.()));

/** A run of so many rounds, one call and one result of 4 KB in each. */
async function make(rounds: number): Promise<object> {
  const step = defineTool({
    name: 'step',
    description: 'Makes step n and returns its report.',
    effects: 'none',
    input: z.object({ n: z.int() }),
    run: async ({ n }) => `${n}: ${`line ${n * 7919} of the report, "quoted". `.repeat(200).slice(0, 3900)}`,
  });
  let asked = 0;
  // The scripted model would keep all bodies: half a gigabyte.
  const model: ModelClient = {
    url: 'scripted:',
    label: 'bench',
    send: async () => {
      const n = asked++;
      return n < rounds ? calls([{ name: 'step', arguments: { n }, id: `call_${n}` }]) : says('All done.');
    },
  };
  const context = { max_tokens: policy === 'none' ? 10_000_000 : 50_000, policy } as never;
  const agent = await createTestAgent(model, { max_iters: rounds + 1, context }, [step]);
  const opened = openSessionFile({ file, id: 's-bench', agent: 'bench.agent.json', clock: systemClock });
  if (!opened.ok) throw new Error(opened.message);
  const outcome = await startRun(agent, opened.session, { goal: 'Make all the steps.' }).done;
  if (outcome !== 'done') throw new Error(outcome);
  opened.session.journal.close();
  return { bytes: readFileSync(file).length, events: opened.session.journal.events.length };
}

function eventsOf(file: string): readonly JournalEvent[] {
  const read = readJournalText(readFileSync(file, 'utf8'));
  if (!read.ok) throw new Error(read.message);
  return read.events;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** From the file to what the panels show first. */
function open(): object {
  const marks: number[] = [];
  const mark = () => marks.push(cpuMs());
  mark();
  const events = eventsOf(file);
  mark();
  const state = foldAll(events);
  mark();
  const lane = emptyLane();
  for (const event of events) foldLane(lane, event);
  mark();
  const round = currentRound(state);
  if (!round) throw new Error('the journal has no round');
  const rows = roundView(state, round).rows.length + (contextView(state, round)?.rows.length ?? 0);
  mark();
  const [read, fold, cells, views] = marks.slice(1).map((at, index) => at - marks[index]!);
  return { read, fold, lane: cells, views, all: marks.at(-1)! - marks[0]!, rows, cells: lane.cells.length };
}

/** What no reader of JSON Lines can do without. */
function parse(): object {
  const start = cpuMs();
  const lines = readFileSync(file, 'utf8').split('\n');
  const events = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  return { bare: cpuMs() - start, events: events.length };
}

/** Every event written to a file again, by the journal and as bare lines. */
function append(events: readonly JournalEvent[]): object {
  const copy = `${file}.copy`;
  const ofJournal = timed(copy, (fd) => {
    const journal = createJournal({ clock: systemClock, sink: createFileSink(fd, () => undefined) });
    return (event) => void journal.append(event);
  });
  const bare = timed(copy, (fd) => (event) => void writeSync(fd, `${JSON.stringify(event)}\n`));
  return { append: ofJournal, bare };

  /** Microseconds an event. */
  function timed(copy: string, begin: (fd: number) => (event: JournalEvent) => void): number {
    const fd = openSync(copy, 'w');
    const write = begin(fd);
    const start = cpuMs();
    for (const event of events) write(event);
    const took = cpuMs() - start;
    closeSync(fd);
    rmSync(copy);
    return (took * 1000) / events.length;
  }
}
