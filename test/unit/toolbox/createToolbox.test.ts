import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { createToolbox } from '../../../src/toolbox/createToolbox.ts';
import { defineTool } from '../../../src/toolbox/defineTool.ts';
import type { Tool } from '../../../src/toolbox/tool.ts';
import { ToolError } from '../../../src/toolbox/toolError.ts';
import type { ToolContext } from '../../../src/core/ports.ts';
import { memoryState, toolContext } from './toolContext.ts';

function tool(name: string, run: (input: unknown, context: ToolContext) => unknown, timeout?: number): Tool {
  const input = z.looseObject({});
  return defineTool({
    name,
    description: name,
    effects: 'none',
    input,
    run,
    ...(timeout === undefined ? {} : { timeout }),
  });
}

/** Fails the test when a rejection of an abandoned run gets loose. */
function watchRejections(t: TestContext): void {
  const loose: unknown[] = [];
  const listener = (reason: unknown): void => void loose.push(reason);
  process.on('unhandledRejection', listener);
  t.after(async () => {
    await setImmediate();
    process.off('unhandledRejection', listener);
    assert.deepEqual(loose, []);
  });
}

const never = new Promise<never>(() => {});

test('each way for a tool to end is one answer with its outcome', async (t) => {
  watchRejections(t);
  const endings: [string, () => unknown, string, unknown][] = [
    ['returns', () => 7, 'ok', { success: true, data: 7 }],
    ['resolves', async () => ({ a: 1 }), 'ok', { success: true, data: { a: 1 } }],
    ['nothing', () => undefined, 'ok', { success: true, data: null }],
    [
      'throws',
      () => {
        throw new ToolError('no such city');
      },
      'error',
      { success: false, error: 'no such city' },
    ],
    [
      'crashes',
      () => {
        throw new TypeError('x is not a function');
      },
      'error',
      { success: false, error: 'TypeError: x is not a function' },
    ],
    [
      'rejects',
      async () => {
        throw new Error('late');
      },
      'error',
      { success: false, error: 'Error: late' },
    ],
    [
      'throws-undefined',
      () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what hostile tools do
        throw undefined;
      },
      'error',
      { success: false, error: 'failed without saying why' },
    ],
    [
      'thenable',
      () => ({
        then: () => {
          throw new Error('in then');
        },
      }),
      'error',
      { success: false, error: 'Error: in then' },
    ],
    [
      'hangs',
      () => never,
      'timeout',
      { success: false, error: 'timed out after 0.005 s while running, effects unknown' },
    ],
  ];
  for (const [name, run, outcome, observation] of endings) {
    const box = createToolbox([tool(name, run)]);
    const performed = await box.perform(
      { name, arguments: '{}' },
      toolContext({ timeoutMs: name === 'hangs' ? 5 : 10_000 }),
    );
    assert.equal(performed.outcome, outcome, name);
    assert.deepEqual(performed.observation, observation, name);
    assert.ok(performed.ms >= 0);
  }
});

test('an error whose message cannot be read is still an answer', async () => {
  const hostile = new Error('x');
  Object.defineProperty(hostile, 'message', {
    get: () => {
      throw new Error('no');
    },
  });
  const box = createToolbox([
    tool('t', () => {
      throw hostile;
    }),
  ]);
  const { outcome, observation } = await box.perform({ name: 't', arguments: '' }, toolContext());
  assert.equal(outcome, 'error');
  assert.ok(!observation.success && observation.error !== '');
});

test('what JSON cannot carry comes back as words, and is a copy', async () => {
  const value: Record<string, unknown> = { big: 10n, nan: NaN, lone: 'x\ud800' };
  value['self'] = value;
  const { observation } = await createToolbox([tool('t', () => value)]).perform(
    { name: 't', arguments: '{}' },
    toolContext(),
  );
  value['big'] = 'changed later';
  assert.deepEqual(observation, {
    success: true,
    data: { big: '10', nan: 'NaN', lone: 'x\ufffd', self: '[circular]' },
  });
});

