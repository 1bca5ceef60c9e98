import { serialise } from './serialise.ts';

/** What was thrown, in words, for the code of others that we call; total, also for values whose getters throw. */
export function thrownText(thrown: unknown): string {
  if (thrown === undefined || thrown === null) return String(thrown);
  try {
    if (thrown instanceof Error && typeof thrown.message === 'string' && thrown.message !== '')
      return thrown.message.toWellFormed();
  } catch {
    // A hostile `message`: the serialiser says what it can.
  }
  return typeof thrown === 'string' ? thrown.toWellFormed() : serialise(thrown);
}
