import type { Op } from './ops.ts';

export interface Refusal {
  readonly ok: false;
  /** For people, in English: which rule, and what would be taken. */
  readonly reason: string;
  /** The same for a translator: the sentence with `{0}`, `{1}`, …, and what stands there. */
  readonly sentence: string;
  readonly args: readonly string[];
  /** The rule that it would break, where it has a name: one of `legal`, or of how runs are packed. */
  readonly rule?: string;
  /** The smallest change that would be taken instead: ops in order, each legal after the one before. Never done unasked. */
  readonly offer?: readonly Op[];
}

/** A refusal in words: `{0}`, `{1}`, … in the sentence stand for the arguments. */
export function refuse(sentence: string, ...args: readonly string[]): Refusal {
  const reason = sentence.replace(/\{(\d)\}/g, (_, n: string) => args[Number(n)] ?? '');
  return { ok: false, reason, sentence, args };
}

/** The refusal with what would be taken instead; unchanged where there is nothing. */
export function offering(refusal: Refusal, ...ops: readonly Op[]): Refusal {
  return ops.length === 0 ? refusal : { ...refusal, offer: ops };
}

/** Of every edit and command while the debugger looks back. */
export const inThePast = refuse(
  'You are looking at the past: it can be read, not changed. Continue to the present first.',
);
