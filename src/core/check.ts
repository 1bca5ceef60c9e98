/**
 * Proves a journal: every request body rebuilds to its hash and size, names the messages that the packing
 * and the edits name, and is legal; every call has one result; nothing is used before it is written.
 */
import { bodyOf, itemId, requestItems } from './body.ts';
import { referenceProblems } from './checkReferences.ts';
import type { Item, JournalEvent, ModelRequested } from './events.ts';
import { eventProblem } from './eventShape.ts';
import { fold } from './fold.ts';
import { currentRound, emptyState, type JournalState, textOf } from './journalState.ts';
import { legal } from './legal.ts';
import { contentText, type WireMessage } from './messages.ts';
import { isRecord, parseJson, parseMessage } from './parseMessage.ts';
import { requestHistory } from './requestHistory.ts';

export interface CheckReport {
  readonly events: number;
  readonly runs: number;
  /** Bodies that were rebuilt and proven. */
  readonly requests: number;
  readonly problems: readonly CheckProblem[];
  /** What is not wrong and should be known: a run that was interrupted, a call whose effects are unknown. */
  readonly notes: readonly CheckProblem[];
}

export interface CheckProblem {
  /** Where the event stands: line − 1. */
  readonly seq: number;
  readonly message: string;
}

export interface CheckPorts {
  /** SHA-256 of the text's UTF-8, hex. */
  readonly sha256: (text: string) => string;
  readonly byteLength: (text: string) => number;
}

/** Checks a whole journal. Never throws. */
export function checkJournal(events: readonly JournalEvent[], ports: CheckPorts): CheckReport {
  const state = emptyState();
  const problems: CheckProblem[] = [];
  const started = new Map<string, number>();
  let requests = 0;
  for (const [line, event] of events.entries()) {
    const report = (message: string) => problems.push({ seq: line, message });
    const wrong = eventProblem(event);
    if (wrong === undefined) checkEvent(state, event, started, report);
    else report(wrong);
    fold(state, event);
    if (wrong !== undefined || event.type !== 'model.requested') continue;
    requests++;
    checkRequest(state, event, ports, report);
  }
  return {
    events: events.length,
    runs: state.runs.length,
    requests,
    problems,
    notes: notesOf(state, started),
  };
}

function checkEvent(
  state: JournalState,
  event: JournalEvent,
  started: Map<string, number>,
  report: (message: string) => void,
): void {
  if (event.seq !== state.seq) report(`seq is ${event.seq}, expected ${state.seq}`);
  for (const part of partsOf(event))
    if (!state.parts.has(part)) report(`part ${part} is used before it is written`);
  for (const problem of referenceProblems(state, event)) report(problem);
  if (event.type === 'call.started') checkStart(started, event.key, event.seq, report);
  if (event.type === 'call.finished') started.delete(event.key);
}

function checkStart(
  started: Map<string, number>,
  key: string,
  seq: number,
  report: (message: string) => void,
): void {
  if (started.has(key)) report(`call ${key} was started twice`);
  started.set(key, seq);
}

function notesOf(state: JournalState, started: ReadonlyMap<string, number>): CheckProblem[] {
  const open = [...started].map(([key, seq]) => ({
    seq,
    message: `call ${key} was started and has no result: its effects are unknown`,
  }));
  const run = state.runs.at(-1);
  const interrupted =
    run && !run.ended ? [{ seq: run.seq, message: `run ${run.run} has not ended: it was interrupted` }] : [];
  const unknown = [...state.unknown].map(([type, count]) => ({
    seq: state.seq - 1,
    message: `${count} event(s) of the unknown type ${type}`,
  }));
  return [...open, ...interrupted, ...unknown];
}

