import { useState } from 'preact/hooks';
import { isPaused } from './FateActions.tsx';
import { LaneLimit } from './LaneCell.tsx';
import { gap, type LaneLayout } from './laneLayout.ts';
import type { PanelStore } from './panelStore.ts';
import { usePanel } from './usePanel.ts';

interface AheadProps {
  readonly count: number;
  readonly from: number;
  readonly aimed: number;
  readonly layout: LaneLayout;
  readonly limit: number;
  readonly scale: number;
}

/** Rounds that may come; at a pause a click, Enter or the context menu runs to one. */
export function LaneAhead({ count, from, aimed, layout, limit, scale }: AheadProps) {
  const { store, say } = usePanel();
  const canRun = isPaused(store);
  return Array.from({ length: count }, (_, index) => {
    const place = index + 1;
    const round = roundAhead(store, place);
    const options = canRun
      ? ({
          role: 'option',
          'aria-selected': false,
          'aria-label': say('lane.notBegun', { n: round }),
          title: say('lane.runTo', { n: round }),
          'data-vscode-context': aheadContext(store, place),
          onClick: () => runTo(store, place),
        } as const)
      : ({ 'aria-hidden': true } as const);
    return (
      <div
        class={`cell ahead${canRun ? ' runs' : ''}${place === aimed ? ' aimed' : ''}`}
        key={`ahead ${index}`}
        id={aheadElementId(place)}
        {...options}
        style={{ left: `${(from + index) * (layout.width + gap)}px`, width: `${layout.width}px` }}
      >
        <div class="bar-space">
          <LaneLimit limit={limit} scale={scale} />
        </div>
        <div class="phases" />
        <div class="cell-foot">{layout.width < 24 ? '' : round}</div>
      </div>
    );
  });
}

/**
 * Which of the rounds that may come the arrow keys have gone on to, from 1; 0: none.
 * @param count those behind the chosen round
 */
export function useAim(count: number) {
  const { store } = usePanel();
  const [wanted, setAimed] = useState(0);
  const most = isPaused(store) ? count : 0;
  const aimed = Math.min(wanted, most);
  /** False for a key that goes to none of them. */
  const aim = (key: string): boolean => {
    const next = key === 'ArrowRight' ? Math.min(most, aimed + 1) : key === 'ArrowLeft' ? aimed - 1 : aimed;
    if (key === 'Enter' && aimed > 0) runTo(store, aimed);
    else if (next < 0 || next === aimed) return false;
    setAimed(key === 'Enter' ? 0 : next);
    return true;
  };
  return { aimed, setAimed, aim };
}

function runTo(store: PanelStore, place: number): void {
  store.post({ type: 'go', session: store.session?.id ?? '', round: roundAhead(store, place) });
}

function roundAhead(store: PanelStore, place: number): number {
  return (store.lane.cells.at(-1)?.round ?? 0) + place;
}

export function aheadElementId(place: number): string {
  return `ahead-${place}`;
}

/** What VS Code hands to a command of the context menu. */
export function aheadContext(store: PanelStore, place: number): string {
  return JSON.stringify({
    webviewSection: 'ahead',
    session: store.session?.id,
    round: roundAhead(store, place),
    preventDefaultContextMenuItems: true,
  });
}
