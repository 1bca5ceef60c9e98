import { useEffect, useRef } from 'preact/hooks';
import { type LaneCell, phases, roundsAhead } from '../src/core/lane.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { Icon } from './Icon.tsx';
import { type LaneMark, laneMarks } from './laneMarks.ts';
import { roundName } from './names.ts';
import { usePanel } from './usePanel.ts';
import type { Words } from './words.ts';

/** Empty places drawn for rounds that may still come. */
const mostAhead = 8;

interface Props {
  readonly shown: RoundRef | undefined;
  readonly onSelect: (round: RoundRef) => void;
}

/**
 * Rounds across, phases within: tokens against the limit as height, time as width. A list box: the arrow
 * keys go from round to round, Home and End to the first and the last.
 */
export function Lane({ shown, onSelect }: Props) {
  const { store, say } = usePanel();
  const { cells } = store.lane;
  const list = useRef<HTMLDivElement>(null);
  const at = cells.findIndex((cell) => cell.run === shown?.run && cell.round === shown.round);
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [at, cells.length]);
  const limit = cells.reduce((most, cell) => Math.max(most, cell.limit ?? 0), 0);
  const scale = cells.reduce((most, cell) => Math.max(most, cell.tokens ?? 0), limit * 1.12) || 1;
  const ahead = Math.min(roundsAhead(store.state), mostAhead);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event.key, at, cells.length);
    const cell = target === undefined ? undefined : cells[target];
    if (!cell) return;
    event.preventDefault();
    onSelect(cell);
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[target ?? 0]?.focus();
  };
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
        ref={list}
        onKeyDown={onKeyDown}
      >
        {cells.map((cell, index) => (
          <Cell
            key={`${cell.run}.${cell.round}`}
            cell={cell}
            scale={scale}
            isShown={index === at}
            isFirstOfRun={index > 0 && cells[index - 1]?.run !== cell.run}
            onSelect={() => onSelect(cell)}
          />
        ))}
        {Array.from({ length: ahead }, (_, index) => (
          <div class="cell ahead" key={`ahead ${index}`} aria-hidden="true">
            <div class="bar-space">
              <Limit limit={limit} scale={scale} />
            </div>
            <div class="phases" />
            <div class="cell-foot">{(cells.at(-1)?.round ?? 0) + index + 1}</div>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Pixels of the highest bar; the style sheet has the same. */
const barHeight = 56;

function Limit({ limit, scale }: { readonly limit: number; readonly scale: number }) {
  return limit > 0 ? <div class="limit" style={{ bottom: `${(limit / scale) * barHeight}px` }} /> : null;
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'ArrowRight') return Math.min(count - 1, at + 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

interface CellProps {
  readonly cell: LaneCell;
  readonly scale: number;
  readonly isShown: boolean;
  readonly isFirstOfRun: boolean;
  readonly onSelect: () => void;
}

function Cell({ cell, scale, isShown, isFirstOfRun, onSelect }: CellProps) {
  const { store, say } = usePanel();
  const isLast = store.lane.cells.at(-1) === cell;
  const isPaused =
    isLast && store.session?.live === true && store.before === null && store.state.paused !== undefined;
  const marks = laneMarks(say, cell, isPaused);
  const height = ((cell.tokens ?? 0) / scale) * barHeight;
  const name = roundName(store.state, say, cell);
  return (
    <div
      class={`cell${isShown ? ' shown' : ''}${isFirstOfRun ? ' first-of-run' : ''}${cell.sent ? '' : ' unsent'}`}
      role="option"
      aria-selected={isShown}
      aria-label={[name, ...facts(say, cell), ...marks.map((mark) => mark.text)].join('; ')}
      title={[name, ...facts(say, cell)].join('\n')}
      tabIndex={isShown ? 0 : -1}
      onClick={onSelect}
    >
      <div class="bar-space">
        <div class="bar" style={{ height: `${height}px` }} />
        <Limit limit={cell.limit ?? 0} scale={scale} />
      </div>
      <div class="phases">
        {phases.map((phase) => (
          <div
            key={phase}
            class={`phase ${phase}${cell.phase === phase ? ' open' : ''}`}
            // A phase that took no time is still there to be seen once it was reached.
            style={{ flexGrow: String(Math.max(cell.ms[phase], isReached(cell, phase) ? 1 : 0)) }}
          />
        ))}
      </div>
      <div class="cell-foot">
        <span>{isFirstOfRun ? `${cell.run}·${cell.round}` : cell.round}</span>
        {marks.map((mark) => (
          <Mark key={mark.icon} mark={mark} />
        ))}
      </div>
    </div>
  );
}

function Mark({ mark }: { readonly mark: LaneMark }) {
  return (
    <span class={`mark ${mark.kind}`} title={mark.text}>
      <Icon name={mark.icon} />
    </span>
  );
}

function isReached(cell: LaneCell, phase: (typeof phases)[number]): boolean {
  return cell.ms[phase] > 0 || cell.phase === phase;
}

function facts(say: Words, cell: LaneCell): string[] {
  return [
    ...(cell.tokens === undefined ? [] : [say('lane.tokens', { n: cell.tokens, limit: cell.limit ?? 0 })]),
    ...(cell.sent ? [] : [say('notSent')]),
    ...phases
      .filter((phase) => cell.ms[phase] > 0)
      .map((phase) => say('lane.phase', { phase, time: say.duration(cell.ms[phase]) })),
  ];
}
