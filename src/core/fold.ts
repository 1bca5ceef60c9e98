/**
 * State is a fold of the journal. The live session, the debugger's view of the past, both panels and a
 * resumed session are all this one function over a prefix of the events.
 *
 * The state is mutable and owned by whoever folds; cost per event does not grow with the session.
 */
import { appendMessage, numberOf, reserve } from './appendMessage.ts';
import type {
  ContextPacked,
  JournalEvent,
  ModelReplied,
  ModelRequested,
  RunStarted,
  Stamp,
} from './events.ts';
import { isEvent } from './eventShape.ts';
import { applyFates } from './fates.ts';
import { foldEdit } from './foldEdit.ts';
import {
  type AttemptState,
  callAt,
  currentRound,
  currentRun,
  emptyState,
  type JournalState,
  type RequestEdits,
  type RoundState,
} from './journalState.ts';
import type { RequestId } from './messages.ts';
import { foldFile } from './foldFile.ts';
import { finishCall, listCalls } from './pendingCalls.ts';
import { learnOverflow } from './learnt.ts';
import { namesRest } from './restNote.ts';

/** Folds a whole journal, or its first events up to (not including) seq `before`. */
export function foldAll(events: Iterable<JournalEvent>, before = Infinity): JournalState {
  const state = emptyState();
  for (const event of events) {
    if (before < Infinity && isEvent(event) && event.seq >= before) break;
    fold(state, event);
  }
  return state;
}

/**
 * Applies one event. Never throws, whatever it is given: what has not the shape of its type, or gives an id a second
 * time (a hand-edited file), changes nothing; `check` reports it.
 */
export function fold(state: JournalState, event: JournalEvent): void {
  if (isEvent(event)) foldSound(state, event);
  else state.seq++;
}

/**
 * Applies an event that is known to have the shape of its type: as `panelEvent` lets it cross, so that a panel is not
 * to carry all the shapes.
 */
export function foldSound(state: JournalState, event: JournalEvent): void {
  state.seq = event.seq + 1;
  switch (event.type) {
    case 'session.opened':
      state.opened = event;
      return;
    case 'part':
      // A text stands for good: what was sent is rebuilt from it.
      if (!state.parts.has(event.id)) state.parts.set(event.id, event.text);
      state.highest.part = Math.max(state.highest.part, numberOf(event.id));
      return;
    case 'run.started':
      state.rewritten = state.seq;
      startRun(state, event);
      reserve(state, event.goal);
      delete state.checkpoint;
      // A journal whose writer died in a pause has no `resumed` for it.
      delete state.paused;
      delete state.resumed;
      return;
    case 'run.ended': {
      const run = currentRun(state);
      if (run) run.ended = event;
      return;
    }
    case 'round.started':
      // What was edited for the round before is as it was.
      if (currentRound(state)?.edits.length) state.rewritten = state.seq;
      currentRun(state)?.rounds.push(newRound(event.round, event.seq, event.at, currentRun(state)?.run ?? 0));
      return;
    case 'round.ended': {
      const round = currentRound(state);
      if (round) round.ended = event;
      return;
    }
    case 'history.appended':
      for (const message of event.messages) appendMessage(state, message, event.seq);
      return;
    case 'edited':
      state.rewritten = state.seq;
      foldEdit(state, event);
      return;
    case 'state.changed':
      state.working.set(event.key, event.after);
      return;
    case 'context.packed':
      pack(state, event, event.seq);
      return;
    case 'checkpoint':
      state.checkpoint = event;
      currentRound(state)?.checkpoints.push(event);
      return;
    case 'paused':
      state.paused = event;
      return;
    case 'resumed':
      delete state.paused;
      state.resumed = event.verb;
      if (event.verb === 'askAgain') askAgain(state);
      return;
    case 'model.requested':
      requested(state, event, event.seq, event.at);
      return;
    case 'model.replied':
      replied(state, event, event.seq);
      return;
    case 'model.failed': {
      const attempt = attemptOf(state, event.request, event.attempt);
      if (attempt) attempt.failed = event;
      if (attempt && event.class === 'overflow') learnOverflow(state, event, attempt.sent);
      return;
    }
    case 'call.started': {
      const call = callAt(state, event.key);
      if (call) Object.assign(call, { status: 'running', effects: event.effects, startedAt: event.at });
      if (call && event.tool !== undefined) call.tool = event.tool;
      return;
    }
    case 'call.finished': {
      reserve(state, event.message);
      const call = callAt(state, event.key);
      if (call) finishCall(call, event);
      if (call && event.observation !== undefined) state.hasCutResults = true;
      return;
    }
    case 'anomaly': {
      const round = currentRound(state);
      state.anomalies.push({
        seq: event.seq,
        run: round?.run ?? 0,
        round: round?.round ?? 0,
        code: event.code,
        detail: event.detail,
      });
      round?.anomalies.push(event.seq);
      return;
    }
    case 'file.read':
    case 'file.changed':
      foldFile(state, event);
      return;
    case 'forked':
    case 'logged':
      return;
    default: {
      // Written by a later version: kept in the file, counted, shown as unknown.
      const type = String((event as { type: unknown }).type);
      state.unknown.set(type, (state.unknown.get(type) ?? 0) + 1);
    }
  }
}

