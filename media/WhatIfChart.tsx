import type { WhatIfAnswer, WhatIfGroup } from '../src/core/whatIf.ts';
import { roundName, shortIds } from './names.ts';
import { usePanel } from './usePanel.ts';

/** Lines drawn; the messages that leave come first where there are more. */
const mostLines = 40;

/** Messages down, rounds across: from when on each is there, and from when on it is not sent. */
export function WhatIfChart({ answer }: { readonly answer: WhatIfAnswer }) {
  const { store, say } = usePanel();
  const { rounds, groups } = answer;
  const [first, last] = [rounds[0], rounds.at(-1)];
  const leaving = groups.filter(({ spans }) => spans.some(([, , fate]) => fate !== 'kept'));
  const shown = groups.length <= mostLines ? groups : leaving.slice(0, mostLines);
  if (!first || !last) return null;
  return (
    <div class="chart" role="list" aria-label={say('whatIf.chart')}>
      <div class="chart-head muted" aria-hidden="true">
        <span>{roundName(store.state, say, first)}</span>
        <span>{roundName(store.state, say, last)}</span>
      </div>
      {shown.map((group) => (
        <ChartLine key={group.ids[0]} group={group} answer={answer} />
      ))}
      {shown.length < groups.length && (
        <p class="muted">{say('whatIf.more', { n: groups.length - shown.length })}</p>
      )}
    </div>
  );
}

function ChartLine({ group, answer }: { readonly group: WhatIfGroup; readonly answer: WhatIfAnswer }) {
  const { store, say } = usePanel();
  const { rounds } = answer;
  const percent = (place: number) => `${(place / rounds.length) * 100}%`;
  const nameOf = (place: number) => (rounds[place] ? roundName(store.state, say, rounds[place]) : '');
  const told = group.spans.map(([from, , fate]) => `${say(`change.${fate}`)} ${nameOf(from)}`).join(', ');
  return (
    <div class="chart-line" role="listitem" title={`${group.ids.join(' ')}: ${told}`}>
      <span class="chart-ids">{shortIds(group.ids)}</span>
      <span class="sr-only">{told}</span>
      <span class="chart-track" aria-hidden="true">
        {group.spans.map(([from, to, fate]) => (
          <span
            key={from}
            class={`span ${fate}`}
            style={{ left: percent(from), width: percent(to - from) }}
          />
        ))}
      </span>
    </div>
  );
}
