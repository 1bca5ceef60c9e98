/**
 * What a context policy is: a pure function from the units of a history and the room for them to what leaves or is
 * shortened. The policies that come with Loopscope are such functions, and a user's own module may be one. What it
 * decides is checked (see `pack`): the system prompt, the run's goal and pins stay, an assistant block leaves with
 * all its results or not at all, and what is sent fits.
 */
import type { MessageId, Role } from '../core/messages.ts';

export type Policy = (input: PolicyInput) => readonly PolicyDecision[];

export interface PolicyInput {
  /** The history in order, without what has left already. */
  readonly units: readonly PolicyUnit[];
  /** Tokens for the units that are not pinned. */
  readonly room: number;
  /** `max_history` of the agent. */
  readonly window: number;
  /** The JSON text of a message, as it would be sent. */
  readonly text: (id: MessageId) => string;
}

/** A message by itself, or an assistant message with the results of its calls. */
export interface PolicyUnit {
  readonly messages: readonly PolicyMessage[];
  /** Tokens of its messages. */
  readonly tokens: number;
  /** The run it belongs to, from 1. */
  readonly run: number;
  /** It can not leave and is not shortened: system prompt, the run's goal, what the user pinned or restored. */
  readonly pinned: boolean;
  /** What the model must see to go on. */
  readonly newest: boolean;
  /** The goal of an earlier run. */
  readonly goal: boolean;
}

export interface PolicyMessage {
  readonly id: MessageId;
  readonly role: Role;
  readonly tokens: number;
  /** Tokens of the line that may stand for a result; undefined for other messages. */
  readonly stub?: number | undefined;
}

export type PolicyDecision =
  /** Not sent. All messages of a unit are named, or none. */
  | (Arithmetic & { readonly id: MessageId; readonly fate: 'dropped' })
  /** Sent shortened: to so many tokens, or to one line (results only). */
  | (Arithmetic & { readonly id: MessageId; readonly fate: 'trimmed'; readonly to: number | 'stub' });

/** In tokens (for `window`, in messages): what it needs, and the room that there was. */
interface Arithmetic {
  readonly need?: number;
  readonly room?: number;
  /** The policy's name, where this is not given. */
  readonly rule?: string;
}
