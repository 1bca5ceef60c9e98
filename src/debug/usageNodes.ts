import * as l10n from '@vscode/l10n';
import { costText, priceOf, spentIn } from '../core/cost.ts';
import { currentRun, type JournalState } from '../core/journalState.ts';
import { type Node, valueNode } from './node.ts';

/** Sums of the session, and what this run cost: what was not reported is said, never counted as nothing. */
export function usageNodes(state: JournalState): Node[] {
  const attempts = [...state.requests.values()].flatMap((request) => request.attempts);
  const reports = attempts.flatMap((attempt) => (attempt.replied?.usage ? [attempt.replied.usage] : []));
  const sum = (field: 'prompt' | 'completion') =>
    reports.reduce((total, usage) => total + (usage[field] ?? 0), 0);
  return [
    { name: 'requests', value: String(attempts.length) },
    ...(reports.length === 0
      ? [{ name: 'tokens', value: l10n.t('not reported by the provider') }]
      : [
          { name: 'prompt tokens', value: String(sum('prompt')) },
          { name: 'completion tokens', value: String(sum('completion')) },
          valueNode('last', reports.at(-1)),
        ]),
    ...costNodes(state),
  ];
}

/** Of the run: where the agent file says what the model costs. */
function costNodes(state: JournalState): Node[] {
  const run = currentRun(state);
  if (!run || !priceOf(state, run)) return [];
  const { cost, unknown } = spentIn(state, run);
  const known = cost === undefined ? l10n.t('not known: no usage was reported') : costText(cost);
  const value =
    cost === undefined || unknown === 0
      ? known
      : l10n.t('at least {0}; replies without a report: {1}', known, String(unknown));
  return [{ name: 'cost', value }];
}
