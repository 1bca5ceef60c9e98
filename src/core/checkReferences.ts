/** What an event names must be there: the one place that says which reference of which event means what. */
import { itemId, requestItems } from './body.ts';
import type { Edited, JournalEvent, ModelRequested, RunStarted } from './events.ts';
import { callAt, currentRound, currentRun, type JournalState, type RunState } from './journalState.ts';
import { splitTarget } from './pointer.ts';

/** What is wrong with an event's references, in words, in the state before it; parts are looked at by `check`. */
export function referenceProblems(state: JournalState, event: JournalEvent): string[] {
  const run = currentRun(state);
  const round = currentRound(state);
  switch (event.type) {
    case 'part':
      return state.parts.has(event.id) ? [`part ${event.id} is written twice`] : [];
    case 'run.started':
      if (event.more !== undefined) return goesOn(run, event);
      return state.runs.some((one) => one.run === event.run) ? [`run ${event.run} is started twice`] : [];
    case 'run.ended':
      return run?.run === event.run && !run.ended ? [] : [`run ${event.run} ends and is not going on`];
    case 'round.started':
      return run
        ? again(
            run.rounds.some((one) => one.round === event.round),
            event.round,
          )
        : ['a round outside of a run'];
    case 'round.ended':
      return round?.round === event.round ? [] : [`round ${event.round} ends and is not going on`];
    case 'history.appended':
      return event.messages
        .filter(
          ({ id }, index) =>
            state.messages.has(id) || event.messages.findIndex((one) => one.id === id) < index,
        )
        .map(({ id }) => `message ${id} enters the history twice`);
    case 'resumed':
      return event.verb === 'askAgain' && state.checkpoint?.kind !== 'reply'
        ? ['the model is asked again where no reply waits']
        : [];
    case 'edited':
      return editProblems(state, event);
    case 'model.requested':
      return requestProblems(state, event);
    case 'model.replied':
    case 'model.failed': {
      const attempts = state.requests.get(event.request)?.attempts ?? [];
      const attempt = attempts.find(({ sent }) => sent.attempt === event.attempt);
      const name = `request ${event.request}, attempt ${event.attempt}`;
      if (!attempt) return [`${name}: answered and never sent`];
      return attempt.replied || attempt.failed ? [`${name}: answered twice`] : [];
    }
    case 'call.started':
    case 'call.finished':
      return callAt(state, event.key) ? [] : [`there is no call ${event.key} in this round`];
    default:
      return [];
  }
}

/** A run that was stopped by a limit goes on, with its own number and goal. */
function goesOn(run: RunState | undefined, { run: number, goal }: RunStarted): string[] {
  const isIt = run?.run === number && run.goal === goal && run.ended?.outcome === 'limit';
  return isIt ? [] : [`run ${number} goes on and was not stopped by a limit`];
}

function again(isThere: boolean, round: number): string[] {
  return isThere ? [`round ${round} is started twice`] : [];
}

function editProblems(state: JournalState, event: Edited): string[] {
  const [root] = splitTarget(event.target);
  if (event.op === 'insert') return event.scope === 'pending' ? [] : insertProblems(state, event);
  if (event.scope !== 'history') return [];
  const others = (event.with ?? []).map(itemId);
  return [root, ...others]
    .filter((id) => !state.messages.has(id))
    .map((id) => `there is no message ${id} to edit`);
}

/** Repaired files put a message behind one that is there; an id is given once. */
function insertProblems(state: JournalState, { target, with: others = [], behind }: Edited): string[] {
  const ids = [target, ...others.map(itemId)];
  return [
    ...ids
      .filter((id, index) => state.messages.has(id) || ids.indexOf(id) < index)
      .map((id) => `message ${id} is put in twice`),
    ...(behind === undefined || state.messages.has(behind)
      ? []
      : [`there is no message ${behind} to stand behind`]),
  ];
}

function requestProblems(state: JournalState, event: ModelRequested): string[] {
  const name = `request ${event.request}, attempt ${event.attempt}`;
  const known = state.requests.get(event.request);
  if (known?.attempts.some(({ sent }) => sent.attempt === event.attempt)) return [`${name}: sent twice`];
  if (event.on !== null && !state.requests.has(event.on))
    return [`${name}: builds on ${event.on}, which was never sent`];
  if (known) return [];
  const base = event.on === null ? [] : requestItems(state, event.on);
  let end = 0;
  for (const [at, remove] of event.splices) {
    if (at < end || at + remove > base.length)
      return [`${name}: its splices do not fit the list of ${base.length}`];
    end = at + remove;
  }
  return [];
}
