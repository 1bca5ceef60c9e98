import type { RoundState } from '../src/core/journalState.ts';
import { Icon } from './Icon.tsx';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** What was seen and named in a round: each with the way to its line of the journal. */
export function Anomalies({ round }: { readonly round: RoundState }) {
  const { store, say } = usePanel();
  if (round.anomalies.length === 0) return null;
  const seen = new Set(round.anomalies);
  const session = store.session?.id ?? '';
  return (
    <ul class="anomalies" aria-label={say('anomalies')}>
      {store.state.anomalies
        .filter(({ seq }) => seen.has(seq))
        .map(({ seq, code, detail }) => (
          <li key={seq}>
            <Icon name="warning" />{' '}
            <button
              type="button"
              class="link mono"
              title={say('openJournal', { line: seq + 1 })}
              onClick={() => store.post({ type: 'open', session, what: { kind: 'journal', seq } })}
            >
              {code}
            </button>{' '}
            <SafeText text={detail} />
          </li>
        ))}
    </ul>
  );
}
