/** The demo model, driven round by round with tools that keep real to-dos. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestBody } from '../../../src/core/body.ts';
import type { ModelReply } from '../../../src/core/ports.ts';
import { createDemoModel } from '../../../src/planner/demoModel.ts';
import { expressionIn } from '../../../src/planner/demo/arithmetic.ts';
import { failed, reply } from './readText.ts';

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}
type Todo = { id: number; content: string; minutes?: number; done: boolean };

const allTools = [
  'calculator',
  'list_todos',
  'add_todo',
  'complete_todo',
  'read_file',
  'list_files',
  'search_text',
];
const options = { signal: new AbortController().signal, onText: () => undefined, firstByteMs: 1, idleMs: 1 };

const ok = (data: unknown) => JSON.stringify({ success: true, data });
const error = (text: string) => JSON.stringify({ success: false, error: text });

/** Tools as the workspace has them; `instead` answers a call in place of its tool. */
function createTools(
  todos: Todo[],
  instead: (name: string, nth: number) => string | undefined = () => undefined,
) {
  const counts = new Map<string, number>();
  const tools: Record<string, (input: Record<string, unknown>) => string> = {
    list_todos: () => ok({ items: todos, open: todos.filter(({ done }) => !done).length, done: 0 }),
    add_todo: ({ content, minutes }) => {
      todos.push({
        id: todos.length + 1,
        content: String(content),
        ...(minutes ? { minutes: Number(minutes) } : {}),
        done: false,
      });
      return ok({ id: todos.length, total: todos.length });
    },
    calculator: ({ expression }) => {
      if (typeof expression !== 'string') return error('expression: a string is required');
      return ok(expression.split('+').reduce((sum, term) => sum + Number(term), 0));
    },
    complete_todo: ({ id }) => ok({ id, open: 1 }),
    read_file: ({ path }) =>
      path === 'notes/today.md'
        ? ok({ path, start: 1, end: 2, total: 2, text: '# Today\nTODO call Ann' })
        : error(`no file ${String(path)}`),
    list_files: () => ok({ path: '', entries: ['notes/', 'README.md'], more: false }),
    search_text: () =>
      ok({ matches: [{ path: 'notes/today.md', line: 2, text: 'TODO call Ann' }], more: false }),
  };
  return (name: string, args: string): string => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    const other = instead(name, nth);
    if (other !== undefined) return other;
    const tool = tools[name];
    try {
      return tool ? tool(JSON.parse(args) as Record<string, unknown>) : error(`no tool named ${name}`);
    } catch {
      return error('arguments are not JSON');
    }
  };
}

const day = (): Todo[] => [
  { id: 1, content: 'write report', minutes: 45, done: false },
  { id: 2, content: 'water plants', done: true },
  { id: 3, content: 'call Ann', minutes: 15, done: false },
];

async function ask(messages: readonly Message[], tools: readonly string[] = allTools): Promise<ModelReply> {
  const list = tools.map((name) => ({ type: 'function', function: { name } }));
  return reply(
    await createDemoModel().send(
      requestBody(JSON.stringify({ model: 'demo', messages, tools: list })),
      options,
    ),
  );
}

interface Outcome {
  /** `name arguments` of every call, by round. */
  readonly rounds: readonly (readonly string[])[];
  readonly answer: string;
  readonly messages: readonly Message[];
}

/** Runs a goal to its answer, at most `limit` rounds. `edit` may change a reply before it is executed. */
async function run(
  goal: string,
  perform = createTools(day()),
  {
    tools = allTools,
    limit = 8,
    edit = (message: string) => message,
    before = [] as readonly Message[],
  } = {},
): Promise<Outcome> {
  const messages: Message[] = [...before, { role: 'user', content: goal }];
  const rounds: string[][] = [];
  for (let round = 0; round < limit; round++) {
    const { message, finish } = await ask(messages, tools);
    const edited = JSON.parse(edit(JSON.stringify(message))) as typeof message;
    messages.push(edited);
    const calls = edited.tool_calls ?? [];
    if (calls.length === 0) {
      assert.equal(finish, 'stop');
      return { rounds, answer: edited.content as string, messages };
    }
    assert.equal(finish, 'tool_calls');
    rounds.push(calls.map(({ function: called }) => `${called.name} ${called.arguments}`));
    for (const { id, function: called } of calls) {
      messages.push({ role: 'tool', tool_call_id: id, content: perform(called.name, called.arguments) });
    }
  }
  return { rounds, answer: '', messages };
}

