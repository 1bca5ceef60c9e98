/** The Debug Console and Watch: assignments that are edits, completions, hovers; hostile input through every door. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, type ModelStep, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

const two = calls([
  { name: 'calculator', arguments: { expression: '45+20' }, id: 'call_a' },
  { name: 'add_todo', arguments: { content: 'reply to mail', minutes: 20 }, id: 'call_b' },
]);
const todos = [{ content: 'weekly report', minutes: 45 }];

async function clientFor(steps: readonly ModelStep[]) {
  const model = createScriptedModel(steps);
  const client = createDapClient(await createTestAgent(model, { todos }));
  await client.start();
  await client.event('stopped');
  const evaluate = (expression: string, context = 'repl') =>
    client.request<DebugProtocol.EvaluateResponse['body']>('evaluate', { expression, context, frameId: 1 });
  const seen: string[] = [];
  return {
    client,
    model,
    evaluate,
    seen,
    /** An input and its answer, for the transcript. */
    ask: async (expression: string, context = 'repl') => {
      const answer = await evaluate(expression, context).then(({ result }) => result, refused);
      seen.push(`${context === 'repl' ? '' : `${context}: `}${expression}\n  ${answer}`);
    },
    set: async (expression: string, value: string) => {
      const answer = await client
        .request<{ value: string }>('setExpression', { expression, value, frameId: 1 })
        .then((body) => body.value, refused);
      seen.push(`set ${expression} to ${value}\n  ${answer}`);
    },
    next: async (verb = 'next') => {
      await client.request(verb, { threadId: 1 });
      const stop = await client.event<{ description: string }>('stopped');
      seen.push('', `== ${stop.description}`);
    },
    edits: () =>
      client.session.journal.events.flatMap((event) =>
        event.type === 'edited' && event.by === 'user' ? [`${event.scope} ${event.target}`] : [],
      ),
    labels: async (text: string, column = text.length + 1, line = 1) => {
      const { targets } = await client.request<DebugProtocol.CompletionsResponse['body']>('completions', { text, column, line, frameId: 1 });
      return targets;
    },
  };
}

const refused = (error: Error) => `refused: ${error.message}`;

test('dap: an assignment in the Debug Console is the edit of what it names, or is refused with the reason', async () => {
  const { client, model, ask, set, next, seen, edits } = await clientFor([two, says('done')]);
  seen.push('== plan');
  await ask('messages[1].content = "Add 45 and 30, then a to-do."');
  await ask('messages.at(-1).content += " Be brief."');
  await ask('messages.find((m) => m.role === "system").content');
  await ask('packed[0].content = "Only now."');
  await ask('request.temperature = 0;');
  await ask('request.temperature = "hot"');
  await ask('session.todos = []');
  await ask('session.todos[0] = 1');
  await ask('session.plan = { steps: ["add"] }');
  await ask('messages[1].role = "system"');
  await ask('messages[1] = 5');
  await ask('messages[9].content = ""');
  await ask('messages = []');
  await ask('messages[0].id = "m9"');
  await ask('messages[0].content = () => 1');
  await ask('messages.length = 0');
  await ask('messages.push({})');
  await ask('delete messages[0].content');
  await ask('round = 7');
  await ask('usage.prompt = 7');
  await ask('nothing = 7');
  await ask('reply.content = "early"');
  await ask('call.arguments = {}');
  await ask('messages[0].content = messages[1].content = "both"');
  await ask('messages[0].content = "x"', 'watch');
  await ask('messages[0].content = "x"', 'hover');
  await set('messages[0].content', '"You are terse."');
  await set('messages[0].content', 'messages[0].content.toUpperCase()');
  await set('messages[0].content', 'not a value');
  await set('messages[0].content', '"a"; round');
  await set('messages.length', '0');
  await set('1 + 1', '3');
  await set('session["todos"]', '[{ "content": "nap", "minutes": 5 }]');
  await next();
  await ask('call.arguments = { expression: "45+30" }');
  await ask('call.arguments.expression = "45+31"');
  await ask('call.arguments.precision = 2');
  await ask('call.arguments = 5');
  await ask('call.name = "add_todo"');
  await ask('fresh.calls[1].arguments.minutes = 10');
  await ask('reply.tool_calls[1].function.arguments = { content: "reply", minutes: 15 }');
  await ask('request.temperature = 1');
  await set('reply.tool_calls[0].function.arguments', '{ "expression": "45+32" }');
  await next();
  await ask('result.content = "{}"');
  await ask('fresh.results[0].content = JSON.stringify({ success: true, data: 78 })');
  await ask('call');
  await next();
  await next();
  await next();
  await ask('messages.at(-1).content = "All done."');
  await ask('> And now?');
  assertGolden('dap-assignments', [...seen, '', 'edits:', ...edits()].join('\n'));
  assert.equal((JSON.parse(model.bodies[0] ?? '') as { temperature: number }).temperature, 0);
  assert.deepEqual(problemsOf(client.session), []);
});

