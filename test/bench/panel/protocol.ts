/** What a page of the panel benchmark can be asked for; `probe.ts` is it. */
export interface Probe {
  /** What the host posts for the run so far, in order, as JSON text. */
  load(messages: string): void;
  /** Milliseconds on the clock from the first message until a round is painted. */
  open(round: number): Promise<number>;
  /** Goes to a round. */
  change(round: number): Promise<Work>;
  /** A message of the host. */
  receive(message: string): Promise<Work>;
  /** Scrolls through the opened list, so many pixels a frame; the work of each frame. */
  scroll(frames: number, pixels: number): Promise<number[]>;
  /** Closes the list that `scroll` opened. */
  fold(): void;
  /** The messages of the round that are in the page, as a reader tells them apart, and how many it has in all. */
  messages(): { readonly drawn: readonly DrawnMessage[]; readonly count: number };
}

/** Milliseconds of the page's own work, not of waiting. */
export interface Work {
  /** Of the act and of the frames until what it leads to is painted. */
  readonly paint: number;
  /** Of the longest frame of those that follow, for what was put off. */
  readonly after: number;
}

export interface DrawnMessage {
  readonly id: string;
  /** `new`, `kept` or what else happened to it. */
  readonly change: string;
  readonly text: string;
}
