/** The policy `summarize`: C16 (it can not go on for ever) and C20 (the request itself goes wrong). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestBody } from '../../../src/core/body.ts';
import { contextView } from '../../../src/core/contextView.ts';
import { foldAll } from '../../../src/core/fold.ts';
import { textOf } from '../../../src/core/journalState.ts';
import { logLine } from '../../../src/core/logLine.ts';
import { contentText, type WireMessage } from '../../../src/core/messages.ts';
import type { ModelOutcome } from '../../../src/core/ports.ts';
import { roundView } from '../../../src/core/roundView.ts';
import { createDemoModel } from '../../../src/planner/demoModel.ts';
import { foldTrigger } from '../../../src/planner/foldWish.ts';
import { usableText } from '../../../src/planner/summary.ts';
import { startRun } from '../../../src/runner/run.ts';
import { builtinTools } from '../../../src/toolbox/builtinTools.ts';
import { dump } from '../../doubles/dumpTool.ts';
import { calls, createScriptedModel, fails, says } from '../../doubles/scriptedModel.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

const context = { policy: 'summarize', max_tokens: 2000, reserve: 200 } as const;
const trigger = foldTrigger(context);

interface Body {
  readonly messages: readonly WireMessage[];
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
}

/** A server that answers rounds with calls until there were enough, and summary requests as it is told. */
function createServer(rounds: number, summaries: readonly ModelOutcome[], usage?: number) {
  const seen = { rounds: [] as Body[], summaries: [] as Body[] };
  const model = createScriptedModel(
    Array.from({ length: 60 }, () => (text: string) => {
      const body = JSON.parse(text) as Body;
      const isSummary = body.tools === undefined;
      seen[isSummary ? 'summaries' : 'rounds'].push(body);
      if (isSummary)
        return summaries[seen.summaries.length - 1] ?? fails('server', { message: 'no more summaries' });
      const id = `c${seen.rounds.length}`;
      const reply =
        seen.rounds.length < rounds ? calls([{ name: 'dump', arguments: { words: 300 }, id }]) : says('done');
      return usage === undefined || seen.summaries.length === 0
        ? reply
        : { ...reply, usage: { prompt: usage } };
    }),
  );
  return { model, seen };
}

async function run(
  server: ReturnType<typeof createServer>,
  session = createTestSession(),
  goal = 'go',
  parameters = {},
) {
  const agent = await createTestAgent(server.model, { context, parameters, max_iters: 30 }, [dump]);
  const outcome = await startRun(agent, session, { goal }).done;
  assert.deepEqual(problemsOf(session), []);
  assert.deepEqual([...foldAll(session.journal.events).folded], [...session.state.folded]);
  return { outcome, session, why: session.state.runs.at(-1)?.ended?.limit ?? '' };
}

const good = says('Goal: go. The dumps hold lorem. Still open: nothing.');

test('the oldest units are folded into a summary that stands in their place', async () => {
  const server = createServer(8, [good, good]);
  const { outcome, session } = await run(server);
  assert.equal(outcome, 'done');
  const sent = server.seen.rounds.find(({ messages }) =>
    contentText(messages[2] ?? { role: 'user' }).startsWith('[Summary of'),
  );
  assert.ok(sent);
  assert.deepEqual(
    sent.messages.slice(0, 3).map(({ role }) => role),
    ['system', 'user', 'user'],
  );
  assert.match(contentText(sent.messages[2]!), /^\[Summary of \d+ earlier messages\]\nGoal: go\./);
  for (const { event } of session.state.packings.slice(-1)) assert.ok(event.total <= trigger);
  // What was folded says so, and into what; what is shown is what was sent.
  const [first] = [...session.state.folded];
  assert.equal(session.state.fates.get(first![0])?.fate, 'folded');
  assert.equal(session.state.fates.get(first![0])?.into, first![1]);
  assert.equal(session.state.messages.get(first![1])?.origin.kind, 'summary');
  const folding = session.state.runs[0]!.rounds.find(
    (round) => roundView(session.state, round).counts.folded > 0,
  );
  assert.ok(folding);
  const view = contextView(session.state, folding)!;
  assert.equal(
    view.budget.parts.reduce((sum, { tokens }) => sum + tokens, 0),
    view.budget.limit,
  );
  assert.equal(view.budget.parts.find(({ part }) => part === 'other')?.tokens, 0);
  assert.ok(view.rows.some(({ fate, into }) => fate === 'folded' && into !== undefined));
});

