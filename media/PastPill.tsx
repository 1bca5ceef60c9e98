import { currentRound } from '../src/core/journalState.ts';
import { plainText } from './hiddenText.ts';
import { Icon } from './Icon.tsx';
import { roundName } from './names.ts';
import { usePanel } from './usePanel.ts';

/** The debugger looks back: what is shown is not how things stand. */
export function PastPill() {
  const { store, say } = usePanel();
  const round = currentRound(store.state);
  const call = round?.calls.find(({ key }) => key === store.state.checkpoint?.key);
  const text = [
    say('past', { phase: store.state.checkpoint?.kind ?? '' }),
    ...(round ? [roundName(store.state, say, round)] : []),
    ...(call ? [call.name] : []),
  ].join(' · ');
  return (
    <span class="pill past" role="status" title={say('past.hint')}>
      <Icon name="history" />
      <span>{plainText(text)}</span>
    </span>
  );
}
