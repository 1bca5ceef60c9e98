/** A long run as a journal, made directly: what a loop would write in minutes, without its requests' bytes. */
import { splicesBetween } from '../../src/core/body.ts';
import type { AppendedMessage, EventBody, FateChange, Item, JournalEvent } from '../../src/core/events.ts';
import type { Origin } from '../../src/core/messages.ts';

export interface LongRun {
  readonly rounds: number;
  /** Calls of each round: so many results and one assistant message are added. */
  readonly calls: number;
  /** Characters of each result. */
  readonly chars: number;
  /** Messages that a request may have; the oldest blocks leave. All are sent without it. */
  readonly window?: number;
  /** Tokens; a message counts as 20. 300,000 without it. */
  readonly limit?: number;
}

const tokensOf = (text: string) => Math.ceil(text.length / 4);
const meter = { estimate: 1 };

/** One run, every round with an assistant block; the events stand as a journal on disk has them. */
export function longJournal({
  rounds,
  calls,
  chars,
  window = Infinity,
  limit = 300_000,
}: LongRun): JournalEvent[] {
  const events: JournalEvent[] = [];
  const counts = { part: 0, message: 0 };
  const sizes: [id: string, tokens: number][] = [];
  const write = (...bodies: readonly EventBody[]) => {
    for (const body of bodies) events.push({ seq: events.length, at: 1000 * events.length, ...body });
  };
  const part = (text: string) => {
    const id = `p${++counts.part}`;
    write({ type: 'part', id, text });
    return id;
  };
  const message = (role: AppendedMessage['role'], kind: Origin['kind'], value: object): AppendedMessage => {
    const text = JSON.stringify({ role, ...value });
    const id = `m${++counts.message}`;
    sizes.push([id, tokensOf(text)]);
    return { id, role, part: part(text), origin: { kind } };
  };

  write({ type: 'session.opened', v: 1, session: 's-long', kind: 'launch', agent: 'long.agent.json' });
  const [head, tail, config] = [part('{"messages":['), part('],"stream":true}'), part('{"max_iters":1000}')];
  const first = [
    message('system', 'system', { content: 'You make steps.' }),
    message('user', 'user', { content: 'Make all the steps.' }),
  ];
  write({ type: 'run.started', run: 1, goal: 'm2', config }, { type: 'history.appended', messages: first });
  const history = first.map(({ id }) => id);
  let sent: readonly Item[] = [];
  let left = 0;
  for (let round = 1; round <= rounds; round++) {
    const changed: FateChange[] = [];
    for (; history.length - left > window; left += calls + 1)
      for (const id of history.slice(2 + left, 2 + left + calls + 1))
        changed.push({
          id,
          fate: 'dropped',
          rule: 'drop-oldest',
          need: 900,
          room: 100,
          tiedTo: history[2 + left]!,
        });
    const items = [...history.slice(0, 2), ...history.slice(2 + left)];
    const total = 20 * items.length;
    write(
      { type: 'round.started', round },
      {
        type: 'context.packed',
        policy: 'drop-oldest',
        limit,
        reserve: 1000,
        fixed: { tools: 9, format: 3 },
        meter,
        total,
        counted: sizes.splice(0),
        changed,
      },
      { type: 'checkpoint', kind: 'plan' },
      {
        type: 'model.requested',
        request: `r${round}`,
        attempt: 1,
        purpose: 'round',
        url: 'demo:',
        on: round === 1 ? null : `r${round - 1}`,
        head,
        tail: [tail],
        splices: splicesBetween(sent, items),
        hash: '',
        bytes: 0,
      },
    );
    sent = items;
    const tool_calls = Array.from({ length: calls }, (_, index) => ({
      id: `call_${round}_${index}`,
      type: 'function',
      function: {
        name: index % 2 ? 'read_file' : 'step',
        arguments: JSON.stringify({ n: round * calls + index }),
      },
    }));
    const reply = message('assistant', 'reply', { content: `Round ${round}: I go on.`, tool_calls });
    const { id: id_, part: part_ } = reply;
    write({
      type: 'model.replied',
      request: `r${round}`,
      attempt: 1,
      message: id_,
      reply: part_,
      usage: { prompt: total, completion: 30 },
      finish: 'tool_calls',
      ms: 900,
      source: 'live',
    });
    const block = [reply];
    for (const [index, call] of tool_calls.entries()) {
      const key = `1.${round}.${index + 1}`;
      const line = `line ${(round * calls + index) * 7919} of the report, "quoted". `;
      const content = line.repeat(Math.ceil(chars / line.length)).slice(0, chars);
      write(
        { type: 'checkpoint', kind: 'act', key },
        { type: 'call.started', key, name: call.function.name, wireId: call.id, effects: 'none' },
      );
      const result = message('tool', 'call', { tool_call_id: call.id, content });
      write({
        type: 'call.finished',
        key,
        outcome: index === 3 ? 'error' : 'ok',
        message: result.id,
        part: result.part,
        ms: 5,
        source: 'live',
      });
      block.push(result);
    }
    write(
      { type: 'checkpoint', kind: 'observe' },
      { type: 'history.appended', messages: block },
      { type: 'round.ended', round, next: 'again' },
    );
    history.push(...block.map(({ id }) => id));
  }
  return events;
}
