/**
 * A journal grows with what is new and not with what is sent: at most 1.25 times the bytes of the distinct texts and
 * a fixed number of bytes a round. What the texts are is counted from outside, from the bodies that the model got, so that a writer that
 * calls a whole body a text is found out.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { AgentConfig } from '../../../src/core/config.ts';
import type { Fate, JournalEvent } from '../../../src/core/events.ts';
import type { PackingState } from '../../../src/core/journalState.ts';
import type { JournalSink, ModelOutcome } from '../../../src/core/ports.ts';
import type { StopRules } from '../../../src/runner/gate.ts';
import { type Run, startRun } from '../../../src/runner/run.ts';
import { createJournal } from '../../../src/session/journal.ts';
import { openSession } from '../../../src/session/session.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import { createFixedClock } from '../../doubles/fixedClock.ts';
import { calls, createScriptedModel, says, type ScriptedModel } from '../../doubles/scriptedModel.ts';
import { splitBody } from '../../doubles/splitBody.ts';
import { createTestAgent, problemsOf } from '../../doubles/testAgent.ts';

const rounds = 100;

interface Scenario {
  readonly callsPerReply?: number;
  /** Words of one result. */
  readonly words?: number;
  readonly context?: Partial<AgentConfig['context']>;
  readonly max_history?: number;
  /** What the user does when round n is about to be sent. */
  readonly atPlan?: (run: Run, round: number) => void;
}

/** Every third result is in Chinese: three bytes a character. */
function resultOf(n: number, words: number): string {
  return Array.from({ length: words }, (_, at) =>
    n % 3 === 0 ? '预算' : `word${(n * 31 + at * 7) % 997}`,
  ).join(' ');
}

function createModel(callsPerReply: number): ScriptedModel {
  let asked = 0;
  const answer = (body: string): ModelOutcome => {
    const isSummary = !body.includes('"tools":');
    if (isSummary) return says(`Goal: go. ${asked} rounds are done. Still open: the others.`);
    if (++asked > rounds) return says('All done.');
    return calls(
      Array.from({ length: callsPerReply }, (_, at) => ({
        name: 'look',
        arguments: { n: asked * 10 + at },
        id: `call_${asked}_${at}`,
      })),
    );
  };
  return createScriptedModel(Array.from({ length: 5 * rounds }, () => answer));
}

/** A run of a hundred rounds: the bytes of its journal, and of all distinct texts that went out or came in. */
async function measure({ callsPerReply = 1, words = 100, atPlan, ...settings }: Scenario) {
  let bytes = 0;
  const sink: JournalSink = {
    write: (lines) => (bytes += Buffer.byteLength(lines)),
    sync: () => undefined,
    close: () => undefined,
  };
  const texts = new Set<string>();
  const look = defineTool({
    name: 'look',
    description: 'Looks something up.',
    effects: 'none',
    input: z.object({ n: z.int() }),
    run: async ({ n }) => {
      const result = resultOf(n, words);
      // What is too long for the model is kept whole beside what it was sent.
      if (result.length > 4000) texts.add(result);
      return result;
    },
  });
  const model = createModel(callsPerReply);
  const context = { max_tokens: 10_000_000, reserve: 1000, ...settings.context };
  const agent = await createTestAgent(model, { max_iters: rounds + 1, ...settings, context }, [look]);
  const session = openSession(createJournal({ clock: createFixedClock(), sink }), { id: 's', agent: 'a' });
  const rules: StopRules = {
    hits: async (stop) => ({ faults: [], breakpoints: stop.kind === 'plan' ? ['plan'] : [], phases: [] }),
  };
  const run = startRun(agent, session, {
    goal: 'go',
    ...(atPlan === undefined
      ? {}
      : {
          rules,
          onStopped: () =>
            queueMicrotask(() => {
              // The end is a stop, too.
              if (!session.state.runs[0]?.ended) atPlan(run, session.state.runs[0]!.rounds.length);
              run.gate.resume('continue');
            }),
        }),
  });
  assert.equal(await run.done, 'done', session.state.runs[0]?.ended?.limit);
  assert.deepEqual(problemsOf(session), []);
  assert.equal(session.state.runs[0]?.rounds.length, rounds + 1);
  for (const body of model.bodies) for (const text of splitBody(body)) texts.add(text);
  texts.add(JSON.stringify(agent.config));
  texts.add('{"role":"assistant","content":"All done."}');
  let distinct = 0;
  for (const text of texts) distinct += Buffer.byteLength(text);
  return { bytes, distinct, session };
}

