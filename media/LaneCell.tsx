import { type LaneCell as Cell, phases } from '../src/core/lane.ts';
import type { RoundRef } from '../src/core/protocol.ts';
import { Icon } from './Icon.tsx';
import { type LaneMark, laneMarks } from './laneMarks.ts';
import { memo } from './memo.ts';
import type { Words } from './words.ts';

/** Pixels of the highest bar; the style sheet has the same. */
export const barHeight = 56;
/** Below this a cell is a bar and a mark: no number, no phases. */
const narrow = 24;
/** Below this the mark is a stroke. */
const tiny = 14;
/** Pixels of a mark, of a digit and of what is beside them. */
const [markWidth, digitWidth, edges] = [16, 8, 10];

interface Props {
  readonly cell: Cell;
  /** Grows when the cell changes, which only the newest does: it is the same object all the time. */
  readonly version: number;
  readonly say: Words;
  readonly name: string;
  /** The number under it. */
  readonly number: string;
  readonly index: number;
  readonly count: number;
  readonly left: number;
  readonly width: number;
  readonly scale: number;
  readonly isShown: boolean;
  readonly isFirstOfRun: boolean;
  readonly isPaused: boolean;
  /** Places that the search found in it; nothing while nothing is searched. */
  readonly found?: number | undefined;
  /** Another kind of round is looked for. */
  readonly isDim: boolean;
  readonly onSelect: (cell: Cell) => void;
}

/** One round of the lane. Its properties say all: a run of 500 rounds draws again only what changed. */
export const LaneCell = memo(function LaneCell(props: Props) {
  const { cell, say, name, index, count, left, width, scale, isShown, found, onSelect } = props;
  const marks = laneMarks(say, cell, props.isPaused);
  const isNarrow = width < narrow;
  const height = ((cell.tokens ?? 0) / scale) * barHeight;
  const room = Math.floor((width - edges - digitWidth * props.number.length) / markWidth);
  const shown = marks.slice(0, isNarrow ? 1 : Math.max(1, room));
  const told = [name, ...facts(say, cell), ...(found ? [say.count('lane.found', found)] : [])];
  return (
    <div
      class={classOf(props, isNarrow)}
      style={{ left: `${left}px`, width: `${width}px` }}
      id={cellElementId(cell)}
      role="option"
      aria-selected={isShown}
      aria-setsize={count}
      aria-posinset={index + 1}
      aria-label={[
        ...(props.isFirstOfRun ? [props.number] : []),
        ...told,
        ...marks.map((mark) => mark.text),
      ].join('; ')}
      title={[
        ...told,
        ...(shown.length < marks.length || isNarrow ? marks.map((mark) => mark.text) : []),
      ].join('\n')}
      onClick={() => onSelect(cell)}
    >
      <div class="bar-space">
        <div class="bar" style={{ height: `${height}px` }} />
        <LaneLimit limit={cell.limit ?? 0} scale={scale} />
      </div>
      {!isNarrow && <Phases cell={cell} />}
      <div class="cell-foot">
        {!isNarrow && <span>{props.number}</span>}
        {shown.map((mark) => (
          <Mark key={mark.icon} mark={mark} />
        ))}
      </div>
    </div>
  );
});

export function cellElementId({ run, round }: RoundRef): string {
  return `cell-${run}-${round}`;
}

function classOf({ cell, width, isShown, isFirstOfRun, isDim, found }: Props, isNarrow: boolean): string {
  return [
    'cell',
    ...(isShown ? ['shown'] : []),
    ...(isFirstOfRun ? ['first-of-run'] : []),
    ...(cell.sent ? [] : ['unsent']),
    ...(isNarrow ? ['narrow'] : []),
    ...(width < tiny ? ['tiny'] : []),
    ...(isDim ? ['not-found'] : []),
    ...(found === undefined ? [] : [found > 0 ? 'found' : 'not-found']),
  ].join(' ');
}

/** The limit as a line through the bars. */
export function LaneLimit({ limit, scale }: { readonly limit: number; readonly scale: number }) {
  return limit > 0 ? <div class="limit" style={{ bottom: `${(limit / scale) * barHeight}px` }} /> : null;
}

function Phases({ cell }: { readonly cell: Cell }) {
  return (
    <div class="phases">
      {phases.map((phase) => (
        <div
          key={phase}
          class={`phase ${phase}${cell.phase === phase ? ' open' : ''}`}
          // A phase that took no time is still there to be seen once it was reached.
          style={{ flexGrow: String(Math.max(cell.ms[phase], cell.phase === phase ? 1 : 0)) }}
        />
      ))}
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

function tokensOf(say: Words, { tokens, limit }: Cell): string[] {
  if (tokens === undefined) return [];
  return [
    limit === undefined ? say('lane.tokensPlain', { n: tokens }) : say('lane.tokens', { n: tokens, limit }),
  ];
}

function facts(say: Words, cell: Cell): string[] {
  return [
    ...tokensOf(say, cell),
    ...(cell.sent ? [] : [say('notSent')]),
    ...phases
      .filter((phase) => cell.ms[phase] > 0)
      .map((phase) => say('lane.phase', { phase, time: say.duration(cell.ms[phase]) })),
  ];
}
