import type { BudgetPart, BudgetView, ContextView, MeterView } from '../src/core/contextView.ts';
import { costText, spentIn } from '../src/core/cost.ts';
import { roundName } from './names.ts';
import { usePanel } from './usePanel.ts';
import type { Words } from './words.ts';

/** The window's tokens as parts that add up to the limit, and how far the count can be trusted. */
export function Budget({ view }: { readonly view: ContextView }) {
  const { store, say } = usePanel();
  const { budget } = view;
  const { sent, limit } = budget;
  return (
    <section class="panel-section" aria-label={say('budget')}>
      <div class="section-head">
        <h2>{say('budget')}</h2>
        <span class="muted">{roundName(store.state, say, view)}</span>
        <span class="muted end">
          {budget.before !== undefined && `${say('budget.before', { before: budget.before })} · `}
          {limit === undefined
            ? say('budget.sentPlain', { n: sent })
            : say(view.waiting ? 'budget.packed' : 'budget.sent', { n: sent, limit })}
        </span>
      </div>
      <BudgetBar budget={budget} />
      <dl class="parts">
        {shownParts(budget).map(({ part, tokens }) => (
          <div key={part} class="part">
            <dt>
              <span class={`swatch ${part}`} aria-hidden="true" /> {partName(say, budget, part)}
            </dt>
            <dd>{tokens < 0 ? `−${say.number(-tokens)}` : say.number(tokens)}</dd>
          </div>
        ))}
        <div class="part sum">
          <dt>{say('part.sum')}</dt>
          <dd>{say.number(limit ?? sent)}</dd>
        </div>
      </dl>
      {limit !== undefined && budget.over > 0 && (
        <p class="over" role="alert">
          {say('over', { n: budget.over, limit })}
        </p>
      )}
      <MeterLines meter={budget.meter} />
      <SpentLine run={view.run} />
    </section>
  );
}

/** What the run has taken so far by its provider's reports, and what that costs where prices are set. */
function SpentLine({ run: number }: { readonly run: number }) {
  const { store, say } = usePanel();
  const { state } = store;
  const run = state.runs.find((one) => one.run === number);
  if (!run) return null;
  const { tokens, cost, unknown } = spentIn(state, run);
  const name = say('run', { run: number });
  if (tokens === undefined)
    return unknown === 0 ? null : <p class="muted meter">{say('spent.unknown', { run: name })}</p>;
  const words = say(cost === undefined ? 'spent.tokens' : 'spent.cost', {
    run: name,
    n: tokens,
    cost: cost === undefined ? '' : costText(cost, document.documentElement.lang),
  });
  return (
    <p class="muted meter">
      {words}
      {unknown > 0 && ` · ${say('spent.partly', { n: unknown })}`}
    </p>
  );
}

/** Parts that are there; `free` always is where there is a limit: where it is gone, that is the news. */
function shownParts(budget: BudgetView): BudgetView['parts'] {
  return budget.parts.filter(
    ({ part, tokens }) => tokens !== 0 || (part === 'free' && budget.limit !== undefined),
  );
}

function partName(say: Words, { toolCount, over }: BudgetView, part: BudgetPart): string {
  if (part === 'tools')
    return toolCount === undefined ? say('part.toolsPlain') : say('part.tools', { n: toolCount });
  return say(part === 'free' && over > 0 ? 'part.over' : `part.${part}`);
}

/** Drawn to the limit, or to what it would take when that is more; then the limit is a line in it. */
function BudgetBar({ budget }: { readonly budget: BudgetView }) {
  const { limit = budget.sent, over } = budget;
  const whole = Math.max(1, limit + over);
  return (
    <div class="budget-bar" aria-hidden="true">
      {budget.parts
        .filter(({ tokens }) => tokens > 0)
        .map(({ part, tokens }) => (
          <div key={part} class={`slice ${part}`} style={{ flexGrow: String(tokens) }} />
        ))}
      {over > 0 && <div class="bar-limit" style={{ left: `${(limit / whole) * 100}%` }} />}
    </div>
  );
}

function MeterLines({ meter }: { readonly meter: MeterView }) {
  const { store, say } = usePanel();
  const { anchor, reported, estimate, factor } = meter;
  return (
    <p class="muted meter">
      {anchor
        ? say('anchored', {
            reported: anchor.reported,
            round: roundName(store.state, say, anchor),
            estimated: anchor.estimated,
            error: say.percent(anchor.error),
          })
        : say('notAnchored')}
      {factor !== undefined && (
        <>
          <br />
          {say('factored', { factor })}
        </>
      )}
      {reported !== undefined && reported > 0 && (
        <>
          <br />
          {say('reported', { reported, estimate, error: say.percent((estimate - reported) / reported) })}
        </>
      )}
    </p>
  );
}