const set = (run: Run, target: string, value: unknown) =>
  assert.ok(run.apply({ kind: 'set', target, scope: 'request', value }).ok, target);

interface Expected {
  /** Bytes a round, beside the texts. */
  readonly frame: number;
  /** What happens to messages again and again. */
  readonly fate?: Fate;
}

/** Ids, times, hashes and decisions of a round with one call; of a further call; of a stop with an edit. */
const [round, furtherCall, edit] = [1800, 512, 512];
const long = { words: 480 };
const drops = { context: { max_tokens: 8000, policy: 'drop-oldest' }, fate: 'dropped' } as const;

const scenarios: Readonly<Record<string, Scenario & Expected>> = {
  // Where results have 4 KB, all that is not text fits in 1 KB a round and what the quarter leaves of it.
  'results of 4 KB': { ...long, frame: 1024 },
  'results of 4 KB, messages dropped in each round': { ...long, ...drops, frame: 1024 },
  'results of 4 KB, old ones blanked': {
    ...long,
    context: { max_tokens: 8000, policy: 'blank-results' },
    fate: 'trimmed',
    // Each round one more leaves its content, with the arithmetic of it.
    frame: 1024 + 16,
  },
  'results of 4 KB, summaries': {
    fate: 'folded',
    ...long,
    context: { max_tokens: 8000, policy: 'summarize' },
    frame: 1024,
  },
  'results that are cut for the model': { words: 1000, frame: 1024 },
  'two results of 4 KB a reply': { ...long, callsPerReply: 2, frame: 1024 },
  'short results': { words: 2, frame: round },
  'a window over short results': {
    fate: 'dropped',
    words: 2,
    max_history: 9,
    context: { policy: 'window' },
    // Two messages leave in each round, each with its arithmetic.
    frame: round + 128,
  },
  'two calls a reply': { words: 2, callsPerReply: 2, frame: round + furtherCall },
  'a message edited for each request': {
    frame: round + edit,
    atPlan: (run, round) => set(run, 'm2/content', `go, this is round ${round}`),
  },
  'a parameter edited in each request': {
    frame: round + edit,
    atPlan: (run, round) => set(run, 'request/temperature', round / 100),
  },
  'a head that changes each round': {
    frame: round + edit,
    atPlan: (run, round) => set(run, 'request/model', `test-model-${round}`),
  },
  'a message edited, a head and a parameter changed, messages dropped, two calls': {
    callsPerReply: 2,
    context: { max_tokens: 5000, policy: 'drop-oldest' },
    fate: 'dropped',
    frame: round + furtherCall + 3 * edit,
    atPlan(run, round) {
      set(run, 'm2/content', `go, this is round ${round}`);
      set(run, 'request/model', `test-model-${round}`);
      set(run, 'request/temperature', round / 100);
    },
  },
};

for (const [name, { frame, fate, ...scenario }] of Object.entries(scenarios)) {
  test(`the size of a journal: ${name}`, async () => {
    const { bytes, distinct, session } = await measure(scenario);
    if (fate !== undefined) assert.ok(timesOf(session.state.packings, fate) >= 10, fate);
    const allowed = Math.round(1.25 * distinct + (rounds + 1) * frame);
    assert.ok(bytes <= allowed, `${bytes} bytes, and ${allowed} are allowed for ${distinct} bytes of texts`);
    const [early, late] = [
      frameBetween(session.journal.events, 10, 55),
      frameBetween(session.journal.events, 55, 100),
    ];
    assert.ok(late <= 1.1 * early, `rounds 10 to 54 took ${early} bytes beside texts, 55 to 99 took ${late}`);
  });
}

/** Bytes of the events of some rounds, texts left out: the same for late rounds as for early ones. */
function frameBetween(events: readonly JournalEvent[], first: number, end: number): number {
  const start = (round: number) =>
    events.findIndex((event) => event.type === 'round.started' && event.round === round);
  let bytes = 0;
  for (const event of events.slice(start(first), start(end)))
    if (event.type !== 'part') bytes += JSON.stringify(event).length;
  return bytes;
}

/** Packings that gave a message such a fate. */
function timesOf(packings: readonly PackingState[], fate: Fate): number {
  return packings.filter(({ event }) => event.changed.some((change) => change.fate === fate)).length;
}
