/**
 * Legal history: what an OpenAI-compatible chat API takes. System (if any), then user first; each
 * assistant block with calls is followed directly by exactly one result per call; nothing orphaned,
 * nothing empty, nothing that a strict server refuses.
 *
 * `legal` is the oracle of the property tests: it runs before each request, on each load, after each op.
 */
import { type MessageFacts, messageFacts, type OwnRule } from './messageFacts.ts';
import type { WireMessage } from './messages.ts';

export type Rule = OwnRule | 'first-user' | 'system-first' | 'orphan-result' | 'missing-result';

export interface Violation {
  readonly rule: Rule;
  /** Index into the messages. */
  readonly index: number;
  /** In words, naming what and where. */
  readonly detail: string;
}

/** All violations, in order; an empty list means legal. An empty history is legal (nothing is sent yet). */
export function legal(messages: readonly WireMessage[]): readonly Violation[] {
  return legalSequence(messages.map(messageFacts));
}

/** The same of messages whose facts are known. */
export function legalSequence(messages: readonly MessageFacts[]): readonly Violation[] {
  const reading = createLegalReading();
  for (const message of messages) reading.add(message);
  return reading.violations();
}

/** One message after the other, for a history that grows. */
export interface LegalReading {
  add(message: MessageFacts): void;
  /** Those of a history that ends here. */
  violations(): readonly Violation[];
}

export function createLegalReading(): LegalReading {
  const found: Violation[] = [];
  const ids = new Set<string>();
  let open: OpenBlock | undefined;
  let begun = false;
  let index = -1;
  const add = (message: MessageFacts) => {
    index++;
    const report = (rule: Rule, detail: string) => found.push({ rule, index, detail });
    if (message.role === 'tool') {
      open = takeResult(message.answers, open, report);
    } else {
      found.push(...missing(open));
      open = undefined;
      // `developer` is what some servers call the role of instructions.
      if ((message.role === 'system' || message.role === 'developer') && begun)
        report('system-first', 'a system message stands after the conversation began');
      if (message.role === 'assistant') {
        if (!begun) report('first-user', 'the first message after the system prompt must be from the user');
        open = openBlock(message, index, ids, report);
      }
      begun ||= message.role === 'user' || message.role === 'assistant';
    }
    for (const { rule, detail } of message.faults) report(rule, detail);
  };
  return { add, violations: () => [...found, ...missing(open)] };
}

/** An assistant message whose results are awaited. */
interface OpenBlock {
  readonly index: number;
  readonly ids: readonly string[];
}

type Report = (rule: Rule, detail: string) => void;

function openBlock({ calls }: MessageFacts, index: number, ids: Set<string>, report: Report): OpenBlock {
  for (const { id } of calls) {
    if (ids.has(id)) report('duplicate-id', `call id ${JSON.stringify(id)} is used twice`);
    ids.add(id);
  }
  return { index, ids: calls.map(({ id }) => id) };
}

function missing(open: OpenBlock | undefined): Violation[] {
  return (open?.ids ?? []).map((id) => ({
    rule: 'missing-result',
    index: open?.index ?? 0,
    detail: `call ${JSON.stringify(id)} has no result`,
  }));
}

function takeResult(answers: unknown, open: OpenBlock | undefined, report: Report): OpenBlock | undefined {
  const at = typeof answers === 'string' ? (open?.ids.indexOf(answers) ?? -1) : -1;
  if (open && at >= 0) return { index: open.index, ids: open.ids.toSpliced(at, 1) };
  const shown = JSON.stringify(answers ?? null);
  report('orphan-result', `a result for ${shown} answers no open call of the block before it`);
  return open;
}
