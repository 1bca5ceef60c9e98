/** A model client of somebody else's: whatever it does, the run ends by name, with a journal that holds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelClient, ModelReply } from '../../../src/core/ports.ts';
import { currentRun } from '../../../src/core/journalState.ts';
import { startRun } from '../../../src/runner/run.ts';
import { says } from '../../doubles/scriptedModel.ts';
import { anomalyCodes } from '../../doubles/serverRun.ts';
import { strictRefusal } from '../../doubles/strictApi.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';

async function run(send: () => unknown) {
  const client = { url: 'own:', label: 'own', send } as unknown as ModelClient;
  const session = createTestSession();
  const outcome = await startRun(await createTestAgent(client), session, { goal: 'go' }).done;
  assert.deepEqual(problemsOf(session), []);
  return { outcome, why: currentRun(session.state)?.ended?.limit ?? '' };
}

const hostile = Object.create(null) as object;
const trap = {
  get ok(): boolean {
    throw new Error('trap');
  },
};
// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what code of others does
const reject = (reason: unknown) => Promise.reject(reason);
const reply = (message: unknown) => ({ ok: true, message });
const call = (made: unknown) => reply({ role: 'assistant', content: null, tool_calls: [made] });

test('a client that throws, or answers with something else, is a request that failed', async () => {
  for (const [send, said] of [
    [() => Promise.reject(new Error('boom')), /it threw: boom/],
    [() => reject(undefined), /it threw: undefined/],
    [() => reject(hostile), /it threw: \{\}/],
    [
      () => {
        throw new Error('at once');
      },
      /it threw: at once/,
    ],
    [() => undefined, /no outcome/],
    [() => 'Hello', /no outcome/],
    [() => ({ message: {} }), /no outcome/],
    [() => trap, /it threw: trap/],
    [() => reply(undefined), /no message of an assistant/],
    [() => reply({ role: 'user', content: 'x' }), /no message of an assistant/],
    [() => reply({ role: 'assistant', content: 5 }), /no message of an assistant/],
    [() => reply({ role: 'assistant', content: '', tool_calls: 'x' }), /no message of an assistant/],
    [() => call({ id: 'a', function: { name: 'f', arguments: {} } }), /no message of an assistant/],
    [() => call({ function: { name: 'f', arguments: '{}' } }), /no message of an assistant/],
    [() => call(null), /no message of an assistant/],
    [() => ({ ok: false }), /no class/],
    [() => ({ ok: false, class: 'server' }), /without saying why/],
  ] as const) {
    const { outcome, why } = await run(send);
    assert.equal(outcome, 'failed', String(said));
    assert.match(why, said);
  }
});

test('what a client only leaves out is filled in; its own methods keep their object', async () => {
  const bare = { ok: true, message: { role: 'assistant', content: 'Hello' } };
  assert.equal((await run(() => bare)).outcome, 'done');
  assert.equal(
    (await run(() => ({ ...bare, usage: { prompt: 'many' }, ms: NaN, notes: null }))).outcome,
    'done',
  );
  class Client implements ModelClient {
    readonly url = 'own:';
    readonly label = 'own';
    readonly #answer: ModelReply = says('mine');
    async send() {
      return this.#answer;
    }
  }
  const session = createTestSession();
  assert.equal(await startRun(await createTestAgent(new Client()), session, { goal: 'go' }).done, 'done');
});

test('what a client replies can be sent back, whatever its calls are called; each change is told', async () => {
  const odd = [
    { id: 'a', function: { name: 'my tool', arguments: '{}' } },
    { id: '', type: 'function', function: { name: 'calculator', arguments: '{"expression":"1 + 2"}' } },
    { id: 'a', type: 'tool', function: { name: 'x'.repeat(99), arguments: '' } },
  ];
  const replies = [
    reply({ role: 'assistant', content: 'half \uD83D', tool_calls: odd }),
    reply({ role: 'assistant', content: 'more', tool_calls: [odd[1]], reasoning: 'kept' }),
    reply({ role: 'assistant', content: 'done', tool_calls: [] }),
    reply({ role: 'assistant', content: 'again', tool_calls: null }),
    reply({ role: 'assistant', content: 'end' }),
  ];
  const bodies: string[] = [];
  const send = async ({ text }: { readonly text: string }) => {
    bodies.push(text);
    return replies[bodies.length - 1];
  };
  const client = { url: 'own:', label: 'own', send } as unknown as ModelClient;
  const session = createTestSession();
  const agent = await createTestAgent(client);
  for (const goal of ['go', 'on', 'on']) assert.equal(await startRun(agent, session, { goal }).done, 'done');
  assert.deepEqual(problemsOf(session), []);
  // What the strict server does not know is the client's own: it gets it back.
  for (const body of bodies)
    assert.equal(strictRefusal(body.replaceAll(',"reasoning":"kept"', '')), undefined);
  assert.ok(bodies.at(-1)?.includes('"reasoning":"kept"'));
  const codes = new Set(anomalyCodes(session));
  for (const code of ['name-illegal', 'id-missing', 'id-duplicate', 'type-missing', 'lone-surrogate'])
    assert.ok(codes.has(code), code);
});
