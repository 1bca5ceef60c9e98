/** What a client may be handed, or a mean one sends: expressions, log messages, hit counts, breakpoints, values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDapClient, type DapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';

const two = calls([
  { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
  { name: 'add_todo', arguments: { content: 'reply', minutes: 20 }, id: 'call_b' },
]);
type Verdicts = { breakpoints: { verified: boolean; message?: string }[] };
type Stopped = { reason: string; description: string };

async function held(steps: readonly ModelStep[] = [two, says('done')], settings: Parameters<typeof createTestAgent>[1] = {}) {
  const client = createDapClient(await createTestAgent(createScriptedModel(steps), settings));
  await client.start({ stopOnEntry: true }, () => client.request('setExceptionBreakpoints', { filters: [] }));
  await client.event('stopped');
  return client;
}

async function go(client: DapClient, verb: string): Promise<Stopped> {
  await client.request(verb, { threadId: 1 });
  return client.event<Stopped>('stopped');
}

const source = { path: '/loop.ts' };

test('hostile: conditions that throw, never end, eat memory or backtrack neither stop nor hold up the run', async () => {
  const client = await held();
  const conditions = [
    'for (;;) {}',
    'throw 1',
    'throw { toString() { for (;;) {} } }',
    'new Array(1e9).fill(0)',
    'let s = "x"; for (;;) s += s',
    '/^(a|a)*$/.test("a".repeat(60) + "b")',
    '(function f() { f(); })()',
    'Promise.resolve().then(() => { for (;;) {} }), false',
    'messages.push(1)',
    'Object.defineProperty(globalThis, "round", { value: 7 })',
    '(() => {}).constructor("return process")()',
    'import("fs")',
    '"\ud800"',
    '\0',
  ];
  const set = await client.request<Verdicts>('setFunctionBreakpoints', {
    breakpoints: conditions.map((condition) => ({ name: 'calculator', condition })),
  });
  assert.equal(set.breakpoints.length, conditions.length);
  const stop = await go(client, 'continue');
  // A string that is not empty holds.
  assert.match(stop.description, /before act: calculator/);
  assert.equal((await go(client, 'continue')).reason, 'end');
  assert.deepEqual(problemsOf(client.session), []);
});

test('hostile: log messages are written as far as they can be read', async () => {
  const client = await held();
  const messages = ['{', '}', '{}', '{ }', '{{}}', 'a{round', '{round}}', '`{round}`', '{`${round}`}', '{"}"}', '{({ a: { b: round } }).a.b}', '\\{round\\}', '{round} {round}', '{"\u001b[2J"}', '{throwing()}', '{"x".repeat(1e6)}', '{/}/.source}', '\\', '{messages}'];
  await client.request('setBreakpoints', { source, breakpoints: messages.map((logMessage) => ({ line: 17, logMessage })) });
  assert.equal((await go(client, 'continue')).reason, 'end');
  const logged = client.session.journal.events.flatMap((event) => (event.type === 'logged' ? [event.text] : [])).slice(0, messages.length);
  assert.deepEqual(logged.map((text) => text.slice(0, 40)), [
    '{', '}', '{}', '{ }', '{}', 'a{round', '1}', '`1`', '1', '}', '1', '{round}', '1 1', '\u001b[2J',
    "{ReferenceError: 'throwing' is not define", 'x'.repeat(40), '}', '\\', '[{"role":"system","content":"You are a t',
  ].map((text) => text.slice(0, 40)));
  assert.equal(client.transcript.some((line) => line.includes('\u001b')), false);
});

test('hostile: hit counts in odd spellings count, or say what one is', async () => {
  const client = await held();
  const verdict = async (hitCondition: unknown) =>
    (await client.request<Verdicts>('setFunctionBreakpoints', { breakpoints: [{ name: 'calculator', hitCondition }] })).breakpoints[0];
  for (const good of ['1', ' 2 ', '>=3', '>= 3', '%2', '% 2', '==2', '=== 2', '', '   ', '007', '>\t2'])
    assert.equal((await verdict(good))?.verified, true, JSON.stringify(good));
  for (const bad of ['-1', '1.5', '% 0', '>> 3', '3 >=', 'NaN', '1e3', '0x2', '٣', '=> 3', '1'.repeat(400)]) {
    const told = await verdict(bad);
    assert.equal(told?.verified, false, bad);
    assert.match(told?.message ?? '', /is no hit count/);
    assert.ok((told?.message ?? '').length < 400, 'short');
  }
});

test('hostile: names of function breakpoints are globs of names and nothing else', async () => {
  const client = await held();
  const names = ['[', '(', 'a{1,', '\\', '**', '', ' ', '*', 'CALCULATOR', 'calculator ', '计算', '\ud800', '$(id)', '.*', 'c+', '!add_todo', 'x'.repeat(100_000), '{'.repeat(5000), '*'.repeat(5000) + 'q'];
  const started = performance.now();
  const set = await client.request<Verdicts>('setFunctionBreakpoints', { breakpoints: names.map((name) => ({ name })) });
  assert.equal(set.breakpoints.length, names.length);
  for (const { message = '' } of set.breakpoints) assert.ok(message.length < 500, `long words: ${message.length}`);
  const stop = await go(client, 'continue');
  assert.match(stop.description, /before act: calculator/);
  assert.ok(stop.description.length < 500);
  assert.ok(performance.now() - started < 5000);
});

test('hostile: values that are set: no JSON, no number, very long, half a character', async () => {
  const client = await held();
  const temperature = (value: string) => client.set(value, 'Pending', 'temperature');
  for (const wrong of ['NaN', 'Infinity', '1e999', '-1', '{', '', '[1', '"1"', 'null', '0x1', '1,2', '\ud800'])
    await assert.rejects(temperature(wrong), Error, wrong);
  const content = (value: string) => client.set(value, 'Messages', 'm2', 'content');
  await content('"\\ud800 half"').then(undefined, (error: Error) => assert.match(error.message, /well-formed|surrogate|Refused/));
  await content('\udc00 half').then(undefined, (error: Error) => assert.match(error.message, /well-formed|surrogate|Refused/));
  const long = 'x'.repeat(5_000_000);
  const shown = await content(JSON.stringify(long)).then(({ value }) => value, (error: Error) => error.message);
  assert.ok(shown.length > 0);
  const [row] = (await client.rows('Messages')).slice(1);
  assert.ok((row?.value.length ?? 0) < 200, 'a short preview');
  await content('short');
  await content('"not closed').then(undefined, (error: Error) => assert.match(error.message, /not valid JSON/));
  assert.equal((await go(client, 'continue')).reason, 'end');
  assert.deepEqual(problemsOf(client.session), []);
});

test('hostile: sources of a megabyte, deep ones, odd columns', async () => {
  const client = await held();
  const evaluate = (expression: unknown, context = 'repl') =>
    client.request<{ result: string }>('evaluate', { expression, context }).then(({ result }) => result, (error: Error) => `refused: ${error.message}`);
  const started = performance.now();
  assert.match(await evaluate(`"${'x'.repeat(1_000_000)}"`), /too long/);
  assert.match(await evaluate(`"${'x'.repeat(900_000)}".length`), /^900000$/);
  assert.match(await evaluate('('.repeat(50_000) + ')'.repeat(50_000)), /refused/);
  assert.match(await evaluate('['.repeat(20_000)), /refused/);
  assert.match(await evaluate('a.'.repeat(100_000)), /refused/);
  assert.match(await evaluate('x = '.repeat(50_000)), /refused/);
  assert.match(await evaluate(`${'a='.repeat(1000)}1`), /refused/);
  for (const odd of ['', ' ', '\n', ';', '//', '/*', '"', '`', '\ud800', '\u2028', '#', '@', '{', '}'])
    assert.equal(typeof (await evaluate(odd)), 'string', odd);
  for (const number of ['1', '12.5', '0', '-1']) assert.equal(await evaluate(number, 'hover'), number);
  const complete = (text: string, column: unknown, line?: unknown) =>
    client.request<{ targets: { text?: string }[] }>('completions', { text, column, ...(line === undefined ? {} : { line }) });
  for (const column of [-5, 0, 1, 3, 99, 1e12, 2.5])
    for (const text of ['messages.', 'a "str.', '"😀".', '😀messages.', '', 'x'.repeat(200_000), '"'.repeat(9_000), '('.repeat(9_000), '/'.repeat(9_000)])
      assert.ok(Array.isArray((await complete(text, column)).targets));
  assert.ok((await complete('"😀".', 6)).targets.some(({ text }) => text === 'length'), 'columns count UTF-16 units');
  assert.ok((await complete('1\nmessages.', 10, 2)).targets.some(({ text }) => text === 'filter'));
  assert.deepEqual((await complete('messages.', 10, 99)).targets.length >= 0, true);
  assert.ok(performance.now() - started < 20_000, `${performance.now() - started} ms`);
});

test('hostile: assignments to what has a getter, to the past, to what would be a prototype', async () => {
  const client = await held();
  const set = (expression: string, value = '1') =>
    client.request('setExpression', { expression, value }).then(() => 'taken', (error: Error) => error.message);
  for (const wrong of ['messages.length', 'Math.PI', 'globalThis.round', 'messages[0].__proto__', 'messages.__proto__.x', 'session.__proto__', 'session.constructor', 'request.__proto__', 'session["a/b"]', 'session[""]', 'request["a/b/c"]', 'fresh.messages[0].content', 'messages[-1].content', 'messages["0 "].content', 'round++', '[round]', '{a}', 'messages[0].content = 1, messages[1].content', '']) {
    const said = await set(wrong);
    assert.notEqual(said, '', wrong);
    // A name is a name, also one that objects inherit.
    if (said === 'taken') assert.match(wrong, /^(session|request)/, `${wrong} was taken`);
  }
  assert.deepEqual(problemsOf(client.session), []);
  await go(client, 'stepIn');
  await go(client, 'stepBack');
  assert.match(await set('messages[0].content', '"x"'), /past/);
  assert.match(await set('session.todos', '[]'), /past/);
});

test('hostile: pause while paused, double verbs, verbs in the past, leaving without ending', async () => {
  const client = await held();
  await client.request('pause', { threadId: 1 });
  const verbs = ['continue', 'continue', 'next', 'pause', 'stepBack'].map((verb) =>
    client.request(verb, { threadId: 1 }).then(() => 'ok', (error: Error) => error.message));
  const said = await Promise.all(verbs);
  assert.equal(said[0], 'ok');
  assert.match(said[1] ?? '', /running/);
  const stop = await client.event<Stopped>('stopped');
  assert.ok(['pause', 'end'].includes(stop.reason));
  await go(client, 'stepBack');
  await client.request('pause', { threadId: 1 });
  await go(client, 'next');
  assert.deepEqual(problemsOf(client.session), []);
  await client.request('disconnect', { terminateDebuggee: false, suspendDebuggee: true });
  assert.ok(client.session.state.runs.every(({ ended }) => ended));
});

test('hostile: data breakpoints on what is gone, folded, not there yet, and set in the past', async () => {
  const client = await held([two, two, two, says('done')], { max_history: 4, context: { policy: 'window' } });
  const set = (...ids: readonly unknown[]) =>
    client.request<Verdicts>('setDataBreakpoints', { breakpoints: ids.map((dataId) => ({ dataId, accessType: 'readWrite' })) });
  const id = 's-test';
  const odd = await set('', 'm1', 'message/', 'message//m1', `message/${id}/`, `message/${id}/m99`, `message/${id}/__proto__`, 'state/', 'state/__proto__', 'state/constructor', 'message/other/m1', 'nonsense/x', `message/${id}/m1/content`);
  assert.equal(odd.breakpoints.filter(({ verified }) => verified).length <= 4, true);
  await go(client, 'stepOut');
  await go(client, 'stepOut');
  // m3 has left by now: that it is out is no news; that it comes back and goes again is.
  await set(`message/${id}/m3`);
  assert.match((await go(client, 'stepBack')).description, /past/);
  await set(`message/${id}/m3`, `message/${id}/m6`);
  const stop = await go(client, 'continue');
  assert.ok(stop.description.length > 0);
  await client.request('setDataBreakpoints', { breakpoints: [] });
  while ((await go(client, 'continue')).reason !== 'end');
  assert.deepEqual(problemsOf(client.session), []);
});

test('hostile: what a model wrote is shown with its hidden characters, and comes back as it was when it is edited', async () => {
  const mean = '\u202eabc\u200b\u001b[2J\u009b';
  const client = await held([calls([{ name: 'calculator', arguments: { expression: mean }, id: 'call_a' }], mean), says(mean)]);
  await go(client, 'next');
  const shown: string[] = [];
  const collect = async (...path: string[]) => {
    for (const { name, value, variablesReference } of await client.rows(...path)) {
      shown.push(value);
      if (variablesReference > 0 && path.length < 4) await collect(...path, name);
    }
  };
  for (const scope of ['Pending', 'Messages', 'Context', 'Session']) await collect(scope);
  const evaluated = async (expression: string) =>
    (await client.request<{ result: string }>('evaluate', { expression, context: 'repl' })).result;
  shown.push(await evaluated('reply.content'), await evaluated('reply'), await evaluated('[reply.content]'));
  assert.deepEqual(shown.filter((text) => /[\u202e\u200b\u001b\u009b]/.test(text)), []);
  const [row] = (await client.rows('Pending', 'reply')).filter(({ name }) => name === 'content');
  assert.equal(row?.value, String.raw`"\u202eabc\u200b\u001b[2J\u009b"`);
  await client.set(row?.value.replace('abc', 'xyz') ?? '', 'Pending', 'reply', 'content');
  assert.match(await evaluated(`reply.content === ${JSON.stringify(mean.replace('abc', 'xyz'))}`), /^true$/);
});
