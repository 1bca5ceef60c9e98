import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContextView } from '../src/core/contextView.ts';
import type { JournalState } from '../src/core/journalState.ts';
import { type WhatIfAnswer, type WhatIfAsk, whatIfPolicies } from '../src/core/whatIf.ts';
import { usePanel } from './usePanel.ts';
import { WhatIfChart } from './WhatIfChart.tsx';
import { WhatIfNews } from './WhatIfNews.tsx';

/** Milliseconds after the last move before the run is packed anew. */
const pause = 150;

/** Tokens of the largest request: where another limit starts that knows none. */
function largestOf({ packings }: JournalState): number {
  return packings.reduce((most, { event }) => Math.max(most, event.total), 0);
}

/** Another limit and policy over the whole run: what would leave and when. Nothing is asked of a model. */
export function WhatIf({ view }: { readonly view: ContextView }) {
  const { store, say } = usePanel();
  const { policy } = view.budget;
  const { limit = largestOf(store.state) } = view.budget;
  const own = store.session?.policy;
  const offered = own === undefined ? whatIfPolicies : [own, ...whatIfPolicies];
  const known = offered.find((one) => one === policy) ?? 'drop-oldest';
  const [ask, setAsk] = useState<WhatIfAsk>(store.looks.whatIf ?? { limit, policy: known, text: '' });
  const timer = useRef(0);
  // A page that was hidden asks again: nothing of an answer is kept.
  useEffect(() => {
    if (store.looks.whatIf) store.tryOut(store.looks.whatIf);
    return () => clearTimeout(timer.current);
  }, []);
  const change = (part: Partial<WhatIfAsk>) => {
    const next = { ...ask, ...part };
    setAsk(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => store.tryOut(next), pause);
  };
  const most = Math.max(limit * 2, ask.limit);
  return (
    <section class="panel-section what-if" aria-label={say('whatIf')}>
      <div class="section-head">
        <h2>{say('whatIf')}</h2>
        <span class="muted">{say('whatIf.noCall')}</span>
      </div>
      <label class="what-if-line">
        <span>{say('whatIf.limit')}</span>
        <input
          type="range"
          min={0}
          max={most}
          step={stepOf(most)}
          value={ask.limit}
          aria-valuetext={say.number(ask.limit)}
          onInput={(event) => change({ limit: Number(event.currentTarget.value) })}
        />
        <input
          type="number"
          min={0}
          aria-label={say('whatIf.limit')}
          value={ask.limit}
          onInput={(event) => change({ limit: Math.max(0, Math.round(Number(event.currentTarget.value))) })}
        />
      </label>
      <label class="what-if-line">
        <span>{say('whatIf.policy')}</span>
        <select value={ask.policy} onChange={(event) => change({ policy: event.currentTarget.value })}>
          {offered.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label class="what-if-line">
        <span>{say('whatIf.text')}</span>
        <input
          type="text"
          value={ask.text}
          placeholder={say('whatIf.textHint')}
          onInput={(event) => change({ text: event.currentTarget.value })}
        />
      </label>
      <Answer answer={store.tried} ask={ask} />
    </section>
  );
}

function Answer({
  answer,
  ask,
}: {
  readonly answer: WhatIfAnswer | number | undefined;
  readonly ask: WhatIfAsk;
}) {
  const { store, say } = usePanel();
  if (answer === undefined) return null;
  if (typeof answer === 'number')
    return (
      <p class="muted" role="status">
        {say('whatIf.busy', { n: answer })}{' '}
        <button type="button" class="link" onClick={() => store.tryOut(null)}>
          {say('card.cancel')}
        </button>
      </p>
    );
  return (
    <>
      <WhatIfChart answer={answer} />
      <WhatIfNews answer={answer} ask={ask} />
    </>
  );
}

/** About a hundred steps, round numbers. */
function stepOf(most: number): number {
  return Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, most / 50))));
}
