import type { LaneCell } from '../src/core/lane.ts';
import type { Words } from './words.ts';

export interface LaneMark {
  readonly kind: 'paused' | 'fault' | 'break' | 'left' | 'warning' | 'edited';
  readonly icon: string;
  /** What it stands for, in words. */
  readonly text: string;
}

/** What is to be seen of a round from afar, most urgent first. */
export function laneMarks(say: Words, cell: LaneCell, isPaused: boolean): LaneMark[] {
  const marks: LaneMark[] = [];
  if (isPaused) marks.push({ kind: 'paused', icon: 'debug-stackframe', text: say('lane.paused') });
  if (cell.faults.length > 0) {
    const what = cell.faults.map((hit) => hit.replace(/^fault:/, '')).join(', ');
    marks.push({ kind: 'fault', icon: 'error', text: say('fault', { what }) });
  }
  const warnings = [
    ...(cell.failedCalls > 0 ? [say.count('lane.failedCalls', cell.failedCalls)] : []),
    ...(cell.retries > 0 ? [say.count('lane.retries', cell.retries)] : []),
    ...(cell.anomalies > 0 ? [say.count('lane.anomalies', cell.anomalies)] : []),
  ];
  if (warnings.length > 0) marks.push({ kind: 'warning', icon: 'warning', text: warnings.join(', ') });
  if (cell.left > 0)
    marks.push({ kind: 'left', icon: 'diff-removed', text: say.count('lane.left', cell.left) });
  if (cell.again > 0)
    marks.push({ kind: 'edited', icon: 'discard', text: say.count('lane.again', cell.again) });
  if (cell.edits > 0)
    marks.push({ kind: 'edited', icon: 'edit', text: say.count('lane.edited', cell.edits) });
  if (cell.breaks.length > 0) {
    marks.push({
      kind: 'break',
      icon: 'circle-filled',
      text: say('lane.break', { what: cell.breaks.join(', ') }),
    });
  }
  return marks;
}
