import { useMemo } from 'preact/hooks';
import { type Truncation, truncations } from '../src/core/truncations.ts';
import { Icon } from './Icon.tsx';
import { roundName, shortIds } from './names.ts';
import { usePanel } from './usePanel.ts';

/** Rounds listed unasked: the newest, which are asked about. */
const mostListed = 50;

/** Every round that took something out of the context, and the way to stop there next time. */
export function Truncations() {
  const { store, say } = usePanel();
  const all = useMemo(() => truncations(store.state), [store.state, store.state.packings.length]);
  return (
    <section class="panel-section" aria-label={say('truncations')}>
      <div class="section-head">
        <h2>{say('truncations')}</h2>
      </div>
      {all.length === 0 && <p class="muted">{say('truncations.none')}</p>}
      <ul class="truncations">
        {all.slice(-mostListed).map((one) => (
          <Line key={`${one.run}.${one.round}`} one={one} />
        ))}
      </ul>
    </section>
  );
}

function Line({ one }: { readonly one: Truncation }) {
  const { store, say } = usePanel();
  const parts = (['dropped', 'folded', 'trimmed'] as const)
    .filter((fate) => one[fate].length > 0)
    .map((fate) => `${shortIds(one[fate])} ${say(`change.${fate}`)}`);
  const name = roundName(store.state, say, one);
  const label = say('breakAt', { round: name });
  return (
    <li>
      <Icon name="diff-removed" />
      <button type="button" class="link" onClick={() => store.select({ run: one.run, round: one.round })}>
        {name}
      </button>
      <span class="truncation-text">
        {parts.join(' · ')}
        {one.tokens > 0 && ` · −${say.count('tokens', one.tokens)}`}
      </span>
      {!store.session?.isFile && (
        <button
          type="button"
          class="icon"
          title={label}
          aria-label={label}
          onClick={() =>
            store.post({ type: 'stopRule', target: { kind: 'round', round: one.round }, on: true })
          }
        >
          <Icon name="debug-breakpoint-conditional" />
        </button>
      )}
    </li>
  );
}
