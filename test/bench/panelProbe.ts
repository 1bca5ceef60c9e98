/** What a page of the panel benchmark can be asked for; `panel/probe.ts` is it. */
export interface Probe {
  /** What the host posts for the run so far, in order, as JSON text. */
  load(messages: string): void;
  /** Milliseconds on the clock from the first message until a round is drawn. */
  open(round: number): Promise<number>;
  /** Milliseconds of work until a round is drawn that one goes to, or until the message is. */
  change(round: number): Promise<number>;
  receive(message: string): Promise<number>;
  /** Scrolls through the opened list, so many pixels a frame; the work of each frame. */
  scroll(frames: number, pixels: number): Promise<number[]>;
}
