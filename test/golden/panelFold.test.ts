/**
 * What the panels show of a session: folded live, event by event as the host posts them, it is at each event what the
 * same events show when they are folded at once, and at the end what core says of the whole journal. Held on journals of
 * all kinds, those that the rows of the debugging table write among them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestBody } from '../../src/core/body.ts';
import { contextView } from '../../src/core/contextView.ts';
import type { JournalEvent } from '../../src/core/events.ts';
import { countInMessage, foundIn } from '../../src/core/findText.ts';
import { fold, foldAll } from '../../src/core/fold.ts';
import { historyView } from '../../src/core/historyView.ts';
import { emptyState, type JournalState, type RoundState } from '../../src/core/journalState.ts';
import { emptyLane, foldLane, type LaneState } from '../../src/core/lane.ts';
import type { MessageId } from '../../src/core/messages.ts';
import { bodyOfPart, callLinks } from '../../src/core/messageView.ts';
import { panelEvent } from '../../src/core/panelEvent.ts';
import { failedAttempts, replyView, setAsideReplies } from '../../src/core/replyView.ts';
import { roundView } from '../../src/core/roundView.ts';
import { sentList } from '../../src/core/sentList.ts';
import { statusView } from '../../src/core/statusView.ts';
import { truncations } from '../../src/core/truncations.ts';
import { sha256 } from '../../src/entry/createAgent.ts';
import { oddJournals } from '../doubles/oddJournals.ts';
import { createPanelLink } from '../doubles/panelLink.ts';
import { createScriptedSession, createScriptedSessions } from '../doubles/panelSessions.ts';
import { assertGolden } from './golden.ts';
import { play } from './rows/createDap.ts';
import { createPlainLink } from './rows/plainLink.ts';
import { rows } from './rows/rows.ts';

const roundsOf = (state: JournalState) => state.runs.flatMap((run) => run.rounds);

/** All that both panels show of a round. */
function shownOf(state: JournalState, round: RoundState) {
  const view = roundView(state, round);
  const ids = view.rows.flatMap((row) => (row.kind === 'kept' ? row.rows : [row])).map(({ id }) => id);
  return {
    // A group makes its rows when they are asked for, and what left earlier as well.
    view: { ...view, leftEarlier: [...view.leftEarlier] },
    kept: view.rows.map((row) => row.kind === 'kept' && [...row.rows]),
    history: historyView(state, round),
    context: contextView(state, round),
    reply: replyView(state, round),
    setAside: setAsideReplies(round),
    failed: failedAttempts(state, round),
    links: ids.map((id) => [id, linksOf(state, id)]),
  };
}

function linksOf(state: JournalState, id: MessageId) {
  const { call, results } = callLinks(state, id);
  return { call, results: [...results] };
}

function shown(state: JournalState, lane: LaneState, rounds = roundsOf(state)) {
  const { anomalies } = state;
  // Copied, as a page would keep what it has drawn: what is shown of an event does not change with the next one.
  return structuredClone({
    rounds: rounds.map((round) => shownOf(state, round)),
    status: statusView(state),
    truncations: truncations(state),
    anomalies,
    lane: lane.cells,
  });
}

async function holds(events: readonly JournalEvent[]): Promise<void> {
  const scripted = createScriptedSession('s1');
  const link = createPanelLink(createScriptedSessions(scripted.session).all);
  link.show();
  // Beside it a fold whose views are asked for at the end of each round only, and so have nothing to go on from.
  const [state, lane] = [emptyState(), emptyLane()];
  for (const event of events) {
    scripted.write(event);
    await link.settle();
    fold(state, panelEvent(event));
    foldLane(lane, panelEvent(event));
    const { page } = link;
    const last = roundsOf(page.state).slice(-2);
    const live = shown(page.state, page.lane, last);
    const fresh = foldAll(events.slice(0, event.seq + 1).map((one) => panelEvent(one)));
    assert.deepEqual(live, shown(fresh, lane, roundsOf(fresh).slice(-2)), `after event ${event.seq}`);
  }
  const { page } = link;
  assert.deepEqual(shown(page.state, page.lane), shown(state, lane));
  assert.deepEqual(page.state, state);
  agreesWithCore(page.state, page.lane, foldAll(events));
}

