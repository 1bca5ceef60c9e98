import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exceptionInfo } from '../../../src/debug/exceptionInfo.ts';
import { fault } from '../../../src/debug/faults.ts';
import { createDapClient } from '../../doubles/dapClient.ts';
import { calls, createScriptedModel } from '../../doubles/scriptedModel.ts';
import { createTestAgent } from '../../doubles/testAgent.ts';

interface Info {
  readonly description: string;
}

/** What is said of a call with these arguments. */
async function placeOf(argumentText: string): Promise<string> {
  const bad = calls([{ name: 'calculator', arguments: argumentText }]);
  const client = createDapClient(await createTestAgent(createScriptedModel([bad])));
  await client.start({}, () => client.request('setExceptionBreakpoints', { filters: ['badArguments'] }));
  await client.event('stopped');
  const info = await client.request<Info>('exceptionInfo', { threadId: 1 });
  const [place] = info.description.split('\n').filter((line) => line.startsWith('journal event'));
  assert.ok(place);
  return place.replace(/\d+/, 'N');
}

test('a fault says where: event, message, call, and the byte at which arguments stop being JSON', async () => {
  assert.equal(
    await placeOf('{"a": tru}'),
    'journal event N: message m4, call 1.1.1, byte 6 of the arguments',
  );
  assert.equal(
    await placeOf('{"你好😀": tru}'),
    'journal event N: message m4, call 1.1.1, byte 15 of the arguments',
  );
  assert.equal(
    await placeOf('{"expression"'),
    'journal event N: message m4, call 1.1.1, byte 13 of the arguments',
  );
  assert.equal(await placeOf('{"expression": 1}'), 'journal event N: message m4, call 1.1.1');
});

test('of several faults each is told', () => {
  const info = exceptionInfo([
    fault('toolFailure', 'One.\u001b[2J', 7, 'message m4, call 1.1.1'),
    fault('limit', 'Two.', 9),
  ]);
  assert.equal(info.exceptionId, 'toolFailure');
  assert.match(
    info.description ?? '',
    /^One\.␛\[2J\njournal event 7: message m4, call 1\.1\.1\n.+\n\nTwo\.\njournal event 9\n/,
  );
  assert.deepEqual(
    info.details?.innerException?.map(({ typeName }) => typeName),
    ['limit'],
  );
});
