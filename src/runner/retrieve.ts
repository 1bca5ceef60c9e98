/**
 * Retrieval: a function of the user's may add context to the history before it is packed, with its origin, as messages
 * that every policy knows. It is bounded in time and size; when it fails, the run goes on without what it would have
 * added, and the journal says so.
 */
import { capText } from '../core/capText.ts';
import { currentRound, currentRun, type JournalState, partAt } from '../core/journalState.ts';
import type { Origin, WireMessage } from '../core/messages.ts';
import { isRecord, parseMessage } from '../core/parseMessage.ts';
import { serialise } from '../core/serialise.ts';
import { thrownText } from '../core/thrownText.ts';
import { historyMessages, type Session } from '../session/session.ts';
import type { StepPorts } from './stepPorts.ts';

export interface RetrieveInput {
  /** What the run is to do. */
  readonly goal: string;
  /** From 1. */
  readonly round: number;
  /** The history so far, in order; a copy. */
  readonly messages: readonly WireMessage[];
  /** Aborts when the run is cancelled, or when the time (`tool_timeout`) is up. */
  readonly signal: AbortSignal;
}

export interface Retrieved {
  readonly text: string;
  /** Where it is from, for the message's origin; `line` from 1. */
  readonly location?: { readonly path: string; readonly line: number };
}

/** Called once a round. What the history holds already is not added again. */
export type Retrieve = (
  input: RetrieveInput,
) => readonly Retrieved[] | undefined | Promise<readonly Retrieved[] | undefined>;

/** Texts that are taken in one round, and characters (code points) of one. */
const most = 10;
const longest = 4000;
/** Timers of Node count in 32 bits. */
const longestTimer = 2 ** 31 - 1;

/** Asks for context for the round that begins, and appends it. Never rejects. */
export async function retrieveContext(
  session: Session,
  { config, retrieve }: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  if (!retrieve || signal.aborted) return;
  try {
    const input = inputOf(session);
    const given = await withLimit(
      async (limited) => retrieve({ ...input, signal: limited }),
      config.tool_timeout * 1000,
      signal,
    );
    const { items, problem } = readItems(given);
    // The run that it was meant for is over.
    if (signal.aborted) return;
    add(session, items);
    if (problem !== undefined) report(session, problem);
  } catch (error) {
    if (!signal.aborted) report(session, thrownText(error));
  }
}

function inputOf({ journal, state }: Session): Omit<RetrieveInput, 'signal'> {
  const messages = historyMessages(state).flatMap(
    ({ text }) => parseMessage(journal.redactor.reveal(text)) ?? [],
  );
  const goal = historyMessages(state).find(({ id }) => id === currentRun(state)?.goal)?.text ?? '';
  const content = parseMessage(journal.redactor.reveal(goal))?.content;
  return {
    goal: typeof content === 'string' ? content : '',
    round: currentRound(state)?.round ?? 1,
    messages,
  };
}

/** What the function returns in time; rejects when it throws, when its time is up, and when the run is cancelled. */
async function withLimit<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  limitMs: number,
  signal: AbortSignal,
): Promise<Value> {
  const over = new AbortController();
  const limited = AbortSignal.any([signal, over.signal]);
  const timer = setTimeout(
    () => over.abort(new Error(`it took longer than ${limitMs} ms`)),
    Math.min(limitMs, longestTimer),
  );
  const ended = new Promise<never>((_resolve, reject) => {
    limited.addEventListener('abort', () => reject(limited.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(limited), ended]);
  } finally {
    clearTimeout(timer);
  }
}

/** What can be used of what came back, and what was wrong with the rest. */
function readItems(given: unknown): { readonly items: readonly Retrieved[]; readonly problem?: string } {
  if (given === undefined) return { items: [] };
  if (!Array.isArray(given)) throw new Error('it returned no list of { text, location? }');
  const read = (given as readonly unknown[]).slice(0, most).map(readItem);
  const items = read.filter((item) => item !== undefined);
  const bad = read.length - items.length;
  const more = given.length - read.length;
  const problems = [
    ...(bad > 0 ? [`${bad} of its items have no text, or a location that is not { path, line }`] : []),
    ...(more > 0 ? [`it returned ${given.length} items, of which ${most} are taken`] : []),
  ];
  return problems.length === 0 ? { items } : { items, problem: problems.join('; ') };
}

function readItem(item: unknown): Retrieved | undefined {
  if (!isRecord(item)) return undefined;
  const { text, location } = item;
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const short = capText(text, longest);
  if (location === undefined) return { text: short };
  if (!isRecord(location)) return undefined;
  const { path, line } = location;
  if (typeof path !== 'string' || !Number.isSafeInteger(line) || (line as number) < 1) return undefined;
  return { text: short, location: { path: capText(path, longest), line: line as number } };
}

/** Before the goal in a run's first round, so that the goal is what is answered; behind the last results after that. */
function add({ journal, state }: Session, items: readonly Retrieved[]): void {
  const known = retrievedParts(state);
  const place = currentRound(state)?.round === 1 ? currentRun(state)?.goal : undefined;
  const messages = items.flatMap(({ text, location }) => {
    const part = journal.part(serialise({ role: 'user', content: `[Retrieved context]\n${text}` }));
    if (known.has(part)) return [];
    known.add(part);
    const origin: Origin = { kind: 'retrieval', ...(location ? { location } : {}) };
    const before = place === undefined ? {} : { before: place };
    return [{ id: journal.nextMessage(), role: 'user' as const, part, origin, ...before }];
  });
  if (messages.length > 0) journal.append({ type: 'history.appended', messages });
}

/** What was retrieved so far, also what the user edited or packing left out since: it is not forced back in. */
function retrievedParts({ messages }: JournalState): Set<string> {
  return new Set(
    [...messages.values()]
      .filter(({ origin }) => origin.kind === 'retrieval')
      .flatMap((message) => [message.versions[0]?.part ?? '', partAt(message) ?? '']),
  );
}

function report({ journal }: Session, why: string): void {
  const detail = `The function "retrieve" did not add all that it could: ${why}.`;
  journal.append({ type: 'anomaly', code: 'retrieval-failed', detail, about: [] });
}
