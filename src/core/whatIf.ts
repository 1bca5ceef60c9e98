/** What a run would have sent under another budget: the question and its answer, as they cross to a panel. */
import type { PolicyName } from './config.ts';
import type { Fate } from './events.ts';
import type { MessageId } from './messages.ts';
import type { RoundRef } from './protocol.ts';

/** Policies that answer without a model: a summary would have to be asked for. */
export const whatIfPolicies = [
  'drop-oldest',
  'window',
  'blank-results',
  'none',
] as const satisfies readonly PolicyName[];

export interface WhatIfAsk {
  /** Tokens of a request with its reply. */
  readonly limit: number;
  readonly policy: (typeof whatIfPolicies)[number];
  /** A text that should stay in the context; empty: none. */
  readonly text: string;
}

export interface WhatIfAnswer {
  readonly ask: WhatIfAsk;
  /** The rounds that packed, in order; the numbers below are places in this list. */
  readonly rounds: readonly RoundRef[];
  /** Tokens of each round's request. */
  readonly totals: readonly number[];
  /** Messages that fare alike, in the order of the history. */
  readonly groups: readonly WhatIfGroup[];
  /** What leaves, with the first round without it; `was`: that round as it really went, where it left at all. */
  readonly leaves: readonly {
    readonly ids: readonly MessageId[];
    readonly round: number;
    readonly was?: number;
  }[];
  /** The first round that could not be sent: system prompt, goal, pins and the newest messages do not fit. */
  readonly blocked?: { readonly round: number; readonly needs: number };
  /** The first round in which the text was in no message that is sent, after one had it. */
  readonly textLost?: number;
}

export interface WhatIfGroup {
  readonly ids: readonly MessageId[];
  /** From a round to before another one: what became of them. What is not covered had not happened yet. */
  readonly spans: readonly (readonly [from: number, to: number, fate: Fate])[];
}
