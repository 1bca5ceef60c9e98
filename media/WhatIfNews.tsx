import type { WhatIfAnswer, WhatIfAsk } from '../src/core/whatIf.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { roundName, shortIds } from './names.ts';
import { SafeText } from './SafeText.tsx';
import { usePanel } from './usePanel.ts';

/** Leavings told one by one. */
const mostTold = 5;

/** What the other budget means, in sentences; and the ways to act on it. */
export function WhatIfNews({ answer, ask }: { readonly answer: WhatIfAnswer; readonly ask: WhatIfAsk }) {
  const { store, say } = usePanel();
  const { rounds, leaves, blocked, textLost, assumed } = answer;
  const nameOf = (place: number) => (rounds[place] ? roundName(store.state, say, rounds[place]) : '');
  const news = leaves.filter(({ round, was }) => round !== was);
  const first = blocked?.round ?? news[0]?.round ?? textLost;
  return (
    <div class="news" role="status">
      {blocked && (
        <p class="bad">{say('whatIf.blocked', { round: nameOf(blocked.round), needs: blocked.needs })}</p>
      )}
      {textLost !== undefined && (
        <p class="bad">
          <SafeText text={say('whatIf.textLost', { text: ask.text, round: nameOf(textLost) })} />
        </p>
      )}
      <LostGoals answer={answer} nameOf={nameOf} />
      {assumed && <p>{say(`whatIf.assumed.${assumed.by}`, { n: assumed.tokens })}</p>}
      {ask.text !== '' && textLost === undefined && <p>{say('whatIf.textKept')}</p>}
      {news.slice(0, mostTold).map(({ ids, round, was }) => (
        <p key={ids[0]}>
          {say(was === undefined ? 'whatIf.leaves' : 'whatIf.leavesInstead', {
            ids: shortIds(ids),
            round: nameOf(round),
            was: was === undefined ? '' : nameOf(was),
          })}
        </p>
      ))}
      {news.length > mostTold && <p class="muted">{say('whatIf.more', { n: news.length - mostTold })}</p>}
      {leaves.length === 0 && !blocked && <p>{say('whatIf.allFits')}</p>}
      {leaves.length > 0 && news.length === 0 && <p>{say('whatIf.same')}</p>}
      <Actions ask={ask} breakRound={first === undefined ? undefined : rounds[first]} />
    </div>
  );
}

interface GoalsProps {
  readonly answer: WhatIfAnswer;
  readonly nameOf: (place: number) => string;
}

/** A run's own goal stays while it runs; those of earlier runs leave as other messages do. */
function LostGoals({ answer, nameOf }: GoalsProps) {
  const { store, say } = usePanel();
  const goals = store.state.runs.flatMap(({ run, goal }) => {
    const left = answer.leaves.find(({ ids }) => ids.includes(goal));
    return left ? [{ run, id: goal, round: nameOf(left.round) }] : [];
  });
  return goals.map((goal) => (
    <p class="bad" key={goal.run}>
      {say('whatIf.goalLost', goal)}
    </p>
  ));
}

interface ActionsProps {
  readonly ask: WhatIfAsk;
  /** The first round in which something is other than it was. */
  readonly breakRound: RoundRef | undefined;
}

/** A file never runs again, and a log of another agent names no agent file of ours. */
function Actions({ ask, breakRound }: ActionsProps) {
  const { store, say } = usePanel();
  const session = store.session?.id ?? '';
  const canStop = breakRound && !store.session?.isFile;
  const canUse = store.state.opened?.kind !== 'attach';
  return (
    <p class="news-actions">
      {canStop && (
        <button
          type="button"
          class="secondary"
          onClick={() =>
            store.post({ type: 'stopRule', target: { kind: 'round', round: breakRound.round }, on: true })
          }
        >
          {say('whatIf.stop')}
        </button>
      )}
      {canUse && (
        <button
          type="button"
          class="secondary"
          onClick={() => store.post({ type: 'useBudget', session, limit: ask.limit, policy: ask.policy })}
        >
          {say('whatIf.use')}
        </button>
      )}
    </p>
  );
}
