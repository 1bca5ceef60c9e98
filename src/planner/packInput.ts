/** What `pack` is given, from a session as it stands; the loop and the what-if build it the same way. */
import { type AgentConfig, type ContextConfig, isPolicyName } from '../core/config.ts';
import {
  currentRound,
  currentRun,
  type JournalState,
  type MessageState,
  textOf,
} from '../core/journalState.ts';
import type { CallKey, MessageId, Origin } from '../core/messages.ts';
import { requestHistory } from '../core/requestHistory.ts';
import type { Measured, Measures } from './measure.ts';
import type { NamedPolicy, Packed, PackInput, PackMessage } from './pack.ts';
import { grown } from './tally.ts';

export interface PackSource {
  readonly state: JournalState;
  readonly config: AgentConfig;
  readonly measures: Measures;
  /** In place of the policy that the settings name. */
  readonly policy?: NamedPolicy | undefined;
  /** Tokens of a request with its reply: what the settings allow, or what the server is known to take. */
  readonly limit: number;
  /** Tokens of tools and framing, in the unit of the meter. */
  readonly fixed: number;
  /** Tokens of the meter for one of our own count. */
  readonly factor: number;
  /** Whether a result that is cut says where its rest can be read: only where the tool that reads it is offered. */
  readonly saysRest: boolean;
}

/** With its count before the meter made it its own. */
export interface MeasuredMessage extends PackMessage {
  readonly measured: Measured;
}

export function packInput(source: PackSource): PackInput & { readonly messages: readonly MeasuredMessage[] } {
  const { state, config, measures, limit, fixed, factor } = source;
  const { reserve, policy } = config.context;
  const text = (id: MessageId) => sentText(state, id) ?? '';
  return {
    messages: packMessages(source),
    run: currentRun(state)?.run ?? 0,
    policy: source.policy ?? (isPolicyName(policy) ? policy : notLoaded(policy)),
    limit,
    reserve,
    fixed,
    cap: messageCap({ ...config.context, max_tokens: limit }),
    window: config.max_history,
    pins: state.pins,
    removed: currentRound(state)?.requestEdits.removed ?? new Set<MessageId>(),
    forced: currentRound(state)?.requestEdits.fates ?? new Map<MessageId, 'drop' | 'restore'>(),
    cut: (id, max) =>
      scaled(measures.cut(text(id), ownCount(max, factor), callOf(source, id)).tokens, factor),
    text,
  };
}

/** Blocks the run by its name: another policy in its place would not be what was asked for. */
function notLoaded(name: string): NamedPolicy {
  return {
    name,
    decide() {
      throw new Error('its module was not loaded');
    },
  };
}

/** The texts that are sent in place of the messages' own, where a packing shortened them. */
export function shortenedTexts(packed: Packed, source: PackSource): ReadonlyMap<MessageId, string> {
  const { state, measures, factor } = source;
  return new Map(
    [...packed.shortened].map(([id, how]) => {
      const text = sentText(state, id) ?? '';
      const form =
        how === 'stub' ? measures.stub(text) : measures.cut(text, ownCount(how, factor), callOf(source, id));
      return [id, form.text];
    }),
  );
}

/** Tokens that one message may have: what the agent says, else half of what a request may have. */
export function messageCap({ max_message, max_tokens, reserve }: ContextConfig): number {
  return max_message ?? Math.max(smallestCap, Math.floor((max_tokens - reserve) / 2));
}

/** In a tiny window half of it would cut what fits quite well. */
const smallestCap = 256;

/** Tokens in the unit of the meter, for tokens of our own count. */
export function scaled(tokens: number, factor: number): number {
  return Math.round(tokens * factor);
}

function ownCount(tokens: number, factor: number): number {
  return Math.floor(tokens / factor);
}

/** The messages as they were packed last, and what that depends on. */
interface Made {
  readonly state: JournalState;
  readonly rewritten: number;
  readonly factor: number;
  /** Of the history: how many messages these are. */
  readonly length: number;
  readonly messages: readonly MeasuredMessage[];
}

/** A history of a thousand messages is packed in every round: while it only grows, what was made of it stays. */
const made = new WeakMap<Measures, Made>();

function packMessages(source: PackSource): readonly MeasuredMessage[] {
  const { state, measures, factor } = source;
  const { rewritten } = state;
  const history = requestHistory(state);
  const last = made.get(measures);
  const goesOn = last?.state === state && last.rewritten === rewritten && last.factor === factor;
  const goals = new Map(state.runs.map(({ goal, run }) => [goal, run]));
  const fresh = history.slice(goesOn ? last.length : 0).flatMap((id) => {
    const known = state.messages.get(id);
    return (known && packMessage(source, id, known, goals.get(id))) ?? [];
  });
  const messages = goesOn ? grown(last.messages, fresh) : fresh;
  made.set(measures, { state, rewritten, factor, length: history.length, messages });
  return messages;
}

function packMessage(
  { state, measures, factor }: PackSource,
  id: MessageId,
  known: MessageState,
  goalOf: number | undefined,
): MeasuredMessage | undefined {
  const text = sentText(state, id);
  const measured = text === undefined ? undefined : measures.of(text);
  if (text === undefined || !measured) return undefined;
  const added = isAdded(known.origin);
  const into = state.folded.get(id);
  return {
    id,
    role: known.role,
    run: ageOf(state, known),
    tokens: scaled(measured.tokens, factor),
    measured,
    hasCalls: measured.hasCalls,
    ...(known.role === 'user' && !added ? { uncut: true } : {}),
    ...(added ? { added } : {}),
    ...(into === undefined ? {} : { foldedInto: into }),
    ...(goalOf === undefined ? {} : { goalOf }),
    // Made where a policy asks for it: most never do.
    get stub() {
      return known.role === 'tool' ? scaled(measures.stub(text).tokens, factor) : undefined;
    },
  };
}

/** The text a message would be sent with: its own, or the one that it was given for this request. */
function sentText(state: JournalState, id: MessageId): string | undefined {
  const edited = currentRound(state)?.requestEdits.texts.get(id);
  return state.parts.get(edited ?? '') ?? textOf(state, id);
}

/** Whose result a message is, where it is to say so. */
function callOf({ state, saysRest }: PackSource, id: MessageId): CallKey | undefined {
  const origin = saysRest ? state.messages.get(id)?.origin : undefined;
  return origin?.kind === 'call' ? origin.call : undefined;
}

/** The run it is as old as: a summary is as old as what it stands for. */
function ageOf(state: JournalState, { run, origin }: MessageState): number {
  const first = state.messages.get(origin.folds?.[0] ?? '');
  return first ? ageOf(state, first) : run;
}

function isAdded({ kind }: Origin): boolean {
  return kind === 'summary' || kind === 'retrieval';
}
