import type { JournalSink } from '../core/ports.ts';

/**
 * Lines on their way to the sink. What could not be written waits, in order, and goes first when writing works
 * again: nothing is lost while the process lives, and nothing is written twice. Returned, or told to `onTrouble` by
 * what was written by itself: why writing begins to fail.
 */
export function createJournalWriter(
  sink: JournalSink | undefined,
  onTrouble: (why: string | undefined) => void,
) {
  let waiting = '';
  let trouble: string | undefined;
  let due: NodeJS.Immediate | undefined;
  const writeAll = (): void => {
    if (waiting !== '') sink?.write(waiting);
    waiting = '';
  };
  const flush = (): string | undefined => {
    clearImmediate(due);
    due = undefined;
    const before = trouble;
    trouble = attempt(writeAll);
    return before === undefined ? trouble : undefined;
  };
  return {
    get trouble() {
      return trouble;
    },
    flush,
    write(line: string, mayWait: boolean): string | undefined {
      if (!sink) return undefined;
      waiting += line;
      if (!mayWait) return flush();
      due ??= setImmediate(() => onTrouble(flush()));
      return undefined;
    },
    sync: () => trouble ?? attempt(() => sink?.sync()),
    close() {
      flush();
      attempt(() => sink?.close());
    },
  };
}

/** Disks fill up and files vanish: what the sink throws is an answer here, in words. */
function attempt(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
