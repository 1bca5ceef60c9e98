/** Lines of a file that comes in slices: of each the beginning is shown, and only those that are wanted are kept. */

/** Where a line stands in the file, in bytes, without its line end. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

export interface LineScanner {
  /** The next bytes of the file. They are not copied: the caller does not write to them again. */
  push(bytes: Buffer): void;
}

const headBytes = 200;
/** Longer lines are not kept, whatever they begin with. */
const mostKept = 4 * 1024 * 1024;

/**
 * @param wants told of each whole line: its beginning (at least 200 bytes, where it has them) and its place
 * @param take given each line that was wanted; a torn last line is neither shown nor given
 */
export function createLineScanner(
  wants: (head: string, place: LinePlace) => boolean,
  take: (line: string) => void,
): LineScanner {
  let offset = 0;
  let start = 0;
  /** What is kept of the line that is being read. */
  let pieces: Buffer[] = [];
  let kept = 0;

  function keep(piece: Buffer): void {
    // A long text is passed over: its beginning is all that is needed to see that.
    if (kept > mostKept) return;
    pieces.push(piece);
    kept += piece.length;
  }

  function finish(end: number): void {
    const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
    const length = end - start;
    const isWanted = wants(line.toString('latin1', 0, headBytes), { start, length });
    if (isWanted && kept === length) take(line.toString('utf8'));
    pieces = [];
    kept = 0;
  }

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length;) {
        const newline = bytes.indexOf(10, at);
        const end = newline < 0 ? bytes.length : newline;
        keep(bytes.subarray(at, end));
        at = end + 1;
        if (newline < 0) break;
        finish(offset + end);
        start = offset + end + 1;
      }
      offset += bytes.length;
    },
  };
}