test('abort before and during a run', async (t) => {
  watchRejections(t);
  const controller = new AbortController();
  let started = 0;
  const box = createToolbox([
    tool('t', async (_input, { signal }) => {
      started++;
      queueMicrotask(() => controller.abort());
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    }),
  ]);
  const during = await box.perform(
    { name: 't', arguments: '{}' },
    toolContext({ signal: controller.signal }),
  );
  assert.equal(during.outcome, 'cancelled');
  assert.deepEqual(during.observation, { success: false, error: 'cancelled while running, effects unknown' });
  const before = await box.perform(
    { name: 't', arguments: '{}' },
    toolContext({ signal: controller.signal }),
  );
  assert.equal(before.outcome, 'cancelled');
  assert.deepEqual(before.observation, { success: false, error: 'cancelled before start' });
  assert.equal(started, 1);
});

test('an abandoned run: its signal aborts, its late rejection is swallowed, its late writes are refused', async (t) => {
  watchRejections(t);
  const state = memoryState();
  let late: Promise<unknown> = never;
  let reason: unknown;
  const box = createToolbox([
    tool('t', (_input, context) => {
      late = new Promise<void>((resolve) => {
        context.signal.addEventListener('abort', () => {
          reason = context.signal.reason;
          resolve();
        });
      }).then(() => context.state.set('todos', ['late']));
      return late;
    }),
  ]);
  const { outcome } = await box.perform({ name: 't', arguments: '{}' }, toolContext({ timeoutMs: 5, state }));
  assert.equal(outcome, 'timeout');
  await assert.rejects(late, /this call has ended/);
  assert.equal((reason as Error).name, 'TimeoutError');
  assert.deepEqual(state.sets, []);
});

test("a tool's own limit, in seconds, goes before the agent's; a limit beyond any timer is no limit", async () => {
  const box = createToolbox([
    tool('own', () => never, 0.005),
    tool('quick', async () => setImmediate('done')),
  ]);
  const own = await box.perform({ name: 'own', arguments: '{}' }, toolContext({ timeoutMs: 1e9 }));
  assert.equal(own.outcome, 'timeout');
  for (const timeoutMs of [2 ** 31, Infinity]) {
    const quick = await box.perform({ name: 'quick', arguments: '{}' }, toolContext({ timeoutMs }));
    assert.equal(quick.outcome, 'ok');
  }
});

test('calls side by side: n calls, n answers, whatever their siblings do', async (t) => {
  watchRejections(t);
  const box = createToolbox([
    tool('ok', () => 1),
    tool('throws', () => {
      throw new Error('x');
    }),
    tool('rejects', async () => {
      throw new Error('y');
    }),
    tool('hangs', () => never),
  ]);
  const names = ['ok', 'throws', 'rejects', 'hangs', 'missing'];
  for (let shift = 0; shift < names.length; shift++) {
    const order = [...names.slice(shift), ...names.slice(0, shift)];
    const all = await Promise.all(
      order.map((name) => box.perform({ name, arguments: '{}' }, toolContext({ timeoutMs: 5 }))),
    );
    const expected = {
      ok: 'ok',
      throws: 'error',
      rejects: 'error',
      hangs: 'timeout',
      missing: 'unknown',
    } as Record<string, string>;
    assert.deepEqual(
      all.map(({ outcome }) => outcome),
      order.map((name) => expected[name]),
    );
  }
});

const malformed = [
  ['{"cmd": "rm -rf build', 'a string is not closed at line 1, column 22 (offset 21, the end of the text)'],
  ['{"a":1}{"b":2}', 'there is more text after the value at line 1, column 8 (offset 7)'],
  ['{"min":,"max":3}', 'a value is missing at line 1, column 8 (offset 7)'],
  ['[1,2]', 'not an array'],
  ['"text"', 'not a string'],
  ['null', 'not null'],
  ['17', 'not a number'],
  [
    '{"cmd": "a\nb"}',
    'a raw control character in a string (write \\n, \\t) at line 1, column 11 (offset 10)',
  ],
  ['{\r\n "a": tru}', 'at line 2, column 7 (offset 9)'],
  ['{"a":1,}', 'a property name in double quotes is missing'],
  ["{'a':1}", 'something that is not JSON at line 1, column 2 (offset 1)'],
  ['[', 'a closing ] is missing'],
  ['['.repeat(100_000), 'they are not valid JSON'],
] as const;

