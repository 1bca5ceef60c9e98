import type { ModelFailure } from '../core/ports.ts';

/** Share of the window from which on an unexplained refusal is taken for an overflow. */
const nearly = 0.9;

export interface Fullness {
  /** Tokens of the packed request, what is kept free for the reply, and what both may come to. */
  readonly packed: number;
  readonly reserve: number;
  readonly window: number;
}

/** A refusal that explains itself by nothing, of a request that nearly fills the window, is about its size. */
export function guessOverflow(failure: ModelFailure, { packed, reserve, window }: Fullness): ModelFailure {
  const refused = failure.status === 400 || failure.status === 413;
  if (!failure.unexplained || !refused || packed + reserve <= nearly * window) return failure;
  const message =
    `${failure.message} The request fills its window (${packed} tokens and ${reserve} for the reply, ` +
    `of ${window}), so this is taken for an overflow.`;
  return {
    ...failure,
    class: 'overflow',
    message,
    notes: [...failure.notes, { code: 'overflow-guessed', detail: message }],
  };
}