function checkRequest(
  state: JournalState,
  event: ModelRequested & { readonly seq: number },
  ports: CheckPorts,
  report: (message: string) => void,
): void {
  const body = bodyOf(state, event, event.seq);
  const name = `request ${event.request}, attempt ${event.attempt}`;
  if (body === undefined) return report(`${name}: a text of its body is missing`);
  const bytes = ports.byteLength(body);
  if (bytes !== event.bytes) report(`${name}: the body rebuilds to ${bytes} bytes, ${event.bytes} were sent`);
  const hash = ports.sha256(body);
  if (hash !== event.hash) report(`${name}: the body rebuilds to ${hash}, ${event.hash} was sent`);
  const value = parseJson(body);
  if (!isRecord(value) || !Array.isArray(value['messages']))
    return report(`${name}: the body is not a chat request`);
  for (const violation of legal(value['messages'] as WireMessage[])) {
    report(`${name}: illegal history (${violation.rule}): ${violation.detail}`);
  }
  if (event.purpose === 'round') for (const message of checkList(state, event)) report(`${name}: ${message}`);
}

/** The list that was sent is the one that the last packing chose, with the texts that it or an edit named. */
function checkList(state: JournalState, event: ModelRequested): string[] {
  const items = requestItems(state, event.request);
  const chosen = requestHistory(state).filter((id) => !left(state, id));
  const sent = items.map(itemId);
  const missing = chosen.filter((id) => !sent.includes(id));
  const extra = sent.filter((id) => !chosen.includes(id));
  return [
    ...(missing.length > 0 ? [`the packing kept ${missing.join(', ')}, which was not sent`] : []),
    ...(extra.length > 0 ? [`${extra.join(', ')} was sent, which the packing did not keep`] : []),
    ...items
      .filter((item) => !isAccounted(state, item))
      .map((item) => `another text of ${itemId(item)} was sent, named by no edit`),
  ];
}

function left(state: JournalState, id: string): boolean {
  const fate = state.fates.get(id)?.fate;
  return fate === 'dropped' || fate === 'folded';
}

function isAccounted(state: JournalState, item: Item): boolean {
  if (typeof item === 'string') return true;
  const [id, part] = item;
  const trimmed = state.fates.get(id)?.part;
  const edited = currentRound(state)?.requestEdits.texts.get(id);
  if (edited === part || trimmed === part) return true;
  // Made legal on its way out: the same message with other call ids or `{}` for arguments that are none.
  const named = trimmed ?? edited;
  const base = named === undefined ? textOf(state, id) : state.parts.get(named);
  const before = parseMessage(base ?? '');
  const after = parseMessage(state.parts.get(part) ?? '');
  return (
    before !== undefined &&
    after !== undefined &&
    instructionRole(before.role) === instructionRole(after.role) &&
    contentText(before) === contentText(after)
  );
}

/** Instructions go out under the role that their server takes. */
function instructionRole(role: string): string {
  return role === 'developer' ? 'system' : role;
}

function partsOf(event: JournalEvent): string[] {
  switch (event.type) {
    case 'run.started':
      return [event.config];
    case 'history.appended':
      return event.messages.map((message) => message.part);
    case 'edited':
      return [
        ...[event.before, event.after].filter((part) => part !== undefined),
        ...(event.with ?? []).flatMap((item) => (typeof item === 'string' ? [] : [item[1]])),
      ];
    case 'state.changed':
      return [event.after];
    case 'context.packed':
      return event.changed.flatMap((change) => (change.part === undefined ? [] : [change.part]));
    case 'model.requested': {
      const items = event.splices.flatMap(([, , insert]) => insert);
      return [
        event.head,
        ...event.tail,
        ...items.flatMap((item) => (typeof item === 'string' ? [] : [item[1]])),
      ];
    }
    case 'model.replied':
      return [event.reply, ...(event.wire === undefined ? [] : [event.wire])];
    case 'model.failed':
      return [event.partial, event.wire].filter((part) => part !== undefined);
    case 'file.changed':
      return event.before === undefined ? [] : [event.before];
    case 'call.finished':
      return [event.part, ...(event.observation === undefined ? [] : [event.observation])];
    default:
      return [];
  }
}
