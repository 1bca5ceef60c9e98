import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { filterRows, filtersRows } from '../src/core/filterRows.ts';
import type { Found } from '../src/core/findText.ts';
import { historyView } from '../src/core/historyView.ts';
import { currentRound, roundAt, type RoundState } from '../src/core/journalState.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { type RoundView, roundView, roundViewKey } from '../src/core/roundView.ts';
import { Anomalies } from './Anomalies.tsx';
import { Empty } from './Empty.tsx';
import { useFound } from './Find.tsx';
import { Header } from './Header.tsx';
import { Lane } from './Lane.tsx';
import { MessageList } from './MessageList.tsx';
import { newestThing } from './newestThing.ts';
import { Notice } from './Notice.tsx';
import { showPage } from './page.tsx';
import { PendingCard } from './PendingCard.tsx';
import { Reply } from './Reply.tsx';
import { SetAside } from './SetAside.tsx';
import { StopRules } from './StopRules.tsx';
import { shownRound } from './shownRound.ts';
import { Toolbar } from './Toolbar.tsx';
import { useFollowedRun } from './useFollowedRun.ts';
import { useFoundMarks } from './useFoundMarks.ts';
import { useKeptScroll } from './useKeptScroll.ts';
import { usePanel } from './usePanel.ts';
import { Wire } from './Wire.tsx';
import './rounds.css';

/** The Rounds panel: the lane, the messages of one round against the round before, its reply, the pause. */
function RoundsPanel() {
  const { store, say } = usePanel();
  const found = useFound();
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
      <Lane shown={round} found={found} onSelect={select} />
      <StopRules round={round} />
      <Notice />
      {round ? (
        <Round key={store.session.id} round={round} found={found} />
      ) : (
        <p class="muted pad">{say('empty.noRound')}</p>
      )}
      <PendingCard round={newest} />
    </main>
  );
}

function Round({ round, found }: { readonly round: RoundState; readonly found: Found | undefined }) {
  const { store } = usePanel();
  const { looks, state } = store;
  const against = looks.against && roundAt(state, looks.against.run, looks.against.round);
  const view = useMemo(
    () => roundView(state, round, against ?? undefined),
    roundViewKey(state, round, against ?? undefined),
  );
  const isNewest = currentRound(state) === round;
  const scroll = useRef<HTMLDivElement>(null);
  // Another round is read from its top. The list stays: what it measured, and what of it was opened.
  const wasShown = useRef(round);
  useLayoutEffect(() => {
    if (scroll.current && scroll.current.scrollTop > 0) scroll.current.scrollTop = 0;
    if (wasShown.current !== round) store.keepScrolled('wire', 0);
    wasShown.current = round;
  }, [round, looks.view]);
  const newest = isNewest && looks.view === 'sent' ? newestThing(state, round) : undefined;
  // A panel that is too low for its list scrolls as a whole.
  useKeptScroll('page');
  useFollowedRun(scroll, round, newest);
  useFoundMarks(scroll, looks.find);
  return (
    <>
      <Toolbar view={view} found={found} {...(isNewest ? {} : { onFollow: () => store.select(null) })} />
      <div class="scroll" ref={scroll}>
        {/* Grows with what it holds, which can be watched: what scrolls has the size of the panel. */}
        <div>
          {looks.view === 'wire' ? (
            <Wire round={round} scroll={scroll} />
          ) : (
            <Messages round={round} view={view} scroll={scroll} isNewest={isNewest} />
          )}
        </div>
      </div>
    </>
  );
}

/** So many rows fill a view, however little each of them says. */
const rowsOfView = 20;

interface MessagesProps {
  readonly round: RoundState;
  readonly view: RoundView;
  readonly scroll: RefObject<HTMLDivElement>;
  readonly isNewest: boolean;
}

/** The messages as sent, or the history behind them; then what came back. */
function Messages({ round, view, scroll, isNewest }: MessagesProps) {
  const { store, say } = usePanel();
  const { looks, state } = store;
  const isHistory = looks.view === 'history';
  const history = useMemo(
    () => (isHistory ? historyView(state, round) : []),
    [isHistory, ...roundViewKey(state, round)],
  );
  const rows = useMemo(() => {
    const all = isHistory ? history : view.rows;
    return filtersRows(looks.filter) ? filterRows(state, all, looks.filter) : all;
  }, [isHistory, history, view, looks.filter]);
  return (
    <>
      <Anomalies round={round} />
      {view.status === 'packing' && !isHistory ? (
        <p class="muted pad">{say('packing')}</p>
      ) : rows.length === 0 ? (
        <p class="muted pad">{say('filter.none')}</p>
      ) : (
        <MessageList rows={rows} scroll={scroll} />
      )}
      {!isHistory && <SetAside round={round} />}
      {view.status === 'sent' && !isHistory && (
        <Reply round={round} isCurrent={isNewest} isBelow={rows.length >= rowsOfView} />
      )}
    </>
  );
}

showPage(RoundsPanel);
