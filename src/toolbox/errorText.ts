import { thrownText } from '../core/thrownText.ts';
import { ToolError } from './toolError.ts';

/** What was thrown, in words; total, also for values whose getters throw. */
export function errorText(thrown: unknown): string {
  return words(thrown).toWellFormed() || 'failed without saying why';
}

function words(thrown: unknown): string {
  if (thrown === undefined || thrown === null) return '';
  if (typeof thrown === 'string') return thrown;
  try {
    if (thrown instanceof ToolError) return String(thrown.message);
    if (thrown instanceof Error) return String(thrown);
  } catch {
    // A hostile `message` or `name`: the serialiser says what it can.
  }
  return thrownText(thrown);
}
