/** C19: one meter decides and is what is shown, and it learns from what providers report. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { contextView } from '../../../src/core/contextView.ts';
import type { ContextPacked } from '../../../src/core/events.ts';
import type { WireMessage } from '../../../src/core/messages.ts';
import { countMessage } from '../../../src/planner/countMessage.ts';
import { createTokenCounter } from '../../../src/planner/tokens.ts';
import { startRun } from '../../../src/runner/run.ts';
import { dump } from '../../doubles/dumpTool.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const count = await createTokenCounter();
/** What a server with a tokenizer of its own counts. */
type Tokenizer = (body: { messages: WireMessage[]; tools: unknown }) => number;
const times =
  (factor: number, more = 0): Tokenizer =>
  ({ messages, tools }) =>
    more +
    Math.round(
      factor * messages.reduce((sum, one) => sum + countMessage(one, count), count(JSON.stringify(tools))),
    );

/** A run whose rounds each add a result of so many words, against a server that counts its own way. */
async function run(
  words: readonly number[],
  tokenizer: Tokenizer,
  session = createTestSession(),
  config: Parameters<typeof createTestAgent>[1] = {},
) {
  const steps = [...words, undefined].map((size, index): ModelStep => (body) => {
    const usage = { prompt: tokenizer(JSON.parse(body) as Parameters<Tokenizer>[0]), completion: 5 };
    const reply =
      size === undefined
        ? says('done')
        : calls([{ name: 'dump', arguments: { words: size }, id: `c${index}` }]);
    return { ...reply, usage };
  });
  const model = createScriptedModel(steps);
  const context = { max_tokens: 200_000 };
  const agent = await createTestAgent(model, { context, max_iters: 20, ...config }, [dump]);
  assert.equal(await startRun(agent, session, { goal: 'go' }).done, 'done');
  assert.deepEqual(problemsOf(session), []);
  const packings = session.journal.events.filter(
    (event): event is ContextPacked & typeof event => event.type === 'context.packed',
  );
  const reports = session.journal.events.flatMap((event) =>
    event.type === 'model.replied' ? [event.usage?.prompt ?? 0] : [],
  );
  const errors = packings.map(({ total }, index) => Math.abs(total - reports[index]!) / reports[index]!);
  for (const round of session.state.runs.at(-1)?.rounds ?? []) {
    const { budget } = contextView(session.state, round)!;
    assert.equal(
      budget.parts.reduce((sum, { tokens }) => sum + tokens, 0),
      budget.limit,
    );
    assert.equal(budget.parts.find(({ part }) => part === 'other')?.tokens, 0);
    assert.equal(budget.meter.estimate, budget.sent);
  }
  const codes = session.state.anomalies.map(({ code }) => code);
  return { session, packings, errors, codes, factors: packings.map(({ meter }) => meter.factor ?? 1) };
}

const growth: readonly (readonly [string, readonly number[]])[] = [
  ['steadily', [200, 200, 200, 200, 200]],
  ['little', [10, 10, 10, 10, 10]],
  ['in leaps', [10, 600, 5, 600, 300]],
];

for (const factor of [0.6, 1, 1.3, 3, 5]) {
  for (const [how, words] of growth) {
    test(`a secret tokenizer ×${factor} and a history that grows ${how}: after three turns the error is < 15 %`, async () => {
      const { errors, codes } = await run(words, times(factor));
      for (const error of errors.slice(3)) assert.ok(error < 0.15, errors.join(' '));
      assert.deepEqual(codes, []);
    });
  }
}

test('a factor of one stays one, and a report that we expected changes nothing', async () => {
  const { factors, errors } = await run([200, 200, 200], times(1));
  assert.deepEqual(factors, [1, 1, 1, 1]);
  assert.ok(Math.max(...errors.slice(1)) < 0.02, errors.join(' '));
});

test('what a server adds to each request is no matter of its tokenizer', async () => {
  const { packings, factors, errors } = await run([300, 300, 300, 300], times(1, 2000));
  assert.equal(factors.at(-1), 1);
  assert.ok(Math.abs((packings.at(-1)?.fixed.measured ?? 0) - 2000) < 20);
  for (const error of errors.slice(2)) assert.ok(error < 0.05, errors.join(' '));
});

test('no report is not a report of zero', async () => {
  for (const prompt of [undefined, 0]) {
    const session = createTestSession();
    const usage = { ...(prompt === undefined ? {} : { prompt }), completion: 5 };
    const first = { ...calls([{ name: 'dump', arguments: { words: 5 } }]), usage };
    const model = createScriptedModel([first, { ...says('done'), usage: null }]);
    await startRun(await createTestAgent(model, {}, [dump]), session, { goal: 'go' }).done;
    const { meter } = session.state.packings.at(-1)!.event;
    assert.equal(meter.anchor, undefined);
    assert.equal(meter.factor ?? 1, 1);
    assert.deepEqual(session.state.anomalies, []);
  }
});

test('what was learnt of one model is not believed of another, and is known again when it comes back', async () => {
  const { session } = await run([300, 300], times(3));
  const ask = async (model_name: string) => {
    const agent = await createTestAgent(createScriptedModel([says('hi')]), { model_name }, [dump]);
    await startRun(agent, session, { goal: 'again' }).done;
    return session.state.packings.at(-1)!.event;
  };
  const other = await ask('other');
  assert.equal(other.meter.factor ?? 1, 1);
  assert.equal(other.fixed.measured, undefined);
  assert.equal((await ask('test-model')).meter.factor, 3);
});

