import type { FileChanged, FileRead } from './events.ts';
import type { JournalState } from './journalState.ts';

/** What the model knows of a file: the lines that it saw of the state that it is in, or what it made of it itself. */
export function foldFile({ files }: JournalState, event: FileRead | FileChanged): void {
  const known = files.get(event.uri);
  if (event.type === 'file.changed') {
    const whole = event.before === undefined || (known?.whole ?? false);
    files.set(event.uri, { hash: event.afterHash, seenTo: 0, whole });
    return;
  }
  const { hash, lines, total } = event;
  const before = known?.hash === hash ? known : { seenTo: 0, whole: false };
  const [start, end] = lines;
  const seenTo = start <= before.seenTo + 1 ? Math.max(before.seenTo, end) : before.seenTo;
  files.set(event.uri, { hash, seenTo, whole: before.whole || seenTo >= total });
}