test('plan my day: list, two calls in one reply, list again, and an answer made of the results', async () => {
  const { rounds, answer } = await run('I am busy, plan the rest of my day');
  assert.deepEqual(rounds, [
    ['list_todos {}'],
    ['add_todo {"content":"reply to mail","minutes":20}', 'calculator {"expression":"45+15+20"}'],
    ['list_todos {}'],
  ]);
  assert.equal(
    answer,
    [
      'The rest of your day, 3 open to-dos:',
      '1. write report (45 min)',
      '2. call Ann (15 min)',
      '3. reply to mail (20 min)',
      'Added: reply to mail.',
      'Together 80 minutes (45+15+20).',
    ].join('\n'),
  );
});

test('the same in Chinese', async () => {
  const { rounds, answer } = await run('我很忙，帮我安排今天剩下的时间');
  assert.deepEqual(rounds[1], [
    'add_todo {"content":"回复邮件","minutes":20}',
    'calculator {"expression":"45+15+20"}',
  ]);
  assert.match(
    answer,
    /^今天剩下的安排，共 3 项未完成：[^]*已添加：回复邮件。\n合计 80 分钟（45\+15\+20）。$/,
  );
});

test('an argument that was edited changes the answer', async () => {
  const edit = (message: string) =>
    message.replace('45+15+20', '45+15+30').replace('\\"minutes\\":20', '\\"minutes\\":25');
  const { answer } = await run('plan my day', createTools(day()), { edit });
  assert.match(answer, /3\. reply to mail \(25 min\)/);
  assert.match(answer, /Together 90 minutes \(45\+15\+30\)\. The list itself comes to 85\./);
});

test('what was rejected, skipped or failed is said and not claimed', async () => {
  const rejected = createTools(day(), (name) =>
    name === 'add_todo' ? error('rejected by the user: not today') : undefined,
  );
  const first = (await run('plan my day', rejected)).answer;
  assert.match(first, /2 open to-dos/);
  assert.match(first, /Not added: reply to mail\. add_todo did not work: rejected by the user: not today/);
  assert.ok(!first.includes('Added'));

  const noSum = createTools(day(), (name) =>
    name === 'calculator' ? error('skipped by the user') : undefined,
  );
  assert.match(
    (await run('plan my day', noSum)).answer,
    /There is no total: calculator did not work: skipped by the user/,
  );

  const noList = createTools(day(), (name) =>
    name === 'list_todos' ? error('skipped by the user') : undefined,
  );
  assert.deepEqual(await run('plan my day', noList).then(({ rounds, answer }) => [rounds.length, answer]), [
    1,
    'list_todos did not work: skipped by the user',
  ]);

  const lost = createTools(day(), (name, nth) =>
    name === 'list_todos' && nth === 2 ? error('disk') : undefined,
  );
  assert.match((await run('plan my day', lost)).answer, /2 open to-dos[^]*list_todos did not work: disk/);
});

test('only tools of the request are called', async () => {
  const without = await run('plan my day', createTools(day()), { tools: ['list_todos', 'calculator'] });
  assert.deepEqual(without.rounds, [['list_todos {}'], ['calculator {"expression":"45+15"}']]);
  assert.match(
    (await run('What is 1+1?', createTools([]), { tools: [] })).answer,
    /need the tool calculator/,
  );
});

