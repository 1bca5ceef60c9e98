/**
 * A journal made of request bodies that another agent logged: one round for each body. The messages have no ids: which
 * is which is found by content, so every event is marked `inferred`. What left, was edited or came is the difference of
 * two bodies; why it left is not in them.
 */
import { arrivals, withArrivals } from './arrivals.ts';
import { splicesBetween } from './body.ts';
import { foreignDiff } from './diff/foreignDiff.ts';
import type { AppendedMessage, EventBody, FateChange, Item, JournalEvent } from './events.ts';
import type { ForeignBody } from './foreignLog.ts';
import { legal } from './legal.ts';
import type { MessageId, PartId, Role, WireMessage } from './messages.ts';
import type { Digest } from './wireView.ts';

export interface ForeignOptions {
  readonly session: string;
  /** What the file is called. */
  readonly name: string;
  readonly digest: Digest;
  /** Tokens of a message's JSON text, by our own count. */
  readonly count: (text: string) => number;
}

const mostViolations = 5;
/** Who took a message out: not us, and more is not known. */
const theirs = 'its agent';

export function foreignJournal(bodies: readonly ForeignBody[], options: ForeignOptions): JournalEvent[] {
  const steps = foreignJournalSteps(bodies, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same body by body, for logs that take long. */
export function* foreignJournalSteps(
  bodies: readonly ForeignBody[],
  options: ForeignOptions,
): Generator<void, JournalEvent[]> {
  const writer = createWriter(options);
  writer.write({
    type: 'session.opened',
    v: 1,
    session: options.session,
    kind: 'attach',
    agent: options.name,
  });
  let known: readonly Known[] = [];
  let before: ForeignBody | undefined;
  for (const body of bodies) {
    const next = identified(writer, before?.messages ?? [], known, body.messages);
    // Nothing in common: another conversation of the same log.
    if (!before || !next.isSame) writer.startRun(next.list, body);
    writer.round(body, next);
    known = next.list;
    before = body;
    yield;
  }
  if (bodies.length > 0) writer.endRun();
  return writer.events;
}

interface Known {
  readonly id: MessageId;
  readonly part: PartId;
}

interface Identified {
  readonly list: readonly Known[];
  readonly added: ReadonlySet<MessageId>;
  readonly edited: readonly { readonly id: MessageId; readonly before: PartId; readonly after: PartId }[];
  readonly isSame: boolean;
}

type Writer = ReturnType<typeof createWriter>;

/** The ids of a body's messages: those of the messages before that they are, and new ones. */
function identified(
  writer: Writer,
  before: readonly unknown[],
  known: readonly Known[],
  messages: readonly unknown[],
): Identified {
  const list: Known[] = [];
  const added = new Set<MessageId>();
  const edited: { id: MessageId; before: PartId; after: PartId }[] = [];
  let shared = 0;
  const keep = (from: number, to: number) => {
    const { id, part } = known[from]!;
    const after = writer.part(JSON.stringify(messages[to]));
    if (after !== part) edited.push({ id, before: part, after });
    // A system prompt is alike in all conversations of an agent.
    if (roleOf(messages[to]) !== 'system') shared++;
    list[to] = { id, part: after };
  };
  for (const step of foreignDiff(before, messages).steps) {
    if (step.kind === 'removed') continue;
    if (step.kind === 'added') {
      for (let index = 0; index < step.items.length; index++) {
        const id = writer.nextMessage();
        added.add(id);
        list[step.to + index] = { id, part: writer.part(JSON.stringify(step.items[index])) };
      }
    } else
      for (let index = 0; index < (step.kind === 'kept' ? step.count : 1); index++)
        keep(step.from + index, step.to + index);
  }
  return { list, added, edited, isSame: shared > 0 };
}

/** Other names of roles: instructions as newer models call them, results as they were called once. */
const roles: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** One of ours, whatever a log says: the message's own text says what it was sent as. */
function roleOf(message: unknown): Role {
  const { role } = message as { readonly role: string };
  return Object.hasOwn(roles, role) ? roles[role]! : 'user';
}

function createWriter({ digest, count }: ForeignOptions) {
  const events: JournalEvent[] = [];
  const parts = new Map<string, PartId>();
  const texts = new Map<PartId, string>();
  const tokens = new Map<MessageId, number>();
  const out = new Set<MessageId>();
  let history: readonly MessageId[] = [];
  let sent: readonly Item[] = [];
  const at = { run: 0, round: 0, request: 0, message: 0 };
  const write = (...bodies: readonly EventBody[]) => {
    for (const body of bodies) events.push({ seq: events.length, at: 0, inferred: true, ...body });
  };
  const part = (text: string): PartId => {
    const known = parts.get(text);
    if (known !== undefined) return known;
    const id = `p${parts.size + 1}`;
    parts.set(text, id);
    texts.set(id, text);
    write({ type: 'part', id, text });
    return id;
  };
  const sizes = new Map<PartId, number>();
  const countOf = (id: PartId): number => {
    const known = sizes.get(id) ?? count(texts.get(id) ?? '');
    sizes.set(id, known);
    return known;
  };
  const endRun = () =>
    write({ type: 'run.ended', run: at.run, outcome: 'done' }, { type: 'checkpoint', kind: 'end' });

  /** New messages, each before the next one that was there already. */
  function append(list: readonly Known[], added: ReadonlySet<MessageId>, messages: readonly unknown[]): void {
    const ids = list.map(({ id }) => id);
    const groups = arrivals(ids, (id) => added.has(id));
    for (const { from, to, before } of groups) {
      const group: AppendedMessage[] = list.slice(from, to).map(({ id, part: own }, place) => ({
        id,
        role: roleOf(messages[from + place]),
        part: own,
        origin: { kind: 'foreign' },
        // What a message goes before is said by each: the fold puts it there.
        ...(before === undefined ? {} : { before }),
      }));
      write({ type: 'history.appended', messages: group });
    }
    history = withArrivals(history, ids, groups);
  }

  return {
    events,
    write,
    part,
    endRun,
    nextMessage: () => `m${++at.message}`,
    startRun(list: readonly Known[], body: ForeignBody): void {
      if (at.run > 0) endRun();
      at.round = 0;
      const goal = body.messages.findLastIndex((message) => message['role'] === 'user');
      const config = part(
        JSON.stringify({
          ...(typeof body.rest['model'] === 'string' ? { model_name: body.rest['model'] } : {}),
          tools: toolNames(body.rest['tools']),
        }),
      );
      write({ type: 'run.started', run: ++at.run, goal: list[goal]?.id ?? list[0]?.id ?? 'm0', config });
    },
    round(body: ForeignBody, { list, added, edited }: Identified): void {
      write({ type: 'round.started', round: ++at.round });
      append(list, added, body.messages);
      for (const { id, before, after } of edited)
        write({ type: 'edited', op: 'set', target: id, before, after, scope: 'history', by: 'rule' });
      const { model, ...rest } = body.rest;
      const head = part(
        model === undefined ? '{"messages":[' : `{"model":${JSON.stringify(model)},"messages":[`,
      );
      const others = JSON.stringify(rest).slice(1);
      const tail = part(others === '}' ? ']}' : `],${others}`);
      const textOf = (id: PartId) => texts.get(id) ?? '';
      const text = textOf(head) + list.map((one) => textOf(one.part)).join(',') + textOf(tail);
      write(packing(list, tail));
      const items: Item[] = list.map(({ id }) => id);
      write({
        type: 'model.requested',
        request: `r${++at.request}`,
        attempt: 1,
        purpose: 'round',
        url: 'logged:',
        on: at.request === 1 ? null : `r${at.request - 1}`,
        head,
        tail: [tail],
        splices: splicesBetween(sent, items),
        hash: digest.sha256(text),
        bytes: digest.byteLength(text),
      });
      sent = items;
      const seq = events.length - 1;
      for (const { rule, detail } of legal(body.messages as unknown as WireMessage[]).slice(
        0,
        mostViolations,
      ))
        write({ type: 'anomaly', code: 'illegalHistory', detail: `${rule}: ${detail}`, about: [seq] });
      write({ type: 'round.ended', round: at.round, next: 'again' });
    },
  };

  function packing(list: readonly Known[], tail: PartId): EventBody {
    const now = new Set(list.map(({ id }) => id));
    const changed: FateChange[] = [];
    for (const id of history) {
      if (now.has(id) === !out.has(id)) continue;
      changed.push({ id, fate: now.has(id) ? 'kept' : 'dropped', rule: theirs });
      if (now.has(id)) out.delete(id);
      else out.add(id);
    }
    const counted: [MessageId, number][] = [];
    for (const { id, part: own } of list) {
      const size = countOf(own);
      if (tokens.get(id) !== size) counted.push([id, size]);
      tokens.set(id, size);
    }
    const tools = countOf(tail);
    const total = list.reduce((sum, { id }) => sum + (tokens.get(id) ?? 0), tools);
    const base = {
      policy: theirs,
      reserve: 0,
      fixed: { tools, format: 0 },
      meter: { estimate: total },
    };
    return { type: 'context.packed', ...base, total, counted, changed };
  }
}

function toolNames(tools: unknown): string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool) => {
    const name = (tool as { readonly function?: { readonly name?: unknown } } | null)?.function?.name;
    return typeof name === 'string' ? name : '';
  });
}
