/**
 * Packing: which messages of the history are sent, and by what arithmetic the others are not. Pure and
 * synchronous; the loop, the what-if and the tests call the same function.
 *
 * First no message is larger than the cap. Then a policy decides what leaves: an assistant block with its results is
 * one unit, kept or left whole; the system prompt and the run's goal never leave. What a policy decides is held to
 * these rules, and what does not fit is blocked with numbers, never sent.
 */
import type { PolicyName } from '../core/config.ts';
import type { FateChange } from '../core/events.ts';
import type { MessageId, Role } from '../core/messages.ts';
import { applyDecisions } from './applyDecisions.ts';
import { type Blocked, floorOf, tooLarge } from './blocked.ts';
import { capMessages, shareRoom } from './capMessages.ts';
import { foldTarget, foldTrigger, foldWish, type FoldWish } from './foldWish.ts';
import { policies } from './policies.ts';
import type { Policy } from './policy.ts';
import { tallyOf } from './tally.ts';
import { resized, type Unit, unitsOf } from './units.ts';

export interface PackMessage {
  readonly id: MessageId;
  readonly role: Role;
  /** Which run's goal this is, when it is one. */
  readonly goalOf?: number;
  readonly run: number;
  /** Tokens of its whole text. */
  readonly tokens: number;
  /** An assistant message that has calls: the results behind it belong to it. */
  readonly hasCalls: boolean;
  /** A person's own words: never shortened. */
  readonly uncut?: boolean;
  /** Tokens of the line that may stand for it; only results have one. */
  readonly stub?: number | undefined;
  /** Added to the conversation, not part of it: a summary, retrieved context. */
  readonly added?: boolean;
  /** The summary that stands for it. */
  readonly foldedInto?: MessageId;
}

export interface PackInput {
  /** The history, in order. */
  readonly messages: readonly PackMessage[];
  /** The run whose request this is. */
  readonly run: number;
  readonly policy: PolicyName | NamedPolicy;
  /** Tokens: the limit of the whole request with its reply, kept free for the reply, tools and framing. */
  readonly limit: number;
  readonly reserve: number;
  readonly fixed: number;
  /** Tokens that one message may have. */
  readonly cap: number;
  /** N of the policy `window`. */
  readonly window: number;
  readonly pins: ReadonlySet<MessageId>;
  /** Results that the user took out of this request, with the calls that they answer. */
  readonly removed?: ReadonlySet<MessageId>;
  /** The user's word on messages of this request. */
  readonly forced: ReadonlyMap<MessageId, 'drop' | 'restore'>;
  /** Tokens of a message that is cut to `max` tokens: at most `max`, where it can be cut that far. Pure. */
  readonly cut: (id: MessageId, max: number) => number;
  /** The text of a message, for policies that look at it. */
  readonly text: (id: MessageId) => string;
}

/** A policy of the user's, by the name that messages call it. */
export interface NamedPolicy {
  readonly name: string;
  readonly decide: Policy;
}

/** How a message is shortened: cut to so many tokens, or one line in its place. */
export type Shortened = number | 'stub';

export interface Packed {
  /** What is sent, in history order. */
  readonly kept: readonly MessageId[];
  /** Every message that is not sent as it is, with its arithmetic. */
  readonly left: readonly FateChange[];
  /** Tokens of the messages that are shortened, as they are sent; the others have the tokens of their whole text. */
  readonly sizes: ReadonlyMap<MessageId, number>;
  /** How the trimmed ones are shortened. */
  readonly shortened: ReadonlyMap<MessageId, Shortened>;
  /** Tokens of the packed request: fixed + kept. */
  readonly total: number;
  /** What the policy `summarize` would have folded; it is sent as it is until a summary stands for it. */
  readonly fold?: FoldWish;
  /** Set when nothing may be sent, and why. */
  readonly blocked?: Blocked;
}

/** A packing in the making. */
export interface Draft {
  /** Tokens of what is shortened: see `sizeIn`. */
  readonly sizes: Map<MessageId, number>;
  readonly shortened: Map<MessageId, Shortened>;
  readonly fates: Map<MessageId, Omit<FateChange, 'id' | 'tiedTo'>>;
}

/** Tokens of a message as it is sent. */
export function sizeIn({ sizes }: Pick<Packed, 'sizes'>, { id, tokens }: PackMessage): number {
  return sizes.size === 0 ? tokens : (sizes.get(id) ?? tokens);
}

const none: ReadonlySet<MessageId> = new Set();

/** Packs a history under a budget. For `none` everything is kept, whatever it needs. */
export function pack(input: PackInput): Packed {
  return asItIs(input) ?? packByRule(input);
}

/**
 * What comes out in most rounds: all of it fits, and nobody said a word on it. It is the answer of the rules, without
 * their walks over units: a history of a thousand messages is packed before every request.
 */