/** A run, or the last one again: it goes on after a limit, with its goal and the rounds that it has. */
function startRun(state: JournalState, event: RunStarted & Stamp): void {
  const { run, seq, at, goal, config, more = 0 } = event;
  const last = currentRun(state);
  if (last?.run === run && last.goal === goal) {
    last.config = config;
    last.lastRound = (last.rounds.at(-1)?.round ?? 0) + more;
    delete last.ended;
  } else state.runs.push({ run, seq, at, goal, config, rounds: [] });
}

function newRound(round: number, seq: number, at: number, run: number): RoundState {
  return {
    run,
    round,
    seq,
    at,
    requests: [],
    replies: [],
    setAside: [],
    calls: [],
    edits: [],
    requestEdits: noRequestEdits(),
    checkpoints: [],
    anomalies: [],
    appended: [],
  };
}

function noRequestEdits(): RequestEdits {
  return {
    texts: new Map(),
    parameters: new Map(),
    fates: new Map(),
    inserted: [],
    removed: new Set(),
  };
}

function pack(state: JournalState, event: ContextPacked, seq: number): void {
  const round = currentRound(state);
  for (const [id, tokens] of event.counted) state.tokens.set(id, tokens);
  applyFates(state.fates, event);
  if (event.changed.some(({ part }) => part !== undefined && namesRest(state.parts.get(part) ?? '')))
    state.hasCutResults = true;
  state.packings.push({ seq, run: round?.run ?? 0, round: round?.round ?? 0, event });
  if (round) round.packing = state.packings.length - 1;
}

function requested(state: JournalState, event: ModelRequested, seq: number, at: number): void {
  const attempt: AttemptState = { seq, at, sent: event };
  state.lastSent = event;
  const known = state.requests.get(event.request);
  if (known) {
    known.attempts.push(attempt);
    return;
  }
  const round = currentRound(state);
  state.highest.request = Math.max(state.highest.request, numberOf(event.request));
  state.requests.set(event.request, {
    id: event.request,
    run: round?.run ?? 0,
    round: round?.round ?? 0,
    on: event.on,
    splices: event.splices,
    attempts: [attempt],
  });
  if (event.purpose !== 'round') return;
  state.lastRequest = event.request;
  round?.requests.push(event.request);
}

function replied(state: JournalState, event: ModelReplied, seq: number): void {
  reserve(state, event.message);
  const attempt = attemptOf(state, event.request, event.attempt);
  if (attempt) attempt.replied = event;
  const round = currentRound(state);
  if (!round || attempt?.sent.purpose !== 'round') return;
  report(state, event);
  round.replies.push({ seq, request: event.request, message: event.message, part: event.reply, event });
  round.calls = listCalls(round, state.parts.get(event.reply) ?? '');
}

/** The reply is set aside with all that was decided about it, and what was edited for its request ends with that. */
function askAgain(state: JournalState): void {
  const round = currentRound(state);
  if (!round) return;
  round.setAside.push(...round.replies.splice(0));
  round.calls = [];
  round.requestEdits = noRequestEdits();
  state.rewritten = state.seq;
}

/** A report of nothing is no report: an unknown count is not zero. */
function report(state: JournalState, { request, usage }: ModelReplied): void {
  const prompt = usage?.prompt;
  if (typeof prompt !== 'number' || !(prompt > 0) || state.packings.length === 0) return;
  state.reports.push({ request, prompt, packing: state.packings.length - 1 });
}

function attemptOf(state: JournalState, request: RequestId, attempt: number): AttemptState | undefined {
  return state.requests.get(request)?.attempts.find((one) => one.sent.attempt === attempt);
}