test('malformed arguments are never executed: the error quotes them, the place and the schema', async () => {
  let executions = 0;
  const input = z.object({ cmd: z.string(), times: z.int().optional() });
  const box = createToolbox([
    defineTool({ name: 'run', description: '', effects: 'outside', input, run: () => executions++ }),
  ]);
  for (const [text, words] of malformed) {
    const performed = await box.perform({ name: 'run', arguments: text }, toolContext());
    assert.equal(performed.outcome, 'invalid', text);
    assert.ok(!performed.observation.success);
    const { error } = performed.observation;
    assert.ok(error.includes(words), error);
    assert.ok(error.includes(text.slice(0, 100)), error);
    assert.ok(error.includes('Expected: {cmd: string, times?: integer}'), error);
    assert.ok(error.length < 1000);
    assert.deepEqual(box.problem({ name: 'run', arguments: text }), performed);
  }
  assert.equal(executions, 0);
});

test('arguments that do not fit the schema are named one by one', () => {
  const input = z.strictObject({ path: z.string(), start: z.int().min(1).optional() });
  const box = createToolbox([
    defineTool({ name: 't', description: '', effects: 'none', input, run: () => 0 }),
  ]);
  const problem = box.problem({ name: 't', arguments: '{"path":5,"start":0,"x":1}' });
  assert.equal(problem?.outcome, 'invalid');
  assert.match(JSON.stringify(problem?.observation), /path: .*string.*start: .*x.*Nothing was executed/);
  assert.equal(box.problem({ name: 't', arguments: '{"path":"a"}' }), undefined);
});

test('blank arguments are {}; half characters in arguments do not get through', async () => {
  const seen: unknown[] = [];
  const box = createToolbox([tool('t', (input) => void seen.push(input))]);
  for (const text of ['', ' \n', '{"a":"\\ud99c"}', '{"a":"\ud99c"}']) {
    await box.perform({ name: 't', arguments: text }, toolContext());
  }
  assert.deepEqual(seen, [{}, {}, { a: '\ufffd' }, { a: '\ufffd' }]);
});

test('an unknown tool: the nearest names and all there are, also for names of Object.prototype', () => {
  const box = createToolbox([tool('calculator', () => 0), tool('read_file', () => 0)]);
  const error = (name: string): string => {
    const problem = box.problem({ name, arguments: '{"broken' });
    assert.equal(problem?.outcome, 'unknown');
    return problem.observation.success ? '' : problem.observation.error;
  };
  assert.equal(
    error('Calculater'),
    'There is no tool "Calculater". Did you mean calculator? There are: calculator, read_file.',
  );
  assert.match(error('functions.read_file'), /Did you mean read_file\?/);
  assert.equal(error('zzz'), 'There is no tool "zzz". There are: calculator, read_file.');
  for (const name of ['constructor', '__proto__', 'toString', ''])
    assert.match(error(name), /There is no tool/);
  assert.ok(error('x\ud800'.repeat(10_000)).length < 400);
  assert.ok(error('x\ud800').isWellFormed());
  assert.equal(box.find('calculator')?.name, 'calculator');
  assert.equal(box.find('constructor'), undefined);
  const empty = createToolbox([]).problem({ name: 'a', arguments: '' });
  assert.deepEqual(empty?.observation, {
    success: false,
    error: 'There is no tool "a". This agent has no tools.',
  });
});

test('two tools of one name are a mistake of the author', () => {
  assert.throws(() => createToolbox([tool('a', () => 1), tool('a', () => 2)]), /same name/);
});