test('one call, then the result: the whole table of requests', async () => {
  const table: readonly (readonly [string, string, RegExp])[] = [
    ['What is 45 + 20?', 'calculator {"expression":"45 + 20"}', /^45 \+ 20 = 65$/],
    ['算一下 45+20', 'calculator {"expression":"45+20"}', /^45\+20 = 65$/],
    ['What is left for today?', 'list_todos {}', /^2 to-dos open:\n1\. write report \(45 min\)/],
    ['还剩什么？', 'list_todos {}', /^还有 2 项：\n1\. write report（45 分钟）/],
    [
      'Add a to-do: buy milk, 10 minutes',
      'add_todo {"content":"buy milk","minutes":10}',
      /^Added “buy milk”\. Total: 4\.$/,
    ],
    ['添加待办：买牛奶', 'add_todo {"content":"买牛奶"}', /^已添加“买牛奶”，共 4 项。$/],
    ['Complete to-do 2', 'complete_todo {"id":2}', /^To-do 2 is done/],
    ['完成待办 2', 'complete_todo {"id":2}', /^第 2 项已完成/],
    [
      'read notes/today.md',
      'read_file {"path":"notes/today.md"}',
      /^notes\/today\.md, lines 1–2 of 2:\n# Today\nTODO call Ann$/,
    ],
    ['读一下notes/today.md', 'read_file {"path":"notes/today.md"}', /^notes\/today\.md，第 1–2 行/],
    [
      'Read "my notes.md" lines 3 to 7',
      'read_file {"path":"my notes.md","start":3,"end":7}',
      /^read_file did not work: no file my notes\.md$/,
    ],
    [
      'search for TODO',
      'search_text {"query":"TODO"}',
      /^“TODO”, 1 match:\nnotes\/today\.md:2: TODO call Ann$/,
    ],
    ['Find "fix me" in *.md', 'search_text {"query":"fix me","glob":"*.md"}', /notes\/today/],
    ['查找 TODO', 'search_text {"query":"TODO"}', /^“TODO”，1 处：/],
    ['List the files in notes', 'list_files {"path":"notes"}', /^2 entries:\nnotes\/\nREADME\.md$/],
    ['列出文件', 'list_files {}', /^2 项：/],
  ];
  for (const [goal, call, expected] of table) {
    const { rounds, answer } = await run(goal);
    assert.deepEqual(rounds, [[call]], goal);
    assert.match(answer, expected, goal);
  }
});

test('expressions in words, other signs, and what is none', () => {
  assert.equal(expressionIn('What is 12 times (3 plus 4)?'), '12 * (3 + 4)');
  assert.equal(expressionIn('计算 12×（3＋4）÷2'), '12*(3+4)/2');
  assert.equal(expressionIn('12 除以 4'), '12 / 4');
  assert.equal(expressionIn('1,200 - 5'), '1200 - 5');
  assert.equal(expressionIn('see 2026-05-01'), undefined);
  assert.equal(expressionIn('I have 3 cats'), undefined);
});

test('a bad argument: it reads the error and corrects itself', async () => {
  const wrongKey = await run('make a bad argument');
  assert.deepEqual(wrongKey.rounds, [['calculator {"expr":"45+20"}'], ['calculator {"expression":"45+20"}']]);
  assert.match(
    wrongKey.answer,
    /^The first call failed\. calculator did not work: expression[^]*With the right argument: 45\+20 = 65\.$/,
  );
  const malformed = await run('犯一个参数错误，JSON 不完整');
  assert.deepEqual(malformed.rounds[0], ['calculator {"expr": "45+20"']);
  assert.match(malformed.answer, /改正参数之后：45\+20 = 65。/);
});

test('a bad argument that was repaired at a pause works at once', async () => {
  const { rounds, answer } = await run('make a bad argument', createTools([]), {
    edit: (text) => text.replace('\\"expr\\"', '\\"expression\\"'),
  });
  assert.equal(rounds.length, 1);
  assert.equal(answer, '45+20 = 65.');
});

test('a failing tool: reported honestly, or claimed as a success when asked to lie', async () => {
  for (const [goal, expected] of [
    ['use a failing tool', /^read_file did not work: no file notes\/does-not-exist\.md$/],
    ['use a failing tool and claim success', /^Done: I read/],
    ['调用会失败的工具', /^read_file 没有成功/],
    ['调用会失败的工具，并谎称成功', /^完成了/],
  ] as const) {
    const { rounds, answer } = await run(goal);
    assert.deepEqual(rounds, [['read_file {"path":"notes/does-not-exist.md"}']]);
    assert.match(answer, expected);
  }
});

test('it repeats itself until somebody stops it, with an id of its own for each call', async () => {
  for (const goal of ['repeat yourself', '一直重复']) {
    const { rounds, messages } = await run(goal, createTools(day()), { limit: 6 });
    assert.deepEqual(rounds, Array<string[]>(6).fill(['list_todos {}']));
    const ids = messages.flatMap(({ tool_call_id }) =>
      typeof tool_call_id === 'string' ? [tool_call_id] : [],
    );
    assert.deepEqual(ids, ['call_1', 'call_2', 'call_3', 'call_4', 'call_5', 'call_6']);
  }
});

