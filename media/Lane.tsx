import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type LaneCell as LaneCellState, type LaneState, roundsAhead } from '../src/core/lane.ts';
import type { Found } from '../src/core/findText.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { isPaused } from './FateActions.tsx';
import { Icon } from './Icon.tsx';
import { cellElementId, LaneCell } from './LaneCell.tsx';
import { gap, type LaneLayout, laneLayout, scrollTo, visibleCells, zoomWidths } from './laneLayout.ts';
import { aheadContext, aheadElementId, LaneAhead, useAim } from './LaneAhead.tsx';
import { roundName } from './names.ts';
import { usePanel } from './usePanel.ts';
import { useSpace } from './useSpace.ts';

/** Empty places drawn for rounds that may still come. */
const mostAhead = 8;

interface Props {
  readonly shown: RoundRef | undefined;
  readonly found?: Found | undefined;
  readonly onSelect: (round: RoundRef) => void;
}

/**
 * Rounds across, phases within: tokens against the limit as height, time as width. A list box: the arrow
 * keys go from round to round, Home and End to the first and the last; at a pause on to the rounds that may come, where
 * Enter runs to one. The focus stays with the list, which names the
 * chosen round: to hand it on to a cell would lay the whole page out before it is drawn.
 */
export function Lane({ shown, found, onSelect }: Props) {
  const { store, say } = usePanel();
  const { cells } = store.lane;
  const list = useRef<HTMLDivElement>(null);
  const { space, scrolled } = useSpace(list);
  const at = cells.findIndex((cell) => cell.run === shown?.run && cell.round === shown.round);
  // A run that nobody runs any more has none, whatever its limit was.
  const ahead = store.session?.live ? Math.min(roundsAhead(store.state), mostAhead) : 0;
  const layout = laneLayout(cells.length + ahead, space, zoomWidths[store.looks.zoom] ?? zoomWidths[0]);
  const { limit } = useScale(store.lane);
  // By what was measured: to read it here again would lay the page out twice.
  const wanted = useMemo(
    () => (at < 0 || space === 0 ? scrolled : scrollTo(layout, at, scrolled, space)),
    [at, layout.width, layout.total, space],
  );
  const reached = useRef<number>();
  // The cells of the place that is scrolled to come with it, and not a frame later.
  const seenFrom = reached.current === wanted ? scrolled : wanted;
  useLayoutEffect(() => {
    reached.current = wanted;
    if (list.current && wanted !== scrolled) list.current.scrollLeft = wanted;
  }, [wanted]);
  const latest = useRef(onSelect);
  useEffect(() => void (latest.current = onSelect));
  const select = useCallback((cell: LaneCellState) => latest.current(cell), []);
  const { aimed, setAimed, aim } = useAim(at === cells.length - 1 ? ahead : 0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (aim(event.key)) return event.preventDefault();
    const cell = cells[targetOf(event.key, at, cells.length) ?? -1];
    if (!cell) return;
    event.preventDefault();
    setAimed(0);
    onSelect(cell);
  };
  const active = aimed > 0 ? aheadElementId(aimed) : at < 0 ? undefined : cellElementId(cells[at]!);
  return (
    <div class="lane">
      {limit > 0 && (
        <div class="lane-limit" aria-hidden="true">
          {say('lane.limit', { limit })}
        </div>
      )}
      <div
        class="cells"
        role="listbox"
        aria-label={say('lane.label')}
        aria-orientation="horizontal"
        aria-activedescendant={active}
        data-vscode-context={aimed > 0 ? aheadContext(store, aimed) : undefined}
        tabIndex={0}
        ref={list}
        onKeyDown={onKeyDown}
        onBlur={() => setAimed(0)}
      >
        <Cells {...{ at, found, layout, space, ahead, aimed }} scrolled={seenFrom} onSelect={select} />
      </div>
      {(!layout.fits || store.looks.zoom > 0) && <Zoom fits={layout.fits} />}
    </div>
  );
}

interface CellsProps {
  readonly at: number;
  readonly found: Found | undefined;
  readonly layout: LaneLayout;
  readonly scrolled: number;
  readonly space: number;
  readonly ahead: number;
  readonly aimed: number;
  readonly onSelect: (cell: LaneCellState) => void;
}

function Cells({ at, found, layout, scrolled, space, ahead, aimed, onSelect }: CellsProps) {
  const { store, say } = usePanel();
  const { cells } = store.lane;
  const { limit, scale } = useScale(store.lane);
  return (
    <div class="track-of-cells" role="presentation" style={{ width: `${layout.total}px` }}>
      {drawn(layout, cells.length, at, scrolled, space).map((index) => {
        const cell = cells[index]!;
        const isNewest = index === cells.length - 1;
        const isFirstOfRun = index > 0 && cells[index - 1]?.run !== cell.run;
        return (
          <LaneCell
            key={`${cell.run}.${cell.round}`}
            cell={cell}
            version={isNewest ? store.state.seq : 0}
            say={say}
            name={roundName(store.state, say, cell)}
            number={isFirstOfRun ? `${cell.run}·${cell.round}` : String(cell.round)}
            index={index}
            count={cells.length}
            left={index * (layout.width + gap)}
            width={layout.width}
            scale={scale}
            isShown={index === at}
            isFirstOfRun={isFirstOfRun}
            isPaused={isNewest && isPaused(store)}
            found={found && (found.rounds.get(`${cell.run}.${cell.round}`) ?? 0)}
            isDim={store.looks.filter.anomaly === true && !isOdd(cell)}
            onSelect={onSelect}
          />
        );
      })}
      <LaneAhead
        count={ahead}
        from={cells.length}
        aimed={aimed}
        layout={layout}
        limit={limit}
        scale={scale}
      />
    </div>
  );
}

/** The highest limit of the run, and the tokens that the full height stands for; past cells do not change. */
function useScale({ cells }: LaneState): { readonly limit: number; readonly scale: number } {
  const newest = cells.at(-1);
  return useMemo(() => {
    const limit = cells.reduce((most, cell) => Math.max(most, cell.limit ?? 0), 0);
    const scale = cells.reduce((most, cell) => Math.max(most, cell.tokens ?? 0), limit * 1.12) || 1;
    return { limit, scale };
  }, [cells, cells.length, newest?.limit, newest?.tokens]);
}

/** Something was off in it: seen and named, failed, or a fault. */
function isOdd({ anomalies, failedCalls, retries, faults }: LaneCellState): boolean {
  return anomalies + failedCalls + retries + faults.length > 0;
}

/** What is seen of the cells, and the chosen one, which may have the focus. */
function drawn(layout: LaneLayout, count: number, at: number, scrolled: number, space: number): number[] {
  const [from, to] = visibleCells(layout, count, scrolled, space);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  return at >= 0 && (at < from || at >= to) ? [...indexes, at] : indexes;
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'ArrowRight') return Math.min(count - 1, at + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Nearer and farther, for runs of which not all rounds are seen at once. */
function Zoom({ fits }: { readonly fits: boolean }) {
  const { store, say } = usePanel();
  const button = (icon: string, label: string, zoom: number, isOff: boolean) => (
    <button
      type="button"
      class="icon"
      title={label}
      aria-label={label}
      disabled={isOff}
      onClick={() => store.look({ zoom })}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="zoom">
      {button(
        'zoom-out',
        say('lane.zoomOut'),
        store.looks.zoom + 1,
        fits || store.looks.zoom === zoomWidths.length - 1,
      )}
      {button('zoom-in', say('lane.zoomIn'), store.looks.zoom - 1, store.looks.zoom === 0)}
    </div>
  );
}
