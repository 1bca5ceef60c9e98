/** Stop rules: what our own stops at, set anew by one request as breakpoints of other kinds are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { StopRule } from '../../src/core/stopRules.ts';
import { createDapClient } from '../doubles/dapClient.ts';
import { calls, createScriptedModel, says } from '../doubles/scriptedModel.ts';
import { createTestAgent, problemsOf } from '../doubles/testAgent.ts';
import { assertGolden } from './golden.ts';

const add = (n: number) => calls([{ name: 'calculator', arguments: { expression: `${n}+1` }, id: `call_${n}` }]);
const note = calls([{ name: 'add_todo', arguments: { content: 'mail', minutes: 5 }, id: 'call_t' }]);
const steps = [add(1), note, add(3), add(4), says('done')];

async function clientWith(first: readonly StopRule[] = []) {
  const model = createScriptedModel(steps);
  const client = createDapClient(await createTestAgent(model), { stopRules: () => first });
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: [] }));
  const setRules = async (...rules: readonly unknown[]) =>
    (await client.request<{ breakpoints: DebugProtocol.Breakpoint[] }>('loopscope/setStopRules', { rules })).breakpoints;
  const stop = () => client.event<DebugProtocol.StoppedEvent['body']>('stopped');
  const go = async (verb = 'continue') => {
    await client.request(verb, { threadId: 1 });
    return stop();
  };
  return { client, setRules, stop, go };
}

test('dap: stop rules stop at a round, a tool, a message that enters, changes or leaves, and a state', async () => {
  const first: StopRule[] = [
    { target: { kind: 'round', round: 2 } },
    { target: { kind: 'tool', name: 'add_*' } },
    { target: { kind: 'enters', id: 'm7' } },
    { target: { kind: 'state', key: 'todos' } },
  ];
  const { client, setRules, stop, go } = await clientWith(first);
  const lines: string[] = [];
  const seen = ({ reason, description, hitBreakpointIds }: DebugProtocol.StoppedEvent['body']) =>
    lines.push(`${reason} ${description} #${hitBreakpointIds?.join()}`);
  seen(await stop());
  seen(await go());
  seen(await go());
  seen(await go());
  const verdicts = await setRules(
    { target: { kind: 'message', session: 's-test', id: 'm1' } },
    { target: { kind: 'message', session: 's-other', id: 'm1' } },
    { target: { kind: 'tool', name: 'nothing' } },
    { target: { kind: 'round', round: 5 }, condition: 'messages.length > 100' },
    { target: { kind: 'round', round: 4 }, condition: 'messages.length >' },
  );
  lines.push('', ...verdicts.map(({ verified, message }) => `${verified ? 'verified' : `unverified: ${message}`}`), '');
  await client.request('evaluate', { expression: 'messages[0].content = "Be brief."', context: 'repl' });
  seen(await go());
  seen(await go());
  await client.request('continue', { threadId: 1 });
  await client.event('terminated');
  const paused = client.session.journal.events.flatMap((event) => (event.type === 'paused' ? [event.hits.join()] : []));
  assertGolden('dap-stopRules', [...lines, '', 'journal:', ...paused].join('\n'));
  assert.deepEqual(problemsOf(client.session), []);
});

test('dap: a rule of another session never stops, and one that is asked for again is the same', async () => {
  const { setRules, stop } = await clientWith([{ target: { kind: 'message', session: 's-other', id: 'm2' } }]);
  const { reason } = await stop();
  assert.equal(reason, 'end');
  const round = { target: { kind: 'round', round: 9 } };
  const [one] = await setRules(round);
  const [tool, same] = await setRules({ target: { kind: 'tool', name: 'calculator' } }, round);
  assert.equal(same?.id, one?.id);
  assert.notEqual(tool?.id, one?.id);
  for (const wrong of [5, null, {}, { target: { kind: 'round', round: -1 } }, { target: { kind: 'message', id: 'm1' } }, { target: { kind: 'tool', name: ' ' } }, { target: { kind: 'round', round: 1 }, condition: 7 }])
    await assert.rejects(setRules(wrong), /no stop rule/, JSON.stringify(wrong));
});

test('dap: looking back, a rule leads to where a message entered', async () => {
  const { setRules, stop, go, client } = await clientWith();
  assert.equal((await stop()).reason, 'end');
  await setRules({ target: { kind: 'enters', id: 'm5' } });
  const { description, reason } = await go('reverseContinue');
  assert.equal(reason, 'breakpoint');
  assert.match(description ?? '', /In the past, round 3: plan/);
  assert.equal(client.session.state.messages.get('m5')?.round, 2);
});
