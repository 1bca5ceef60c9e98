import { statusView } from '../src/core/statusView.ts';
import { plainText } from './hiddenText.ts';
import { Icon } from './Icon.tsx';
import { PastPill } from './PastPill.tsx';
import { faultsOf, statusText } from './statusText.ts';
import { usePanel } from './usePanel.ts';

const icons = { idle: '', paused: 'debug-pause', running: 'loading', ended: 'debug-stop' } as const;

/** Where the session stands. A pause and an end are announced; what happens in between is not. */
export function StatusPill() {
  const { store, say } = usePanel();
  if (store.before !== null) return <PastPill />;
  const status = statusView(store.state);
  const isLive = store.session?.live === true;
  // A journal that ends in a pause, of a session that nobody runs any more, is not paused.
  const isOver = !isLive && (status.kind === 'paused' || status.kind === 'running');
  const text = isOver ? say('closed') : plainText(statusText(store.state, say, status));
  const isNews = status.kind === 'paused' || status.kind === 'ended';
  const isFault = status.kind === 'paused' && faultsOf(status.hits).length > 0;
  const kind = isOver ? 'ended' : status.kind;
  return (
    <>
      {text !== '' && (
        <span class={`pill ${kind}${isFault ? ' fault' : ''}`}>
          <Icon name={icons[kind]} />
          <span>{text}</span>
        </span>
      )}
      <span class="sr-only" role="status">
        {isNews && !isOver ? text : ''}
      </span>
    </>
  );
}