test('dap: an assignment in the past is refused, reading is not', async () => {
  const { client, ask, next, seen } = await clientFor([two, says('done')]);
  await next();
  await client.request('stepBack', { threadId: 1 });
  await client.event('stopped');
  seen.length = 0;
  await ask('phase');
  await ask('messages[0].content = "x"');
  assert.match(seen.join('\n'), /"reply"[^]*refused: You are looking at the past/);
});

test('dap: results expand, and say how to get at what is inside', async () => {
  const { evaluate, client } = await clientFor([says('done')]);
  const { variablesReference, indexedVariables } = await evaluate('messages.map((m) => ({ ...m, "odd key": new Map([[1, { a: 2 }]]) }))');
  assert.equal(indexedVariables, 2);
  const children = async (reference: number) =>
    (await client.request<{ variables: DebugProtocol.Variable[] }>('variables', { variablesReference: reference })).variables;
  const [first] = await children(variablesReference);
  const rows = await children(first?.variablesReference ?? 0);
  const map = rows.find(({ name }) => name === 'odd key');
  assert.equal(map?.evaluateName, '(messages.map((m) => ({ ...m, "odd key": new Map([[1, { a: 2 }]]) })))[0]["odd key"]');
  assert.equal((await evaluate(map?.evaluateName ?? '', 'watch')).result, map?.value);
  const [entry] = await children(map?.variablesReference ?? 0);
  assert.equal(entry?.evaluateName, undefined);
  const { variablesReference: list } = await evaluate('messages');
  assert.deepEqual((await children(list)).map(({ evaluateName }) => evaluateName), ['messages[0]', 'messages[1]']);
});

test('dap: completions at any cursor: members, methods, names of the scope, tools within quotes', async () => {
  const { labels, next } = await clientFor([two, says('done')]);
  await next();
  const names = async (...args: Parameters<typeof labels>) => (await labels(...args)).map(({ label }) => label);
  const has = async (text: string, expected: readonly string[], column?: number, line?: number) => {
    const found = await names(text, column, line);
    for (const one of expected) assert.ok(found.includes(one), `${text}: ${one} is not among ${found.join()}`);
  };
  await has('', ['messages', 'call', 'fresh', 'request']);
  await has('mess', ['messages']);
  await has('Mat', ['Math']);
  await has('messages.', ['filter', 'at', 'length']);
  await has('messages.fi', ['filter', 'find', 'findLast']);
  await has('messages[0].', ['role', 'content', 'id']);
  await has('messages.at(-1).', ['role', 'content']);
  await has('messages.filter((m) => m.role === "user")[0].con', ['content']);
  await has('messages.filter((m) => m.', ['role', 'content']);
  await has('messages.some(m => m.content.', ['includes', 'length']);
  await has('messages[0]?.', ['role']);
  await has('call.', ['key', 'name', 'arguments']);
  await has('call.arguments.', ['expression']);
  await has('round > 1 && call.na', ['name']);
  await has('log(`${call.', ['name']);
  await has('log(call.', ['name']);
  await has('"text".to', ['toUpperCase']);
  await has('[1, 2].', ['map']);
  await has('request.', ['temperature', 'model']);
  await has('session.', ['todos']);
  await has('call.name === "', ['calculator', 'add_todo']);
  await has("call.name === 'cal", ['calculator']);
  await has('[`add', ['add_todo']);
  await has('call. && round', ['name'], 6);
  await has('const c = call;\ncall.', ['arguments'], 6, 2);
  for (const nothing of ['> hello me', '>> ', '1.', '12.5.', 'call.name // mess', '/* mess', 'nobody.', 'null.', '(() => { for (;;) {} })().', '.', '"done".length.toFixed.nope.'])
    assert.deepEqual(await names(nothing), [], nothing);
  assert.deepEqual(await names('/[.]"/.test("x") && call.na'), ['name']);
  assert.deepEqual((await labels('call.na')).map(({ text, length }) => [text, length]), [['name', 2]]);
});

