import { useMemo } from 'preact/hooks';
import { contextView, contextViewKey } from '../src/core/contextView.ts';
import type { RoundState } from '../src/core/journalState.ts';
import { Budget } from './Budget.tsx';
import { ContextRows } from './ContextRows.tsx';
import { Empty } from './Empty.tsx';
import { Notice } from './Notice.tsx';
import { showPage } from './page.tsx';
import { PastPill } from './PastPill.tsx';
import { shownRound } from './shownRound.ts';
import { Truncations } from './Truncations.tsx';
import { useKeptScroll } from './useKeptScroll.ts';
import { usePanel } from './usePanel.ts';
import { WhatIf } from './WhatIf.tsx';
import './context.css';

/** The Context panel: what the window is spent on, and what became of every message. */
function ContextPanel() {
  const { store, say } = usePanel();
  if (!store.session) return <Empty hint="empty.contextHint" />;
  const round = shownRound(store.state, store.selection);
  return (
    <main class="context">
      {store.before !== null && <PastPill />}
      <Notice />
      {round ? <Round round={round} /> : <p class="muted pad">{say('empty.noRound')}</p>}
    </main>
  );
}

function Round({ round }: { readonly round: RoundState }) {
  const { store, say } = usePanel();
  const view = useMemo(() => contextView(store.state, round), contextViewKey(store.state, round));
  useKeptScroll('page');
  if (!view) return <p class="muted pad">{say('packing')}</p>;
  return (
    <>
      <Budget view={view} />
      <ContextRows view={view} />
      <WhatIf key={store.session?.id} view={view} />
      <Truncations />
    </>
  );
}

showPage(ContextPanel);
