/**
 * Issue 5: every edit passes `legal()` before it is taken; a refusal says which rule and offers the smallest change that
 * would be legal. All ops at all stops: what is offered is taken, in order, and leaves a legal history.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JournalState, textOf } from '../../../src/core/journalState.ts';
import { legal } from '../../../src/core/legal.ts';
import type { Op } from '../../../src/core/ops.ts';
import { parseMessage } from '../../../src/core/parseMessage.ts';
import { appliedTo, scratchOf } from '../../doubles/appliedTo.ts';
import { addCall, atEachStop, call, insert, remove, reply, result, say, set } from '../../doubles/twoRuns.ts';

const messages = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8', 'm99'];
const scopes = ['history', 'pending', 'request'] as const;
const keys = ['2.1.1', '2.1.2', '2.1.9', '1.1.1'];

const values: readonly unknown[] = ['x', '', 'half \ud800', 5, null];

/** What anybody may say, in any place, right or wrong. */
const ops: readonly Op[] = [
  ...scopes.flatMap((scope) => [
    ...messages.flatMap((id) => [
      ...values.map((value) => set(`${id}/content`, scope, value)),
      set(`${id}/role`, scope, 'tool'),
      set(`${id}/tool_call_id`, scope, 'call_x'),
      set(`${id}/tool_calls`, scope, []),
      set(`${id}/nowhere/at/all`, scope, 1),
      set(id, scope, 'no message'),
      ...[0, 1].flatMap((index) => [
        set(`${id}/tool_calls/${index}/function/arguments`, scope, '{"expression":"3"}'),
        set(`${id}/tool_calls/${index}/function/arguments`, scope, '[1]'),
        set(`${id}/tool_calls/${index}/function/name`, scope, 'read file'),
        set(`${id}/tool_calls/${index}/id`, scope, 'call_b'),
        remove(`${id}/tool_calls/${index}`, scope),
      ]),
      remove(id, scope),
      remove(id, scope, 'm7'),
      remove(`${id}/content`, scope),
    ]),
    ...[undefined, 'm1', 'm2', 'm3', 'm5', 'm6', 'm7', 'm99'].flatMap((behind) => [
      ...['system', 'user', 'assistant', 'tool'].map((role) => insert(scope, say(role), behind)),
      insert(scope, reply(call('call_x', '1')), behind),
      insert(scope, reply(call('call_a', '1')), behind),
      insert(scope, [reply(call('call_a', '1')), result('call_a')], behind),
      insert(scope, [reply(call('call_x', '1', 'read file')), result('call_x')], behind),
      insert(scope, result('call_x'), behind),
      insert(scope, 'no message', behind),
    ]),
  ]),
  ...messages.flatMap((id) => [
    ...(['pin', 'unpin', 'drop', 'restore'] as const).map((kind) => ({ kind, target: id })),
    addCall(id, { name: 'calculator', arguments: '{"expression":"1"}' }),
    addCall(id, { name: 'read file', arguments: '{}' }),
    addCall(id, 'no call'),
  ]),
  ...keys.flatMap((target): Op[] => [
    { kind: 'mock', target, data: 5 },
    { kind: 'skip', target },
    { kind: 'reject', target, reason: 'no' },
  ]),
  ...[
    'temperature',
    'max_tokens',
    'seed',
    'model',
    'parallel_tool_calls',
    'messages',
    'stream',
    'own',
    'a b',
  ].flatMap((name) => [
    ...[7, -1, 0.2, '1', 'true', '', null].map((value) => set(`request/${name}`, 'request', value)),
    remove(`request/${name}`, 'request'),
  ]),
  set('state/todos', 'state', []),
  set('state/todos/7/x', 'state', 1),
  set('todos', 'state', 1),
  remove('state/todos', 'state'),
  { kind: 'askAgain' },
];

/**
 * Where nothing small is meant that would be legal: what is named is not there, is a record of what ran, is what it is
 * whatever anybody says, or the value means nothing. Any other refusal offers something.
 */
const withoutOffer = new Set([
  // Nothing of that name is there.
  'There is no message {0} in the history.',
  'There is no message {0} to edit here.',
  'There is no call {0} in this round.',
  'Message {0} has nothing at {1}.',
  'Message {0} has no call {1}.',
  'The working state has nothing at {0}.',
  'Name one request parameter, such as request/temperature.',
  'For one request each message is dropped by itself, a call with its results.',
  '{0} is not pinned.',
  '{0} was not edited for this request: it is what the agent file says.',
  // Not here: it has happened, or has not come about.
  'A request can be changed only at plan, before it is sent.',
  'The model can be asked again only at reply, before anything has acted on its reply.',
  'A round needs a reply: edit it, or ask for another one.',
  'Nothing waits to enter the history here: a reply can be changed from reply to observe.',
  '{0} has entered the history; edit it under Messages, for good.',
  'Calls can be added only to the reply that waits.',
  // A record.
  'Call {0} has already run; edit its result at observe instead.',
  'Call {0} has already run with these arguments; edit its result at observe instead.',
  'Call {0} of {1} was answered: it is a record. Edit it for one request at plan, or its result.',
  'How many calls there are, and their ids, can not change once one of them was answered.',
  // Always so.
  '{0} is the system prompt: it is part of every request.',
  '{0} is the goal of this run: it is part of every request.',
  '{0} is assembled by Loopscope and can not be set here.',
  'The role of a message can not change (it is {0}).',
  'A result must stay tied to its call (tool_call_id).',
  'Only messages, calls and request parameters can be removed.',
  'What a session remembers can be set, not removed.',
  // A value that means nothing there.
  'A call needs a name, and arguments as the text of a JSON object.',
  'Add to messages (for good or for this request), or to the calls of the reply.',
  'tool_calls must be a list of calls, each with id, type "function", name and arguments as text.',
  '{0} must be a number from {1} to {2}.',
  '{0} must be a whole number above 0.',
  '{0} must be a whole number.',
  '{0} must be true or false.',
  '{0} must be a text that is not empty.',
  'empty-assistant',
  'bad-arguments',
  'orphan-result',
]);

function problemsOf(state: JournalState): readonly unknown[] {
  return legal(state.history.map((id) => parseMessage(textOf(state, id) ?? '')!));
}

test('all ops at all stops: a refusal says why, and what it offers is taken and legal', async () => {
  const counts = { taken: 0, refused: 0, offered: 0 };
  const bare = new Set<string>();
  await atEachStop((name, _state, _run, session) => {
    const scratch = scratchOf(session.journal.events);
    for (const op of ops) {
      const said = `${name}: ${JSON.stringify(op)}`;
      const applied = appliedTo(scratch, op);
      if ('state' in applied) {
        counts.taken++;
        assert.deepEqual(problemsOf(applied.state), [], said);
        continue;
      }
      assert.ok(!applied.ok && applied.reason !== '', said);
      counts.refused++;
      if (!applied.offer) {
        bare.add(applied.rule ?? applied.sentence);
        continue;
      }
      counts.offered++;
      let now = scratch;
      for (const one of applied.offer) {
        const next = appliedTo(now, one);
        assert.ok('state' in next, `${said}: ${applied.reason} It offers ${JSON.stringify(applied.offer)}`);
        now = next;
      }
      assert.deepEqual(problemsOf(now.state), [], said);
    }
  });
  assert.deepEqual(
    [...bare].filter((one) => !withoutOffer.has(one)),
    [],
  );
  assert.deepEqual(
    [...withoutOffer].filter((one) => !bare.has(one)),
    [],
  );
  assert.ok(counts.taken > 300 && counts.offered > 1500, JSON.stringify(counts));
});
