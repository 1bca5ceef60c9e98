import type { EventBody, EventType } from '../core/events.ts';
import type { Redactor } from './redactor.ts';

/** Fields that hold words of people, models, tools or servers; ids, hashes and closed sets are ours. */
const wordy: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'session.opened': ['agent'],
  'run.ended': ['limit'],
  'round.ended': ['next'],
  'state.changed': ['key'],
  edited: ['target'],
  'model.requested': ['url'],
  'model.failed': ['message'],
  'call.started': ['name', 'wireId', 'approval'],
  'file.read': ['uri'],
  'file.changed': ['uri'],
  anomaly: ['detail'],
  logged: ['text', 'breakpoint'],
};

/** The event as it may be written: secrets in its words are replaced. Texts of parts are cleaned as parts. */
export function cleanEvent<Body extends EventBody>(body: Body, redactor: Redactor): Body {
  let clean = body;
  for (const field of wordy[body.type] ?? []) {
    const value = (body as unknown as Record<string, unknown>)[field];
    if (typeof value !== 'string') continue;
    const { text } = redactor.clean(value.toWellFormed());
    if (text !== value) clean = { ...clean, [field]: text };
  }
  return clean;
}
