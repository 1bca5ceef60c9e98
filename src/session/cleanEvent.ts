import type { EventBody, EventType, HistoryAppended } from '../core/events.ts';
import type { Redactor } from './redactor.ts';

/** Fields that hold words of people, models, tools or servers; ids, hashes and closed sets are ours. */
const wordy: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'session.opened': ['agent'],
  'run.ended': ['limit'],
  'round.ended': ['next'],
  'state.changed': ['key'],
  edited: ['target'],
  'model.requested': ['url'],
  'model.replied': ['finish'],
  'model.failed': ['message'],
  paused: ['hits'],
  'call.started': ['name', 'wireId', 'approval'],
  'file.read': ['uri'],
  'file.changed': ['uri'],
  anomaly: ['detail'],
  logged: ['text', 'breakpoint'],
};

/** The event as it may be written: secrets in its words are replaced. Texts of parts are cleaned as parts. */
export function cleanEvent<Body extends EventBody>(body: Body, redactor: Redactor): Body {
  if (body.type === 'history.appended') return cleanPlaces(body, redactor) as Body;
  let clean = body;
  for (const field of wordy[body.type] ?? []) {
    const value = (body as unknown as Record<string, unknown>)[field];
    const cleaned = Array.isArray(value)
      ? value.map((one: unknown) => cleanWord(one, redactor))
      : cleanWord(value, redactor);
    const isSame = Array.isArray(value)
      ? value.every((one, index) => one === (cleaned as unknown[])[index])
      : value === cleaned;
    if (!isSame) clean = { ...clean, [field]: cleaned };
  }
  return clean;
}

function cleanWord(value: unknown, redactor: Redactor): unknown {
  return typeof value === 'string' ? redactor.clean(value.toWellFormed()).text : value;
}

/** Where retrieved context is from may be an address with a key in it. */
function cleanPlaces(body: HistoryAppended, redactor: Redactor): HistoryAppended {
  const messages = body.messages.map((message) => {
    const { origin } = message;
    if (!origin.location) return message;
    const { text: path } = redactor.clean(origin.location.path.toWellFormed());
    if (path === origin.location.path) return message;
    return { ...message, origin: { ...origin, location: { ...origin.location, path } } };
  });
  return messages.every((message, index) => message === body.messages[index]) ? body : { ...body, messages };
}
