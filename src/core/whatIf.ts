/** What a run would have sent under another budget: the question and its answer, as they cross to a panel. */
import type { PolicyName } from './config.ts';
import type { Fate } from './events.ts';
import type { MessageId } from './messages.ts';
import type { RoundRef } from './protocol.ts';

/** Policies that can be tried out: all that come with the product. Of `summarize` the size of a summary is assumed. */
export const whatIfPolicies = [
  'drop-oldest',
  'window',
  'blank-results',
  'summarize',
  'none',
] as const satisfies readonly PolicyName[];

export interface WhatIfAsk {
  /** Tokens of a request with its reply. */
  readonly limit: number;
  /** One of `whatIfPolicies`, or the module of the user's that the session has loaded. */
  readonly policy: string;
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
  /** Where something was folded: what its summary was taken to be. */
  readonly assumed?: AssumedSummary;
  /** The first round in which the text was in no message that is sent, after one had it. */
  readonly textLost?: number;
}

/** The size of a summary that nobody has written: as those of this session are, or the most that one may have. */
export interface AssumedSummary {
  readonly tokens: number;
  readonly by: 'written' | 'most';
}

export interface WhatIfGroup {
  readonly ids: readonly MessageId[];
  /** From a round to before another one: what became of them. What is not covered had not happened yet. */
  readonly spans: readonly (readonly [from: number, to: number, fate: Fate])[];
}
