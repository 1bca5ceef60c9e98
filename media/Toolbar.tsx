import { useState } from 'preact/hooks';
import type { Found } from '../src/core/findText.ts';
import type { Looks, RoundRef } from '../src/core/protocol.ts';
import type { RoundView } from '../src/core/roundView.ts';
import { Filter } from './Filter.tsx';
import { Find } from './Find.tsx';
import { Icon } from './Icon.tsx';
import { counted, roundName } from './names.ts';
import { usePanel } from './usePanel.ts';

const views = ['history', 'sent', 'wire'] as const satisfies readonly Looks['view'][];

interface Props {
  readonly view: RoundView;
  readonly found: Found | undefined;
  readonly onFollow?: () => void;
}

/** Which truth of the round is shown, against which round, what changed in sum; search and filter. */
export function Toolbar({ view, found, onFollow }: Props) {
  const { store, say } = usePanel();
  const { filter, view: chosen } = store.looks;
  const [isFiltering, setFiltering] = useState(Object.keys(filter).length > 0);
  const closeFilter = () => {
    setFiltering(!isFiltering);
    if (isFiltering) store.look({ filter: {} });
  };
  return (
    <>
      <div class="compare">
        <div class="views" role="group" aria-label={say('views')}>
          {views.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === chosen}
              title={say(`view.${one}.hint`)}
              onClick={() => store.look({ view: one })}
            >
              {say(`view.${one}`)}
            </button>
          ))}
        </div>
        <h2 class="compare-title">
          {chosen === 'sent' && !view.against
            ? say('compareFirst', { now: roundName(store.state, say, view) })
            : roundName(store.state, say, view)}
          {chosen === 'sent' && view.against && <Against now={view} against={view.against} />}
        </h2>
        {view.status === 'packed' && <span class="tag">{say('notSent')}</span>}
        {chosen === 'sent' && <Counts view={view} />}
        {onFollow && (
          <button type="button" class="secondary follow" onClick={onFollow}>
            <Icon name="debug-step-over" /> {say('follow')}
          </button>
        )}
        <Find found={found} />
        <button
          type="button"
          class="icon"
          aria-expanded={isFiltering}
          title={say('filter')}
          aria-label={say('filter')}
          onClick={closeFilter}
        >
          <Icon name={isFiltering ? 'filter-filled' : 'filter'} />
        </button>
      </div>
      {isFiltering && <Filter />}
    </>
  );
}

function Counts({ view }: { readonly view: RoundView }) {
  const { say } = usePanel();
  return (
    <>
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
    </>
  );
}

function someIds(ids: readonly string[]): string {
  return ids.length <= 6 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} … ${ids.at(-1)} (${ids.length})`;
}

/** The round that this one is compared with: the one before, or any earlier one that sent a request. */
function Against({ now, against }: { readonly now: RoundRef; readonly against: RoundRef }) {
  const { store, say } = usePanel();
  // Hundreds of rounds are listed only for who is about to choose.
  const [isOpen, setOpen] = useState(false);
  const keyOf = ({ run, round }: RoundRef) => `${run}.${round}`;
  const rounds = store.state.runs.flatMap((run) => run.rounds);
  const end = rounds.findIndex((one) => keyOf(one) === keyOf(now));
  const earlier = isOpen
    ? rounds
        .slice(0, end)
        .filter((one) => one.requests.length > 0)
        .toReversed()
    : [against];
  const choose = (key: string) => {
    const [run = 0, round = 0] = key.split('.').map(Number);
    const isBefore = keyOf(rounds.slice(0, end).findLast((one) => one.requests.length > 0) ?? now) === key;
    store.look({ against: isBefore ? null : { run, round } });
  };
  return (
    <>
      {' '}
      <select
        aria-label={say('against.label')}
        value={keyOf(against)}
        onFocus={() => setOpen(true)}
        onMouseDown={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {earlier.map((one) => (
          <option key={keyOf(one)} value={keyOf(one)}>
            {say('against', { round: roundName(store.state, say, one) })}
          </option>
        ))}
      </select>
    </>
  );
}