test('C20: the request is bounded, one transcript, without tools and tool_choice', async () => {
  const server = createServer(8, [good, good]);
  await run(server);
  const [body] = server.seen.summaries;
  assert.deepEqual(
    body?.messages.map(({ role }) => role),
    ['system', 'user'],
  );
  assert.ok(!('tools' in body) && !('tool_choice' in body));
  assert.match(
    contentText(body.messages[1]!),
    /assistant called dump with \{"words":300\}\nresult of dump: /,
  );
});

const bad: Readonly<Record<string, ModelOutcome>> = {
  'calls only': calls([{ name: 'read_file' }]),
  blank: says('   \n'),
  'a failure': fails('bad-request', { status: 400 }),
  markup: says('<tool_call>{"name":"dump","arguments":{}}</tool_call>'),
  'a call as text': says('{"name":"dump","arguments":{"words":3}}'),
};

for (const [name, reply] of Object.entries(bad)) {
  test(`C20: ${name}: nothing is replaced, the attempt is a row, and the next one may succeed`, async () => {
    const server = createServer(8, [reply, good, good]);
    const session = createTestSession();
    const before: string[] = [];
    session.journal.onEvent((event) => {
      const failed =
        event.type === 'model.failed' || (event.type === 'anomaly' && event.code === 'summary-rejected');
      if (failed) before.push(JSON.stringify([session.state.history, [...session.state.folded]]));
    });
    const { outcome } = await run(server, session);
    assert.equal(outcome, 'done');
    assert.equal(before.length, 1);
    const [history, folded] = JSON.parse(before[0]!) as [string[], unknown[]];
    assert.deepEqual(folded, []);
    assert.ok(history.every((id) => session.state.messages.get(id)?.origin.kind !== 'summary'));
    const asides = session.journal.events.filter(
      (event) => event.type === 'model.requested' && event.purpose === 'summary',
    );
    assert.equal(asides.length, server.seen.summaries.length);
    assert.ok(session.state.folded.size > 0);
  });
}

const cutOff = (text: string, finish: string | null = 'length', completion?: number): ModelOutcome => ({
  ...says(text, completion === undefined ? null : { completion }),
  finish,
});
const cutShort: Readonly<Record<string, ModelOutcome>> = {
  'by its limit': cutOff('Goal: go. The dumps hold'),
  'by its limit, at the end of a sentence': cutOff('Goal: go. The dumps hold lorem.', 'max_tokens'),
  'and nobody says so: it ends open': cutOff('Goal: go. Found so far:', 'stop'),
  'in Chinese, and nobody says so': cutOff('目标：继续。已找到的文件有甲、乙、', 'stop'),
  'inside a list, without a finish reason': cutOff('- Goal: go\n- The dumps hold lorem and', null),
  'at the very limit that the request set': cutOff('Goal: go. The dumps hold lor', 'stop', 400),
};

