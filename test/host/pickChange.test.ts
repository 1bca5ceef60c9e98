/** Show Difference: of which call, and what is asked where it may be of several. */
import * as assert from 'node:assert/strict';
import type { JournalEvent } from '../../src/core/events.ts';
import { foldAll } from '../../src/core/fold.ts';
import type { JournalState } from '../../src/core/journalState.ts';
import { pickChange } from '../../src/entry/vscode/editPicks.ts';
import { longJournal } from '../doubles/longJournal.ts';
import { type Picking, picking } from './picking.ts';

/** A round with the calls edit_file, read_file, edit_file, read_file; up to its reply, or to before one of them. */
function stateAt(key?: string, changing = 'edit_file'): JournalState {
  const events = longJournal({ rounds: 1, calls: 4, chars: 10 }).map((event): JournalEvent =>
    event.type === 'part' ? { ...event, text: event.text.replaceAll('"step"', `"${changing}"`) } : event,
  );
  const end = events.findIndex((event) =>
    key === undefined ? event.type === 'model.replied' : event.type === 'checkpoint' && event.key === key,
  );
  return foldAll(events.slice(0, end + 1));
}

describe('Show Difference', () => {
  let user: Picking;
  beforeEach(async () => {
    user = await picking();
  });
  afterEach(() => void user.dispose());

  const picked = async (state: JournalState): Promise<string | undefined> =>
    (await pickChange(state, 'Show'))?.key;

  it('lists only calls that change a file', async () => {
    user.answer('1.1.3');
    assert.equal(await picked(stateAt()), '1.1.3');
    assert.deepEqual(user.asked, ['Show: 1.1.1 edit_file | 1.1.3 edit_file']);
    user.answer(undefined);
    assert.equal(await picked(stateAt()), undefined);
  });

  it('asks nothing where it stands before one, or where one is left', async () => {
    assert.equal(await picked(stateAt('1.1.1')), '1.1.1');
    assert.equal(await picked(stateAt('1.1.2')), '1.1.3');
    assert.deepEqual(user.asked, []);
  });

  it('asks nothing where none changes a file', async () => {
    assert.equal(await picked(stateAt(undefined, 'step')), undefined);
    assert.equal(await picked(stateAt('1.1.4')), undefined);
    assert.deepEqual([user.asked, user.told], [[], []]);
  });
});
