export interface ProcessOutput {
  /** UTF-8 decoded. Where something is left out, a gap in the middle says how much. */
  readonly text: string;
  /** All that was written, in bytes. */
  readonly bytes: number;
  /** Bytes of it that the text does not hold. */
  readonly left: number;
  /** Where in the text the gap is, if there is one: what stands before it was written without a break. */
  readonly gap?: number;
}

/** Keeps the first and the last bytes of a stream, so that one without end takes no more room than another. */
export interface OutputWindow {
  add(chunk: Buffer): void;
  output(): ProcessOutput;
}

/** @param limit bytes that are kept, half of them of the beginning */
export function createOutputWindow(limit: number): OutputWindow {
  const room = Math.ceil(limit / 2);
  const first = Buffer.allocUnsafe(room);
  const ring = Buffer.allocUnsafe(room);
  let headLength = 0;
  /** Bytes behind the head, also those that the ring no longer holds. */
  let behind = 0;

  const toRing = (bytes: Buffer) => {
    const kept = bytes.subarray(Math.max(0, bytes.length - room));
    const at = (behind + bytes.length - kept.length) % room;
    const fitting = kept.copy(ring, at);
    kept.copy(ring, 0, fitting);
    behind += bytes.length;
  };

  return {
    add(chunk) {
      const taken = chunk.copy(first, headLength);
      headLength += taken;
      if (taken < chunk.length) toRing(chunk.subarray(taken));
    },
    output() {
      const bytes = headLength + behind;
      const head = first.subarray(0, headLength);
      const oldest = behind % room;
      const tail =
        behind <= room
          ? ring.subarray(0, behind)
          : Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
      if (behind <= room) return { text: decode(Buffer.concat([head, tail])), bytes, left: 0 };
      const [start, end] = [head.subarray(0, completeEnd(head)), tail.subarray(firstStart(tail))];
      const left = bytes - start.length - end.length;
      const before = decode(start);
      return { text: before + gapWords(left, bytes) + decode(end), bytes, left, gap: before.length };
    },
  };
}

/** What is no UTF-8 becomes U+FFFD; a byte order mark is no part of the text. */
function decode(bytes: Buffer): string {
  return new TextDecoder().decode(bytes);
}

function gapWords(left: number, bytes: number): string {
  const [some, all] = [left, bytes].map((count) => count.toLocaleString('en-US'));
  return `… [${some} of ${all} bytes left out] …`;
}

/** Where the last character that is there as a whole ends. */
function completeEnd(bytes: Buffer): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!;
    if (isContinuation(byte)) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? length - back : length;
  }
  return length;
}

/** Where the first character that is there as a whole begins. */
function firstStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && start < bytes.length && isContinuation(bytes[start]!)) start++;
  return start;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}
