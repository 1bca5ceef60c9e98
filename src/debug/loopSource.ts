import type { CheckpointKind } from '../core/events.ts';

/** Where the loop's checkpoints stand in its source, lines from 1. Read from the very text that is shown. */
export type CheckpointLines = Readonly<Record<CheckpointKind, number>>;

/** Finds the lines of `gate.checkpoint('…')` in the loop's source. Throws when one is missing: a broken build. */
export function checkpointLines(source: string): CheckpointLines {
  const lines = source.split('\n');
  const find = (kind: CheckpointKind): number => {
    const index = lines.findIndex((line) => line.includes(`gate.checkpoint('${kind}'`));
    if (index < 0) throw new Error(`the loop's source has no checkpoint '${kind}'`);
    return index + 1;
  };
  return {
    plan: find('plan'),
    reply: find('reply'),
    act: find('act'),
    observe: find('observe'),
    end: find('end'),
  };
}

/** The lines of checkpoints from one line to another, both included, in order. */
export function checkpointsBetween(lines: CheckpointLines, first: number, last: number): number[] {
  return Object.values(lines)
    .filter((line) => line >= first && line <= last)
    .sort((a, b) => a - b);
}

/** The checkpoint at a line or the next one after it; the last one behind all. */
export function snapToCheckpoint(
  lines: CheckpointLines,
  line: number,
): { kind: CheckpointKind; line: number } {
  const sorted = (Object.entries(lines) as [CheckpointKind, number][]).sort((a, b) => a[1] - b[1]);
  const [kind, at] = sorted.find(([, one]) => one >= line) ?? sorted.at(-1)!;
  return { kind, line: at };
}