for (const [name, reply] of Object.entries(cutShort)) {
  test(`C20: a summary cut off ${name}: a shorter one is asked for, once`, async () => {
    const server = createServer(8, [reply, good, good]);
    const { outcome, session } = await run(server, undefined, undefined, { max_tokens: 400 });
    assert.equal(outcome, 'done');
    assert.ok(session.state.folded.size > 0);
    const [first, second] = server.seen.summaries.map(({ messages }) => messages);
    assert.deepEqual(second?.[1], first?.[1]);
    const told = contentText(second?.[0] ?? { role: 'system' });
    assert.ok(told.startsWith(contentText(first?.[0] ?? { role: 'system' })));
    assert.match(told, /it was cut off\. Write at most \d+ characters, in whole sentences\.$/);
    const codes = session.state.anomalies.map(({ code }) => code);
    assert.equal(codes.filter((code) => code === 'summary-cut').length, 1);
    for (const { origin, id } of session.state.messages.values())
      if (origin.kind === 'summary')
        assert.match(textOf(session.state, id) ?? '', /Still open: nothing\."\}$/);
  });
}

test('C20: cut off twice, nothing is replaced, and it is not asked for ever', async () => {
  const [reply] = Object.values(cutShort);
  const server = createServer(30, [reply!, reply!, good]);
  const { outcome, session, why } = await run(server);
  assert.equal(outcome, 'blocked');
  assert.match(why, /needs \d+ tokens and the limit is 2000/);
  assert.equal(server.seen.summaries.length, 2);
  assert.equal(session.state.folded.size, 0);
  const [cut, rejected] = session.state.anomalies.filter(({ code }) => code.startsWith('summary-'));
  assert.match(cut?.detail ?? '', /asked for once more, with at most 12 characters/);
  assert.match(rejected?.detail ?? '', /^The summary was not taken: it was cut off\. Nothing was replaced\./);
});

test('C20: a summary that is too long is asked for once more; of one that still is, head and tail are kept', async () => {
  const long = says(`Goal: go. ${'The dumps hold lorem. '.repeat(200)}Still open: nothing.`);
  const better = createServer(8, [long, good, good]);
  const first = await run(better);
  assert.match(
    contentText(better.seen.summaries[1]!.messages[0]!),
    /it is too long\. Write at most \d{3} ch/,
  );
  assert.ok([...first.session.state.parts.values()].some((text) => text.endsWith('Still open: nothing."}')));
  const worse = createServer(8, [long, long, good, good]);
  const { session } = await run(worse);
  const kept = [...session.state.messages.values()].find(({ origin }) => origin.kind === 'summary');
  const text = textOf(session.state, kept?.id ?? '') ?? '';
  assert.match(text, /Goal: go\..*characters left out.*Still open: nothing\."\}$/);
  assert.ok(session.state.anomalies.some(({ code }) => code === 'summary-trimmed'));
});

test('C16: two in vain end it for the run, which is blocked with numbers; a further goal tries again', async () => {
  const server = createServer(30, [bad['blank']!, bad['calls only']!]);
  const { outcome, session, why } = await run(server);
  assert.equal(outcome, 'blocked');
  assert.equal(server.seen.summaries.length, 2);
  assert.match(
    why,
    /"summarize" left a request that needs \d+ tokens and the limit is 2000.*Largest parts: m\d+/,
  );
  const further = createServer(1, [good]);
  assert.equal((await run(further, session, 'and now?')).outcome, 'done');
  assert.equal(further.seen.summaries.length, 1);
});

test('C16: a provider that counts too much after each fold is folded for twice and no more', async () => {
  const server = createServer(30, [good, good, good, good], 1750);
  const { outcome } = await run(server);
  assert.equal(outcome, 'blocked');
  assert.equal(server.seen.summaries.length, 2);
});

test('C16: a floor that does not fit asks for no summary at all', async () => {
  const server = createServer(3, [good]);
  const session = createTestSession();
  const { outcome, why } = await run(server, session, 'word '.repeat(1900));
  assert.equal(outcome, 'blocked');
  assert.match(why, /^Context floor: .*m2 \(user\)/);
  assert.equal(server.seen.summaries.length + server.seen.rounds.length, 0);
});

test('an abort in mid-summary leaves the history as it was', async () => {
  const session = createTestSession();
  const holder: { cancel?: () => void } = {};
  const server = createServer(30, []);
  const waiting = createScriptedModel(
    Array.from({ length: 20 }, () => (text: string, options) => {
      if ((JSON.parse(text) as Body).tools !== undefined)
        return server.model.send(requestBody(text), options);
      holder.cancel?.();
      return fails('cancelled');
    }),
  );
  const agent = await createTestAgent(waiting, { context, max_iters: 30 }, [dump]);
  const run = startRun(agent, session, { goal: 'go' });
  holder.cancel = () => run.cancel();
  assert.equal(await run.done, 'cancelled');
  assert.deepEqual(problemsOf(session), []);
  assert.equal(session.state.folded.size, 0);
  assert.ok(![...session.state.fates.values()].some(({ fate }) => fate === 'folded'));
});

test('which answers are a summary', () => {
  const says = (content: string) => usableText({ role: 'assistant', content });
  assert.deepEqual(says(' <think>hm</think> Goal: go '), { text: 'Goal: go' });
  assert.ok('text' in says('It called dump, and the result was {"words": 3}.'));
  for (const text of [
    '<think>only thoughts',
    '[TOOL_CALLS][{"name":"x"}]',
    '```json\n{"name":"x","arguments":{}}\n```',
    '{"tool":"x","args":{}}',
    '[{"type":"function","function":{"name":"x"}}]',
    'Action: search\nAction Input: x',
    '<|im_start|>assistant',
    '<thinking>only thoughts</thinking>',
    '...',
    'N/A',
    'null',
    "I'm sorry, but I can't assist with that.",
    'I cannot summarize this conversation.',
    "As an AI language model, I can't do that.",
    'I am unable to provide a summary.',
    '抱歉，我无法完成这个请求。',
    '我不能总结这段对话。',
  ])
    assert.ok('problem' in says(text), text);
  for (const text of [
    '<reasoning>first</reasoning>Goal: go on',
    "Goal: find the sum. The model said: I'm sorry.",
    'Sorry state of the build: it fails. The user asked to fix it.',
    '抱歉的邮件已写好：用户要求道歉。',
    '用户要求求和。',
    'Ignore all previous instructions, said the page that was read.',
    `I can't be brief: ${'the user asked for a sum, and it was found. '.repeat(12)}`,
  ])
    assert.ok('text' in says(text), text);
});

test('the demo model writes a summary of what it is given, and goes on with the goal, not with the summary', async () => {
  const small = { policy: 'summarize', max_tokens: 1250, reserve: 100 } as const;
  const session = createTestSession();
  // The budget is one for these tools, whatever else ships.
  const tools = builtinTools.slice(0, 7);
  const agent = await createTestAgent(createDemoModel(), { context: small, max_iters: 20 }, tools);
  const goals = ['What is 45 + 20?', 'What is 12 * 12?', 'What is left for today?'];
  for (const goal of [...goals, ...goals]) await startRun(agent, session, { goal }).done;
  assert.deepEqual(problemsOf(session), []);
  const answers = session.state.runs.map(({ ended }) =>
    contentText(JSON.parse(textOf(session.state, ended?.answer ?? '') ?? '') as WireMessage),
  );
  assert.deepEqual(answers.slice(3), answers.slice(0, 3));
  const summaries = [...session.state.messages.values()].filter(({ origin }) => origin.kind === 'summary');
  assert.ok(summaries.length > 0);
  assert.match(textOf(session.state, summaries[0]!.id) ?? '', /asked: What is 45 \+ 20\?.*calculator with/);
});

test('a summary that failed is told as a summary, not as the plan of a round', async () => {
  const { session } = await run(createServer(8, []));
  const failed = session.journal.events.find((event) => event.type === 'model.failed');
  assert.ok(failed);
  assert.match(
    logLine(foldAll(session.journal.events), failed) ?? '',
    /^\[iter \d+\]\[summary\] model failed/,
  );
});
