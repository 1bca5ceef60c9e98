import * as l10n from '@vscode/l10n';
import { callAt, currentRun, type JournalState } from '../core/journalState.ts';
import { visible } from '../core/visible.ts';
import type { Stop } from '../runner/gate.ts';

/** What the Call Stack shows, e.g. “Paused before act: calculator”. */
export function stopDescription(stop: Stop, state: JournalState): string {
  const { t } = l10n;
  if (stop.reason === 'exception')
    return t('Paused on a fault: {0}', stop.hits.map((hit) => hit.replace(/^fault:/, '')).join(', '));
  switch (stop.kind) {
    case 'plan':
      return t('Paused before plan: nothing is sent yet');
    case 'reply':
      return t('Paused at reply: nothing was acted on');
    case 'act':
      return t('Paused before act: {0}', visible(callAt(state, stop.key ?? '')?.name ?? ''));
    case 'observe':
      return t('Paused before observe');
    case 'end':
      return t('Run ended: {0}', currentRun(state)?.ended?.outcome ?? '');
  }
}
