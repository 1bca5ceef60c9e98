import type { Observation } from '../core/messages.ts';
import { serialise } from '../core/serialise.ts';

/** A result as text that can be cut and paged through: a text as it is, anything else as JSON. */
export function resultText(observation: Observation): string {
  const value = observation.success ? observation.data : observation.error;
  return typeof value === 'string' ? value : serialise(value);
}
