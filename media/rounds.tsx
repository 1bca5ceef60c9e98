import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { currentRound, type RoundState } from '../src/core/journalState.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { roundView, roundViewKey } from '../src/core/roundView.ts';
import { CompareLine } from './CompareLine.tsx';
import { Empty } from './Empty.tsx';
import { Header } from './Header.tsx';
import { Lane } from './Lane.tsx';
import { MessageList } from './MessageList.tsx';
import { Notice } from './Notice.tsx';
import { showPage } from './page.tsx';
import { PendingCard } from './PendingCard.tsx';
import { Reply } from './Reply.tsx';
import { shownRound } from './shownRound.ts';
import { usePanel } from './usePanel.ts';
import './rounds.css';

/** The Rounds panel: the lane, the messages of one round against the round before, its reply, the pause. */
function RoundsPanel() {
  const { store, say } = usePanel();
  if (!store.session) return <Empty hint="empty.noneHint" />;
  const { state } = store;
  const round = shownRound(state, store.selection);
  const newest = currentRound(state);
  const select = ({ run, round: number }: RoundRef) =>
    // The newest round is followed: who goes back to it is back with the run.
    store.select(newest?.run === run && newest.round === number ? null : { run, round: number });
  return (
    <main class="rounds">
      <Header round={round} />
      <Lane shown={round} onSelect={select} />
      <Notice />
      {round ? <Round round={round} /> : <p class="muted pad">{say('empty.noRound')}</p>}
      <PendingCard round={newest} />
    </main>
  );
}

function Round({ round }: { readonly round: RoundState }) {
  const { store, say } = usePanel();
  const view = useMemo(() => roundView(store.state, round), roundViewKey(store.state, round));
  const isNewest = currentRound(store.state) === round;
  const scroll = useRef<HTMLDivElement>(null);
  // Another round is read from its top. The list stays: what it measured, and what of it was opened.
  useLayoutEffect(() => {
    if (scroll.current && scroll.current.scrollTop > 0) scroll.current.scrollTop = 0;
  }, [round]);
  return (
    <>
      <CompareLine view={view} {...(isNewest ? {} : { onFollow: () => store.select(null) })} />
      <div class="scroll" ref={scroll}>
        {view.status === 'packing' ? (
          <p class="muted pad">{say('packing')}</p>
        ) : (
          <MessageList rows={view.rows} scroll={scroll} />
        )}
        {view.status === 'sent' && <Reply round={round} isCurrent={isNewest} />}
      </div>
    </>
  );
}

showPage(RoundsPanel);