/** What the panel shows is what was sent, by hash; it adds up; its links lead where they say; its search finds that. */
function agreesWithCore(state: JournalState, lane: LaneState, whole: JournalState): void {
  const told = new Map<string, number>();
  for (const round of roundsOf(state)) {
    const cell = lane.cells.find((one) => one.run === round.run && one.round === round.round);
    const list = sentList(state, round);
    const request = list?.request;
    const sent = request === undefined ? undefined : state.requests.get(request)?.attempts.at(-1)?.sent;
    // A long journal that was made has no hashes.
    if (sent?.hash) assert.equal(sha256(bodyOfList(whole, list?.items ?? [], sent)), sent.hash, sent.request);
    const view = roundView(state, round);
    const ids = view.rows
      .flatMap((row) => (row.kind === 'kept' ? row.rows : [row]))
      .filter((row) => !['dropped', 'folded', 'removed'].includes(row.change))
      .map(({ id }) => id);
    assert.deepEqual(ids, list?.items.map(({ id }) => id) ?? [], `rows of ${round.run}.${round.round}`);
    const context = contextView(state, round);
    const sum = context?.budget.parts.reduce((all, { tokens }) => all + tokens, 0);
    assert.equal(sum, context && (context.budget.limit ?? context.budget.sent));
    if (round.packing !== undefined) assert.equal(cell?.tokens, state.packings[round.packing]?.event.total);
    told.set(`${round.run}.${round.round}`, list?.items.length ?? 0);
    assert.equal(
      cell?.anomalies,
      round.anomalies.length,
      `anomalies of ${round.run}.${round.round} in the lane`,
    );
  }
  for (const id of state.history)
    for (const [wireId, result] of callLinks(state, id).results) {
      assert.equal(callLinks(state, result).call, id);
      const part = state.messages.get(result)?.versions.at(-1)?.part;
      assert.equal(bodyOfPart(state, part)?.answers, wireId);
    }
  for (const text of ['a', 'lorem', 'user', 'call_']) findsWhatWasSent(whole, text);
}

function bodyOfList(
  whole: JournalState,
  items: readonly { readonly part: string | undefined }[],
  { head, tail }: { readonly head: string; readonly tail: readonly string[] },
): string {
  const textOf = (part: string | undefined) => whole.parts.get(part ?? '') ?? assert.fail(`no text of ${part}`);
  return requestBody(
    textOf(head),
    items.map(({ part }) => textOf(part)),
    tail.map(textOf),
  ).text;
}

/** The search against the plain count of what each round sent. */
function findsWhatWasSent(state: JournalState, text: string): void {
  const hits = new Map(
    [...state.parts].map(([id, part]) => [id, countInMessage(part, text)] as const).filter(([, count]) => count > 0),
  );
  const places = new Map<string, number>();
  const first = new Map<string, string>();
  for (const round of roundsOf(state)) {
    const name = `${round.run}.${round.round}`;
    for (const { id, part } of sentList(state, round)?.items ?? []) {
      const count = hits.get(part ?? '') ?? 0;
      if (count === 0) continue;
      places.set(name, (places.get(name) ?? 0) + count);
      if (!first.has(id)) first.set(id, name);
    }
  }
  const found = foundIn(state, hits);
  assert.deepEqual(found.rounds, places, text);
  for (const { id, round } of found.messages)
    if (first.has(id)) assert.equal(`${round.run}.${round.round}`, first.get(id), `${text} in ${id}`);
}

const journals = await oddJournals();
for (const [name, events] of Object.entries(journals))
  test(`folded live as at once, and as it was sent: ${name}`, () => holds(events));

for (const row of rows)
  test(`folded live as at once, and as it was sent: what ${row.name} writes`, async () => {
    const link = createPlainLink();
    assertGolden(`rows/${row.name}`, await play(row, link));
    assert.ok(link.journals.length > 0);
    for (const events of link.journals) await holds(events);
  });