test('a prompt that is reported far below our count is named, and nothing is learnt from it', async () => {
  const { codes, factors, packings } = await run([300, 600, 600, 600], (body) =>
    Math.min(600, times(1)(body)),
  );
  assert.deepEqual([...new Set(codes)], ['silent-truncation']);
  assert.ok(codes.length >= 2);
  assert.deepEqual([...new Set(factors)], [1]);
  assert.ok((packings.at(-1)?.total ?? 0) > 2000);
});

test('an image of 3 MB changes the estimate by less than 6,000, and is no evidence on a tokenizer', async () => {
  const session = createTestSession();
  const agent = async (usage: number) => {
    const reply = { ...says('a cat'), usage: { prompt: usage } };
    return createTestAgent(createScriptedModel([reply]), { context: { max_tokens: 200_000 } }, [dump]);
  };
  await startRun(await agent(200), session, { goal: 'hello' }).done;
  const before = session.state.packings.at(-1)!.event.total;
  const url = `data:image/png;base64,${'A'.repeat(3_000_000)}`;
  const part = session.journal.part(
    JSON.stringify({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }),
  );
  const id = session.journal.nextMessage();
  session.journal.append({
    type: 'history.appended',
    messages: [{ id, role: 'user', part, origin: { kind: 'user' } }],
  });
  await startRun(await agent(250), session, { goal: 'what is this' }).done;
  const after = session.state.packings.at(-1)!.event;
  assert.ok(after.total - before < 6000);
  assert.ok(after.total - before > 500);
  await startRun(await agent(300), session, { goal: 'and now' }).done;
  assert.deepEqual(session.state.anomalies, []);
  assert.equal(session.state.packings.at(-1)!.event.meter.factor, after.meter.factor);
});

test('C19: a report that is no count of the prompt blocks nothing, and what is reported next is believed again', async () => {
  const words = [300, 300, 300];
  const odd = [1e9, Number.MAX_SAFE_INTEGER, -5, 0, NaN];
  for (const wrong of odd) {
    let asked = 0;
    const { factors, packings } = await run(words, (body) => (asked++ === 0 ? wrong : times(1)(body)));
    assert.deepEqual(new Set(factors), new Set([1]), String(wrong));
    assert.ok(
      packings.every(({ total }) => total < 10_000),
      String(wrong),
    );
  }
  // What a server adds in front of every request is counted, be it large.
  const { packings } = await run(words, times(1, 30_000));
  assert.ok(packings.at(-1)!.total > 30_000);
});

/** Tokenizers of replicas behind one end point, that are asked in this order, over and over. */
const replicas = (...factors: readonly number[]): Tokenizer => {
  let asked = 0;
  return (body) => times(factors[asked++ % factors.length]!)(body);
};
const rounds = 200;
const many = (session = createTestSession()) => ({
  session,
  words: Array.from({ length: rounds }, () => 60),
});

for (const factors of [
  [1, 2],
  [2, 1],
  [1, 1.4],
  [1, 3],
  [1, 1, 2, 2],
  [1, 2, 1, 1, 2, 2, 2, 1],
  [2, 2, 2, 1, 1, 1],
])
  test(`replicas that count ×${factors.join(' and ×')} in turn: what a round writes stays flat, and the larger count is met`, async () => {
    const { session, words } = many();
    const { packings, factors: learnt } = await run(words, replicas(...factors), session, {
      max_iters: rounds + 2,
    });
    const written = packings.map((packing) => JSON.stringify(packing).length);
    const settled = written.slice(10);
    assert.ok(Math.max(...settled) < 2_000, `${Math.max(...settled)}`);
    const most = Math.max(...factors);
    packings.slice(20).forEach(({ total, meter: { own = total } }, index) => {
      const larger = own * most;
      assert.ok(total > larger * 0.93, `${index + 20}: ${total} for ${larger}, ${learnt.join(' ')}`);
      assert.ok(total < larger * 1.35, `${index + 20}: ${total} for ${larger}`);
    });
  });

test('replicas that are asked at random: the factor changes a few times at most', async () => {
  const random = fc.sample(fc.constantFrom(1, 2), { numRuns: rounds + 1, seed: 7 });
  const { session, words } = many();
  const { factors } = await run(words, replicas(...random), session, { max_iters: rounds + 2 });
  const changes = factors.filter((factor, index) => index > 0 && factor !== factors[index - 1]).length;
  assert.ok(changes <= 6, factors.join(' '));
});

test('a factor that changes for good is learnt, in the middle of a long session too', async () => {
  for (const [before, after] of [
    [1, 2],
    [2, 1.2],
    [1, 3],
    [1, 0.7],
  ]) {
    let asked = 0;
    const tokenizer: Tokenizer = (body) => times(asked++ < 100 ? before! : after!)(body);
    const { session, words } = many();
    const { factors, errors } = await run(words, tokenizer, session, { max_iters: rounds + 2 });
    assert.ok(Math.abs(factors.at(-1)! - after!) < 0.1 * after!, factors.join(' '));
    for (const error of errors.slice(107)) assert.ok(error < 0.15, errors.join(' '));
  }
});
