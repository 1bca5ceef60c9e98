import type { RoundView } from '../src/core/roundView.ts';
import { Icon } from './Icon.tsx';
import { counted, roundName } from './names.ts';
import { usePanel } from './usePanel.ts';

/** Which round against which, and the sums of what changed. */
export function CompareLine({
  view,
  onFollow,
}: {
  readonly view: RoundView;
  readonly onFollow?: () => void;
}) {
  const { store, say } = usePanel();
  const now = roundName(store.state, say, view);
  const title = view.against
    ? say('compare', { now, before: roundName(store.state, say, view.against) })
    : say('compareFirst', { now });
  return (
    <div class="compare">
      <h2 class="compare-title">{title}</h2>
      {view.status === 'packed' && <span class="tag">{say('notSent')}</span>}
      {counted
        .filter((change) => view.counts[change] > 0)
        .map((change) => (
          <span key={change} class={`count ${change}`}>
            {say(`count.${change}`, { n: view.counts[change] })}
          </span>
        ))}
      {view.leftEarlier.length > 0 && (
        <span class="muted left-earlier">{say('leftEarlier', { ids: someIds(view.leftEarlier) })}</span>
      )}
      {onFollow && (
        <button type="button" class="secondary follow" onClick={onFollow}>
          <Icon name="debug-step-over" /> {say('follow')}
        </button>
      )}
    </div>
  );
}

function someIds(ids: readonly string[]): string {
  return ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} … ${ids.at(-1)} (${ids.length})`;
}
