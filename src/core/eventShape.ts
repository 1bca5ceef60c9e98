/**
 * The shape of each event, as DESIGN's table has it: what a line of a journal must hold to be folded. Files are
 * edited by hand, cut by crashes and written by later versions: a field that we do not know is kept and so is an
 * event type; a field that we do know must be what the fold takes it for.
 */
import type {
  CallOutcome,
  CheckpointKind,
  EditedBy,
  EditKind,
  EventType,
  FailureClass,
  Fate,
  JournalEvent,
  ModelRequested,
  Outcome,
  PauseReason,
  Scope,
  SessionOpened,
  Source,
  Verb,
} from './events.ts';
import type { Effects, Origin, Role } from './messages.ts';
import { isRecord } from './parseMessage.ts';
import {
  type Check,
  count,
  type Fields,
  id,
  list,
  number,
  oneOf,
  only,
  optional,
  orNull,
  record,
  step,
  text,
  tuple,
  value,
} from './shape.ts';

const item: Check = (value) => (Array.isArray(value) ? tuple(id, id)(value) : id(value));
const origin = record({
  kind: oneOf<Origin['kind']>({
    system: true,
    user: true,
    reply: true,
    call: true,
    memory: true,
    summary: true,
    retrieval: true,
    edit: true,
    foreign: true,
  }),
  request: optional(id),
  call: optional(id),
  location: optional(record({ path: text, line: count })),
  folds: optional(list(id)),
});
const source = oneOf<Source>({ live: true, recorded: true, mocked: true });
const message = record({
  id,
  role: oneOf<Role>({ system: true, user: true, assistant: true, tool: true }),
  part: id,
  origin,
  before: optional(id),
});
const change = record({
  id,
  fate: oneOf<Fate>({ kept: true, trimmed: true, dropped: true, folded: true }),
  rule: text,
  need: optional(number),
  room: optional(number),
  tiedTo: optional(id),
  into: optional(id),
  part: optional(id),
});
const anchor = record({ request: id, reported: number, estimated: number });

const usage = record({ prompt: optional(number), completion: optional(number) });

