/** What the Debug Console says of edits: what was changed, how far it reaches, and at plan what it costs. */
import * as l10n from '@vscode/l10n';
import type { Edited, EditKind, JournalEvent } from '../core/events.ts';
import type { JournalState } from '../core/journalState.ts';
import { scopeWords } from './opWords.ts';

export interface EditOutput {
  /** After the event was folded into `state`. */
  onEvent(state: JournalState, event: JournalEvent): void;
}

/** At plan an edit is told of when it is packed: its numbers are the packing's. */
export function createEditOutput(print: (text: string) => void): EditOutput {
  let waiting: string[] = [];
  let before = 0;
  const flush = (after = '') => {
    if (waiting.length > 0) print(waiting.join('; ') + after);
    waiting = [];
  };
  return {
    onEvent(state, event) {
      if (event.type === 'edited' && event.by === 'user') {
        const total = state.packings.at(-1)?.event.total ?? 0;
        if (waiting.length === 0) before = total;
        waiting.push(editWords(event));
        if (state.checkpoint?.kind !== 'plan') flush();
      } else if (event.type === 'context.packed') {
        const room = String((event.limit ?? event.total) - event.reserve);
        flush(l10n.t(' · {0} → {1} of {2} tokens', String(before), String(event.total), room));
      } else if (event.type === 'resumed' || event.type === 'run.ended') flush();
    },
  };
}

function editWords({ op, target, with: others = [], scope }: Edited): string {
  const ids = [target, ...others.map((item) => (typeof item === 'string' ? item : item[0]))].join(', ');
  return l10n.t('Edit: {0} {1} ({2})', kindWords(op), ids, scopeWords(scope));
}

function kindWords(op: EditKind): string {
  const { t } = l10n;
  switch (op) {
    case 'set':
      return t('set');
    case 'insert':
      return t('added');
    case 'remove':
      return t('removed');
    case 'pin':
      return t('pinned');
    case 'unpin':
      return t('unpinned');
    case 'drop':
      return t('dropped');
    case 'restore':
      return t('restored');
    case 'mock':
      return t('answered by you:');
    case 'skip':
      return t('skipped');
    case 'reject':
      return t('rejected');
  }
}