test('a tool that was not given', async () => {
  const { rounds, answer } = await run('call an unknown tool');
  assert.equal(rounds[0]?.[0]?.split(' ')[0], 'send_email');
  assert.match(answer, /^send_email did not work: no tool named send_email\nI sent nothing\.$/);
  assert.equal((await run('调用不存在的工具')).rounds.length, 1);
});

test('anything else: what this is and how to get a real model, in the language of the goal', async () => {
  assert.match((await run('hello')).answer, /offline demo model[^]*model_name and api_base/);
  assert.match((await run('你好')).answer, /离线演示模型[^]*model_name/);
});

test('a further goal of the same session looks only at what was done for it', async () => {
  const tools = createTools(day());
  const first = await run('plan my day', tools);
  const second = await run('what is left for today?', tools, { before: first.messages });
  assert.deepEqual(second.rounds, [['list_todos {}']]);
  const ids = second.messages.flatMap(({ tool_call_id }) =>
    typeof tool_call_id === 'string' ? [tool_call_id] : [],
  );
  assert.equal(new Set(ids).size, ids.length);
});

test('results that were shortened or mocked are read as far as they go', async () => {
  const cut = createTools(
    [],
    () => '{"success":true,"data":{"path":"a.md","text":"# Title\\nmore… [5 of 9 characters left out] …',
  );
  assert.equal(
    (await run('read a.md', cut)).answer,
    'The file is long; I got a part of it:\n# Title\nmore… [5 of 9 characters left out] …',
  );
  assert.match((await run('list the files', cut)).answer, /was shortened\. It begins: \{"success"/);
  const mocked = createTools([], () => ok('as you like'));
  assert.match((await run('plan my day', mocked)).answer, /gave something unexpected: "as you like"/);
});

test('text comes in a few pieces that add up; usage is unknown', async () => {
  const said: string[] = [];
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] });
  const outcome = reply(
    await createDemoModel().send(requestBody(body), { ...options, onText: (delta) => said.push(delta) }),
  );
  assert.ok(said.length > 1 && said.length < 10);
  assert.equal(said.join(''), outcome.message.content);
  assert.equal(outcome.usage, null);
});

test('cancelled before and in the middle: the partial text is kept', async () => {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] });
  const abort = new AbortController();
  const said: string[] = [];
  const cut = failed(
    await createDemoModel().send(requestBody(body), {
      ...options,
      signal: abort.signal,
      onText: (delta) => (said.push(delta), abort.abort()),
    }),
  );
  assert.deepEqual([cut.class, cut.partial], ['cancelled', said[0]]);
  const none = failed(await createDemoModel().send(requestBody(body), { ...options, signal: abort.signal }));
  assert.deepEqual([none.class, none.partial], ['cancelled', undefined]);
});

test('no body and no result makes it fall over', async () => {
  assert.equal(failed(await createDemoModel().send(requestBody('not json'), options)).class, 'bad-request');
  const goals = [
    'plan my day',
    'what is left',
    'read a.md',
    'list the files',
    'search for x',
    '1+1',
    'bad argument',
    'failing tool',
    'unknown tool',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...goals),
      fc.array(
        fc.oneof(
          fc.jsonValue().map(ok),
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
      ),
      async (goal, results) => {
        const left = [...results];
        await run(goal, () => left.shift() ?? ok(null), { limit: 5 });
      },
    ),
    { seed: 3, numRuns: 300 },
  );
});

test('a transcript is summed up, and context that was added is not taken for the goal', async () => {
  const ask = async (messages: readonly Message[]) => {
    const outcome = await createDemoModel().send(requestBody(JSON.stringify({ messages })), options);
    assert.ok(outcome.ok);
    return outcome.message.content;
  };
  const transcript =
    'user: What is 45 + 20?\nassistant called calculator with {}\nresult of calculator: 65\nassistant: It is 65.';
  assert.equal(
    await ask([{ role: 'user', content: transcript }]),
    'The user asked: What is 45 + 20?. Calls so far: calculator with {}. The agent said: It is 65.',
  );
  const goal = { role: 'user', content: 'What is 1 + 1?' };
  const added = { role: 'user', content: '[Retrieved context]\nList the files' };
  assert.equal(await ask([goal, added]), await ask([goal]));
});
