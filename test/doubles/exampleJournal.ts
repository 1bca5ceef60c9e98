import { readFileSync } from 'node:fs';
import type { JournalEvent } from '../../src/core/events.ts';

/** The worked example of the journal: two runs, a retry, an edited and a rejected call, a truncation. */
export function exampleJournal(): JournalEvent[] {
  const text = readFileSync(new URL('../fixtures/journal-example.jsonl', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JournalEvent);
}
