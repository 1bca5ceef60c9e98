import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../../src/core/fold.ts';
import { sha256 } from '../../../src/entry/createAgent.ts';
import { startRun } from '../../../src/runner/run.ts';
import { createFolderWorkspace } from '../../../src/toolbox/folderWorkspace.ts';
import { calls, createScriptedModel, says } from '../../doubles/scriptedModel.ts';
import { eventsOf } from '../../doubles/serverRun.ts';
import { createTestAgent, createTestSession, problemsOf } from '../../doubles/testAgent.ts';
import { temporaryTree } from '../toolbox/temporaryTree.ts';

test('what calls read and change of files is on record, and is known in the next run of the session', async (t) => {
  const root = await temporaryTree(t, { 'a.txt': '\ufeffone\r\ntwo\r\n' });
  const session = createTestSession();
  const run = async (...wanted: Parameters<typeof calls>[0][]) => {
    const model = createScriptedModel([...wanted.map((one) => calls(one)), says('Done.')]);
    const agent = { ...(await createTestAgent(model)), workspace: createFolderWorkspace(root) };
    await startRun(agent, session, { goal: 'go' }).done;
    assert.deepEqual(problemsOf(session), []);
  };
  await run(
    [{ name: 'read_file', arguments: { path: 'a.txt' } }],
    [
      { name: 'edit_file', arguments: { path: 'a.txt', old_string: 'two', new_string: '2' } },
      { name: 'create_file', arguments: { path: 'b.txt', content: 'new' } },
    ],
  );
  const [read] = eventsOf(session, 'file.read');
  assert.deepEqual(
    [read?.key, read?.hash, read?.lines, read?.total],
    ['1.1.1', sha256('one\r\ntwo\r\n'), [1, 2], 2],
  );
  const [edited, created] = eventsOf(session, 'file.changed');
  const before = (event: typeof edited) => session.state.parts.get(event?.before ?? '');
  assert.deepEqual(
    [edited?.key, edited?.uri, before(edited), edited?.afterHash],
    ['1.2.1', read?.uri, '\ufeffone\r\ntwo\r\n', sha256('one\r\n2\r\n')],
  );
  assert.deepEqual([created?.key, before(created), created?.afterHash], ['1.2.2', undefined, sha256('new')]);
  assert.ok(edited && created);
  const order = session.journal.events.map(({ type }) => type);
  assert.ok(order.indexOf('call.started') < order.indexOf('file.read'));

  // Another process made of the journal what this one knows.
  assert.deepEqual(foldAll(session.journal.events).files, session.state.files);
  await writeFile(join(root, 'a.txt'), 'somebody else\r\n');
  await run([
    { name: 'edit_file', arguments: { path: 'a.txt', content: 'lost' } },
    { name: 'edit_file', arguments: { path: 'b.txt', content: 'known' } },
  ]);
  const outcomes = eventsOf(session, 'call.finished').map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, ['ok', 'ok', 'ok', 'error', 'ok']);
  assert.equal(await readFile(join(root, 'a.txt'), 'utf8'), 'somebody else\r\n');
  assert.equal(await readFile(join(root, 'b.txt'), 'utf8'), 'known');
});
