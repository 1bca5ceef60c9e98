/** Where the lane's cells stand: all of one width, so that any part of a long run can be drawn by itself. */

/** Pixels between cells. */
export const gap = 4;
/** Cells are never wider; a run of three rounds does not fill a wide panel. */
const widest = 180;
/** The smallest widths that one may choose, from near to far. */
export const zoomWidths = [52, 20, 5] as const;

export interface LaneLayout {
  /** Pixels of a cell. */
  readonly width: number;
  /** Pixels of all cells. */
  readonly total: number;
  /** Whether all cells are seen at once. */
  readonly fits: boolean;
}

/** `space`: pixels of the lane; `least`: of a cell, at the chosen zoom. */
export function laneLayout(count: number, space: number, least: number): LaneLayout {
  const even = count === 0 ? widest : Math.floor(space / count) - gap;
  const width = Math.min(widest, Math.max(least, even));
  const total = count * (width + gap);
  return { width, total, fits: total <= space || space === 0 };
}

/** Cells of which something is seen, and some on each side: `[from, to)`. */
export function visibleCells(
  { width }: LaneLayout,
  count: number,
  scrolled: number,
  space: number,
): readonly [from: number, to: number] {
  const step = width + gap;
  const first = Math.floor(scrolled / step);
  const seen = Math.ceil(Math.max(space, widest) / step);
  const more = Math.ceil(seen / 4);
  return [Math.max(0, first - more), Math.min(count, first + seen + more + 1)];
}

/**
 * Where to scroll so that a cell is seen whole: as it is when it is seen already, else with the cell in the middle, as an
 * editor shows a line. So who goes along the lane sees what is next, and it is scrolled once in many steps.
 */
export function scrollTo(
  { width, total }: LaneLayout,
  index: number,
  scrolled: number,
  space: number,
): number {
  const step = width + gap;
  const start = index * step;
  if (start >= scrolled && start + step <= scrolled + space) return scrolled;
  return Math.max(0, Math.min(total - space, Math.round(start + (step - space) / 2)));
}