/** Fields by event type, without `seq`, `at`, `type`. */
const shapes: Readonly<Record<EventType, Fields>> = {
  'session.opened': {
    v: only(1),
    session: id,
    kind: oneOf<SessionOpened['kind']>({ launch: true, replay: true, attach: true }),
    agent: text,
  },
  forked: { from: record({ session: id, seq: count, sha: text }), why: text },
  part: { id, text, redacted: optional(list(tuple(count, count, text))) },
  'run.started': { run: count, more: optional(count), goal: id, config: id, replayOf: optional(text) },
  'run.ended': {
    run: count,
    outcome: oneOf<Outcome>({
      done: true,
      limit: true,
      blocked: true,
      refused: true,
      failed: true,
      cancelled: true,
      crashed: true,
    }),
    limit: optional(text),
    answer: optional(id),
  },
  'round.started': { round: count },
  'round.ended': { round: count, next: text },
  'history.appended': { messages: list(message) },
  edited: {
    op: oneOf<EditKind>({
      set: true,
      insert: true,
      remove: true,
      pin: true,
      unpin: true,
      drop: true,
      restore: true,
      mock: true,
      skip: true,
      reject: true,
    }),
    target: id,
    before: optional(id),
    after: optional(id),
    behind: optional(id),
    with: optional(list(item)),
    scope: oneOf<Scope>({ history: true, pending: true, request: true, state: true }),
    by: oneOf<EditedBy>({ user: true, config: true, repair: true, rule: true, fault: true }),
  },
  'state.changed': { key: text, after: id, call: optional(id) },
  'context.packed': {
    policy: text,
    limit: optional(number),
    reserve: number,
    fixed: record({ tools: number, format: number, measured: optional(number) }),
    meter: record({
      estimate: number,
      own: optional(number),
      media: optional(number),
      model: optional(text),
      factor: optional(number),
      anchor: optional(anchor),
      error: optional(number),
    }),
    total: number,
    counted: list(tuple(id, number)),
    changed: list(change),
  },
  checkpoint: {
    kind: oneOf<CheckpointKind>({ plan: true, reply: true, act: true, observe: true, end: true }),
    key: optional(id),
  },
  paused: {
    reason: oneOf<PauseReason>({
      entry: true,
      breakpoint: true,
      step: true,
      pause: true,
      exception: true,
      end: true,
    }),
    hits: list(text),
  },
  resumed: {
    verb: oneOf<Verb>({
      continue: true,
      next: true,
      stepIn: true,
      stepOut: true,
      runToRound: true,
      askAgain: true,
      terminate: true,
    }),
  },
  'model.requested': {
    request: id,
    attempt: count,
    purpose: oneOf<ModelRequested['purpose']>({ round: true, summary: true, memory: true }),
    url: text,
    on: orNull(id),
    head: id,
    tail: list(id),
    splices: list(tuple(count, count, list(item))),
    hash: text,
    bytes: count,
  },
  'model.replied': {
    request: id,
    attempt: count,
    message: id,
    reply: id,
    wire: optional(id),
    usage: orNull(usage),
    finish: orNull(text),
    ms: number,
    ttft: optional(number),
    source,
  },
  'model.failed': {
    request: id,
    attempt: count,
    class: oneOf<FailureClass>({
      network: true,
      timeout: true,
      'rate-limit': true,
      server: true,
      auth: true,
      'bad-request': true,
      overflow: true,
      refused: true,
      cut: true,
      protocol: true,
      cancelled: true,
      blocked: true,
    }),
    status: optional(number),
    message: text,
    retryIn: optional(number),
    tokens: optional(record({ asked: optional(number), limit: optional(number), reply: optional(number) })),
    partial: optional(id),
    wire: optional(id),
  },
  'call.started': {
    key: id,
    name: text,
    tool: optional(text),
    wireId: text,
    effects: oneOf<Effects>({ none: true, session: true, workspace: true, outside: true }),
    approval: optional(text),
  },
  'call.finished': {
    key: id,
    outcome: oneOf<CallOutcome>({
      ok: true,
      error: true,
      invalid: true,
      unknown: true,
      timeout: true,
      rejected: true,
      skipped: true,
      mocked: true,
      cancelled: true,
    }),
    message: id,
    part: id,
    observation: optional(id),
    ms: number,
    source,
  },
  'file.read': { key: id, uri: text, hash: text, lines: tuple(count, count), total: count },
  'file.changed': { key: id, uri: text, before: optional(id), afterHash: text },
  anomaly: { code: text, detail: text, about: list(count) },
  logged: { breakpoint: text, text },
};

const stamp = record({ seq: count, at: number, inferred: optional(only(true)) });
const checks = new Map<string, Check>(Object.entries(shapes).map(([type, fields]) => [type, record(fields)]));

/**
 * What makes a value no event, in words that name the field (`model.requested.tail[1] must be …`); undefined for an
 * event, also one of a type that this version does not know. Never throws, whatever it is given.
 */
export function eventProblem(event: unknown): string | undefined {
  if (sound.has(event as object)) return undefined;
  const problem = problemOf(event);
  if (problem === undefined) sound.add(event as object);
  return problem;
}

/** An event that this process made is right as its types say; nobody has to look at it again. */
export function trustEvent(event: JournalEvent): void {
  sound.add(event);
}

/** Events that were found right: the reader, the fold and each view ask again, and an event never changes. */
const sound = new WeakSet();

function problemOf(event: unknown): string | undefined {
  if (!isRecord(event)) return 'an event must be a JSON object';
  const type = event['type'];
  if (typeof type !== 'string' || type === '') return 'the event has no type';
  const problem = stamp(event) ?? checks.get(type)?.(event) ?? value(event);
  return problem === undefined ? undefined : step(type, problem);
}

/** Whether an event has the shape of its type, or is of a type that this version does not know. */
export function isEvent(event: unknown): event is JournalEvent {
  return eventProblem(event) === undefined;
}
