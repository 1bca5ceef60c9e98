export interface Refusal {
  readonly ok: false;
  /** For people, in English: which rule, and what would be taken. */
  readonly reason: string;
  /** The same for a translator: the sentence with `{0}`, `{1}`, …, and what stands there. */
  readonly sentence: string;
  readonly args: readonly string[];
}

/** A refusal in words: `{0}`, `{1}`, … in the sentence stand for the arguments. */
export function refuse(sentence: string, ...args: readonly string[]): Refusal {
  const reason = sentence.replace(/\{(\d)\}/g, (_, n: string) => args[Number(n)] ?? '');
  return { ok: false, reason, sentence, args };
}

/** Of every edit and command while the debugger looks back. */
export const inThePast = refuse(
  'You are looking at the past: it can be read, not changed. Continue to the present first.',
);
