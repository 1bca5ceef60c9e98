/** Where the items of a long list stand, by the heights that were measured and a guess for those that were not. */

/** Pixels of an item before any was measured. */
const firstGuess = 40;
/** So many items measured make the guess; it stays then, so that what is above does not move for ever. */
const enough = 24;

export class VirtualSizes {
  private readonly measured = new Map<string, number>();
  private keys: readonly string[] = [];
  private guess = firstGuess;
  private guessed = 0;
  /** `offsets[n]` is where item n begins; the last one is the end of all. */
  private offsets = new Float64Array(1);
  private validTo = 0;

  /** The list as it is now. What was measured of an item holds wherever it stands. */
  setKeys(keys: readonly string[]): void {
    if (keys === this.keys) return;
    this.keys = keys;
    this.offsets = new Float64Array(keys.length + 1);
    this.validTo = 0;
  }

  /** True when that changes where things stand. */
  measure(index: number, height: number): boolean {
    const key = this.keys[index];
    const before = key === undefined ? height : this.measured.get(key);
    if (key === undefined || (before !== undefined && Math.abs(before - height) < 0.5)) return false;
    this.measured.set(key, height);
    this.validTo = Math.min(this.validTo, index);
    if (before === undefined && this.guessed < enough) {
      this.guess = (this.guess * this.guessed + height) / ++this.guessed;
      this.validTo = 0;
    }
    return true;
  }

  get count(): number {
    return this.keys.length;
  }

  /** Pixels from the top to an item; of `count`, the height of all. */
  offset(index: number): number {
    for (; this.validTo < index; this.validTo++) {
      const size = this.measured.get(this.keys[this.validTo]!) ?? this.guess;
      this.offsets[this.validTo + 1] = this.offsets[this.validTo]! + size;
    }
    return this.offsets[index] ?? 0;
  }

  /** The items of which something lies between two heights: `[from, to)`. */
  range(top: number, bottom: number): readonly [from: number, to: number] {
    return [Math.max(0, this.firstBehind(top) - 1), this.firstBehind(bottom)];
  }

  /** The first item that begins at this height or below it. */
  private firstBehind(height: number): number {
    this.offset(this.count);
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle]! < height) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
