/** Why nothing may be sent: in tokens, with the largest parts, and in words that say what helps. */
import { type Packed, type PackInput, type PackMessage, sizeIn } from './pack.ts';
import type { Unit } from './units.ts';

export interface Blocked {
  /** The smallest request is too large; the policy left too much; the policy did what no policy may do. */
  readonly why: 'floor' | 'over' | 'policy';
  /** Tokens of that request with the reserve for its reply, and the limit. */
  readonly needs: number;
  readonly limit: number;
  readonly largest: readonly LargePart[];
  readonly policy: string;
  /** What the policy did, in words. */
  readonly problem?: string;
}

export interface LargePart {
  readonly part: string;
  readonly tokens: number;
  /** A person's own words, which are never cut. */
  readonly uncut?: true;
}

/** Pinned + tools + reserve + the newest unit: when this does not fit, no packing can. */
export function floorOf(units: readonly Unit[], input: PackInput): Blocked | undefined {
  const must = units.filter((unit) => unit.pinned || unit.newest).flatMap(({ messages }) => messages);
  const needs = must.reduce((sum, { tokens }) => sum + tokens, input.fixed + input.reserve);
  return needs <= input.limit ? undefined : blockedBy('floor', needs, must, input);
}

/** A packing that does not fit, although the floor does. */
export function tooLarge(packed: Packed, input: PackInput): Blocked | undefined {
  const needs = packed.total + input.reserve;
  if (needs <= input.limit) return undefined;
  const sent = new Set(packed.kept);
  const messages = input.messages
    .filter(({ id }) => sent.has(id))
    .map((message) => ({ ...message, tokens: sizeIn(packed, message) }));
  return blockedBy('over', needs, messages, input);
}

export function blockedBy(
  why: Blocked['why'],
  needs: number,
  messages: readonly PackMessage[],
  input: PackInput,
  problem?: string,
): Blocked {
  const parts = messages.map(({ id, role, tokens, uncut }): LargePart => {
    return { part: `${id} (${role})`, tokens, ...(uncut ? { uncut } : {}) };
  });
  const all = [
    ...parts,
    { part: 'tools and framing', tokens: input.fixed },
    { part: 'reserve for the reply', tokens: input.reserve },
  ];
  return {
    why,
    needs,
    limit: input.limit,
    largest: all.sort((a, b) => b.tokens - a.tokens).slice(0, 4),
    policy: policyName(input),
    ...(problem === undefined ? {} : { problem }),
  };
}

export function policyName({ policy }: PackInput): string {
  return typeof policy === 'string' ? policy : policy.name;
}

/** For people: what does not fit, by how much, and what to do about it. */
export function blockedWords(blocked: Blocked): string {
  const { why, needs, limit, largest, policy, problem } = blocked;
  const parts = `Largest parts: ${largest.map(({ part, tokens }) => `${part} ${tokens}`).join(', ')}.`;
  const own = largest[0]?.uncut ? ` A user's message is never cut: shorten ${largest[0].part}.` : '';
  const help = `Raise context.max_tokens, lower context.reserve, or shorten these parts.${own}`;
  switch (why) {
    case 'floor':
      return `Context floor: the smallest possible request needs ${needs} tokens and the limit is ${limit}. ${parts} ${help}`;
    case 'over':
      return `The policy "${policy}" left a request that needs ${needs} tokens and the limit is ${limit}. ${parts} ${help}`;
    case 'policy':
      return `The policy "${policy}" can not be used: ${problem ?? ''}. Nothing was sent.`;
  }
}
