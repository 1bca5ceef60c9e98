import type { PanelWord, PanelWords } from '../src/core/panelWords.ts';

export type Params = Readonly<Record<string, string | number>>;
/** Words that differ by number: `tokens` for `tokens.one` and `tokens.other`. */
type Counted<Word> = Word extends `${infer Base}.one` ? Base : never;
export type CountedWord = Counted<PanelWord>;

/** The panel's words with their numbers, in the user's language. */
export interface Words {
  (word: PanelWord, params?: Params): string;
  /** With `{n}`, formatted, in the form for that number; `by` decides the form where it is not `n`. */
  count(word: CountedWord, n: number, params?: Params): string;
  number(value: number): string;
  /** Signed, one digit: `+0.2 %`. */
  percent(fraction: number): string;
  duration(ms: number): string;
  bytes(value: number): string;
}

export function createWords(table: PanelWords, locale: string): Words {
  const format = new Intl.NumberFormat(safeLocale(locale));
  const fine = new Intl.NumberFormat(safeLocale(locale), { maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(safeLocale(locale), {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  // A word that is not there is one of a later version's journal (an outcome, a checkpoint): it says itself.
  const say = (word: PanelWord, params?: Params) => {
    const text = table[word] ?? word;
    if (!params) return text;
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name];
      return value === undefined ? whole : typeof value === 'number' ? format.format(value) : value;
    });
  };
  return Object.assign(say, {
    count: (word: CountedWord, n: number, params: Params = {}) =>
      say(`${word}.${n === 1 ? 'one' : 'other'}`, { n, ...params }),
    number: (value: number) => format.format(value),
    // A true minus is as wide as a plus.
    percent: (fraction: number) => `${signed.format(fraction * 100).replace('-', '−')} %`,
    duration: (ms: number) => {
      const whole = Math.round(ms);
      if (whole < 1000) return say('milliseconds', { n: whole });
      return ms < 120_000
        ? say('seconds', { n: fine.format(ms / 1000) })
        : say('minutes', { n: fine.format(ms / 60_000) });
    },
    bytes: (value: number) => {
      if (value < 1000) return say('bytes', { n: value });
      return value < 1_000_000
        ? say('kilobytes', { n: fine.format(value / 1000) })
        : say('megabytes', { n: fine.format(value / 1_000_000) });
    },
  });
}

function safeLocale(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}