test('dap: completions of hostile names are text, and typed in brackets', async () => {
  const { labels } = await clientFor([says('done')]);
  const object = '({ "a b": 1, "\\u001b[2J": 2, "</script>": 3, "\\u202e": 4, "x\\ny": 5, "__proto__": 6, "ok": 7 })';
  const targets = await labels(`${object}.`);
  const own = targets.filter(({ sortText }) => sortText?.startsWith('0 '));
  assert.deepEqual(own.map(({ text, length }) => [text, length]), [
    ['["a b"]', 1], ['["\\u001b[2J"]', 1], ['["</script>"]', 1], ['["\u202e"]', 1], ['["x\\ny"]', 1], ['ok', 0],
  ]);
  for (const { label } of targets) assert.doesNotMatch(label, /[\u0000-\u001f\u202a-\u202e]/u);
  const many = await labels('Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["k" + i, 1])).');
  assert.ok(many.length <= 1000);
});

test('dap: hovers show values, and print nothing', async () => {
  const { client, evaluate } = await clientFor([says('done')]);
  assert.equal((await evaluate('messages.length', 'hover')).result, '2');
  await assert.rejects(evaluate('steps', 'hover'), /not defined/);
  await evaluate('log("seen")', 'hover');
  assert.ok(!client.transcript.some((line) => line.includes('seen')));
});

/** None of them may hold up, change or leave the sandbox. */
const hostile: readonly (readonly [expression: string, why: RegExp])[] = [
  ['(() => { for (;;) {} })()', /took longer than 250 ms/],
  ['(() => { for (;;) "x".repeat(1e7) + 1 })()', /took longer than 250 ms/],
  ['/^(a+)+$/.test("a".repeat(40) + "b")', /took longer than 250 ms|memory/],
  ['new ArrayBuffer(1e9)', /more than 64 MB|RangeError/],
  ['"x".repeat(1e9)', /more than 64 MB|RangeError|InternalError/],
  ['(function f() { return f() + 1 })()', /called itself too deeply/],
  ['[].constructor.constructor("return process")()', /not defined/],
  ['({}).__proto__.polluted = 1', /can not be set|not extensible|read-only|only read/],
  ['import("node:fs")', /./],
];

test('dap: endless loops, memory bombs, regular expressions that blow up and ways out: refused through every door', async () => {
  const { client, evaluate, labels, set, seen } = await clientFor([two, two, says('done')]);
  const works = async (after: string) => assert.equal((await evaluate('messages.length + typeof polluted')).result, '"2undefined"', after);
  for (const [expression, why] of hostile) {
    for (const context of ['repl', 'watch', 'hover'])
      if (!expression.startsWith('import')) await assert.rejects(evaluate(expression, context), why, `${context}: ${expression}`);
    await labels(`${expression}.`);
    await set('messages[0].content', expression);
    await set(expression, '1');
    await works(expression);
  }
  assert.deepEqual(seen.filter((line) => !line.includes('refused')), []);
  await client.request('setExceptionBreakpoints', {
    filters: [],
    filterOptions: hostile.map(([condition]) => ({ filterId: 'plan', condition })),
  });
  const breakpoints = hostile.map(([condition]) => ({ line: 17, condition })).concat(
    hostile.map(([expression]) => ({ line: 17, condition: '', logMessage: `{${expression}}` })),
  );
  await client.request('setBreakpoints', { source: { path: '/loop.ts' }, breakpoints });
  await client.request('setFunctionBreakpoints', {
    breakpoints: hostile.map(([condition], index) => ({ name: index % 2 ? '*' : 'calculator', condition })),
  });
  await client.request('continue', { threadId: 1 });
  const stop = await client.event<{ reason: string }>('stopped');
  // `import()` gives a promise, which is truthy: it is the one that stops, without an import.
  assert.ok(['breakpoint', 'end'].includes(stop.reason));
  await client.request('setFunctionBreakpoints', { breakpoints: [] });
  await client.request('setBreakpoints', { source: { path: '/loop.ts' }, breakpoints: [] });
  assert.equal((await evaluate('typeof polluted')).result, '"undefined"');
});