function asItIs(input: PackInput): Packed | undefined {
  const { messages, policy, removed = none, forced, fixed, reserve, limit, cap, window } = input;
  if (typeof policy !== 'string' || policy === 'none') return undefined;
  if (removed.size + forced.size > 0 || (policy === 'window' && messages.length > window)) return undefined;
  const most = policy === 'summarize' ? foldTrigger(budgetOf(input)) : limit - reserve;
  const { ids, tokens, largest, isAnyFolded } = tallyOf(messages);
  const total = fixed + tokens;
  // Said so that a limit that is no number is one that nothing fits.
  if (!(largest <= cap && total <= most) || isAnyFolded) return undefined;
  return { kept: ids, left: [], sizes: new Map(), shortened: new Map(), total };
}

function packByRule(input: PackInput): Packed {
  const draft: Draft = { sizes: new Map(), shortened: new Map(), fates: new Map() };
  const { removed = none } = input;
  for (const id of removed) draft.fates.set(id, { fate: 'dropped', rule: 'user' });
  capMessages(draft, input);
  const there =
    removed.size === 0 ? input : { ...input, messages: input.messages.filter(({ id }) => !removed.has(id)) };
  const all = unitsOf(there, (message) => sizeIn(draft, message));
  const present = leaveFirst(draft, all, input);
  if (input.policy === 'none') return result(draft, all, input);
  shareRoom(draft, present, input);
  const units = present.map((unit) => sized(unit, draft));
  const floor = floorOf(units, input);
  // Where the floor does not fit, a module of the user's is not asked for what can not be done.
  const problem = floor && typeof input.policy !== 'string' ? undefined : decide(draft, units, input);
  const packed = result(draft, all, input);
  const blocked = floor ?? problem ?? tooLarge(packed, input);
  const wanted = input.policy === 'summarize' && !floor;
  const fold = wanted ? foldWish(units, input.fixed, budgetOf(input)) : undefined;
  return { ...packed, ...(fold ? { fold } : {}), ...(blocked ? { blocked } : {}) };
}

/** What leaves before any policy is asked: what the user dropped from this request, what a summary stands for. */
function leaveFirst(draft: Draft, all: readonly Unit[], input: PackInput): Unit[] {
  const isFolded = ({ messages, pinned }: Unit) => !pinned && messages[0]?.foldedInto !== undefined;
  const present = all.filter((unit) => unit.forced !== 'drop' && !isFolded(unit));
  const sent = present.reduce((sum, unit) => sum + unit.tokens, input.fixed);
  const room = Math.max(0, foldTarget(budgetOf(input)) - sent);
  const stays = new Set(present);
  for (const unit of all) {
    if (stays.has(unit)) continue;
    for (const { id, foldedInto: into } of unit.messages) {
      const folded = {
        fate: 'folded',
        rule: 'summarize',
        need: unit.tokens,
        room,
        into: into ?? '',
      } as const;
      draft.fates.set(id, unit.forced === 'drop' ? { fate: 'dropped', rule: 'user' } : folded);
    }
  }
  return present;
}

function budgetOf({ limit, reserve }: PackInput) {
  return { max_tokens: limit, reserve };
}

function sized(unit: Unit, draft: Draft): Unit {
  const messages = resized(unit.messages, (message) => sizeIn(draft, message));
  if (messages === unit.messages) return unit;
  return { ...unit, messages, tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** Asks the policy and takes what it decides, unless that breaks a rule. */
function decide(draft: Draft, units: readonly Unit[], input: PackInput): Blocked | undefined {
  const { policy, limit, reserve, fixed, window, text } = input;
  const staying = units.reduce((sum, unit) => sum + (unit.pinned ? unit.tokens : 0), fixed);
  const named = typeof policy === 'string' ? { name: policy, decide: policies[policy] } : policy;
  // A copy: a module that writes into what it is given must not change what its answer is held to.
  const shown = typeof policy === 'string' ? units : structuredClone(units);
  const offered = { units: shown, room: limit - reserve - staying, window, text };
  return applyDecisions(draft, units, named, offered, input);
}

function result(draft: Draft, all: readonly Unit[], input: PackInput): Packed {
  const { sizes, shortened, fates } = draft;
  const tied = fates.size === 0 ? [] : all;
  const ties = new Map(
    tied.flatMap(({ messages }) => messages.slice(1).map(({ id }) => [id, messages[0]!.id] as const)),
  );
  const kept: MessageId[] = [];
  const left: FateChange[] = [];
  let total = input.fixed;
  for (const message of input.messages) {
    const { id } = message;
    const change = fates.size === 0 ? undefined : fates.get(id);
    const out = change !== undefined && change.fate !== 'trimmed';
    if (!out) {
      kept.push(id);
      total += sizeIn(draft, message);
    }
    const tiedTo = out ? ties.get(id) : undefined;
    if (change) left.push({ id, ...change, ...(tiedTo === undefined ? {} : { tiedTo }) });
  }
  return { kept, left, sizes, shortened, total };
}
