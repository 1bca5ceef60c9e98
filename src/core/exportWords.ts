import type { Change } from './compareSent.ts';
import type { Outcome } from './events.ts';

/** What an export says of its own, in the user's language. `{0}`, `{1}` are places. */
export interface ExportWords {
  readonly session: string;
  readonly run: string;
  readonly round: string;
  /** Tokens of a request by our count. */
  readonly sent: string;
  readonly kept: string;
  readonly reply: string;
  readonly ended: string;
  readonly need: string;
  /** What the run took. */
  readonly rounds: string;
  readonly tokens: string;
  readonly changes: Readonly<Record<Change, string>>;
  readonly outcomes: Readonly<Record<Outcome, string>>;
}

export function filled(words: string, ...values: readonly (string | number)[]): string {
  return words.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)] ?? ''));
}
