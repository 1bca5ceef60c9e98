import type { Redactor } from './redactor.ts';

export interface CleanStream {
  push(delta: string): void;
  /** Hands on what was held back. */
  end(): void;
}

/** What may become a key with the next piece: it is held back until the word is complete. */
const opening =
  /(?:\b(?:sk-|gsk_|xai-|hf_|npm_|glpat-|[sr]k_live_|dckr_pat_|pypi-|r8_|pplx-|nvapi-|fw_|tgp_v1_|lin_api_|whsec_|ya29\.|gh[pousr]_|github_pat_|AKIA|ASIA|AIza|xox|eyJ)|:\/\/|[?&][\w-]{1,40}=|\b(?:bearer|basic)\s+|(?:key|token|secret|cookie|passwd|password)\\*["']?\s{0,4}[:=]\s{0,4}\\*["']?)[\x21-\x7e]*$|-----BEGIN (?:(?!-----END)[^"])*$/i;

/** A line, and a word, of more characters is handed on in pieces: looking at all of it again would never end. */
const longest = 2_000;

/**
 * Text as it streams, without secrets. A word is handed on when it is complete, since a key may come in pieces; where
 * the user has patterns, a line.
 */
export function createCleanStream(redactor: Redactor, onText: (delta: string) => void): CleanStream {
  /** The line so far, and what of it was handed on, cleaned. */
  let line = '';
  let shown = '';
  const emit = (upTo: number) => {
    const { text } = redactor.clean(line.slice(0, upTo));
    if (text.length <= shown.length && shown.startsWith(text)) return;
    // Where a piece that was shown turned out to begin a key, what stands for the key is shown whole.
    let same = 0;
    while (same < shown.length && text[same] === shown[same]) same++;
    onText(text.slice(same));
    shown = text;
  };
  const next = (from: number) => {
    line = line.slice(from);
    shown = '';
  };
  return {
    push(delta) {
      line += delta;
      const newline = line.lastIndexOf('\n') + 1;
      if (newline > 0) {
        emit(newline);
        next(newline);
      }
      if (redactor.hasPatterns && line.length < longest) return;
      const tail = line.slice(-longest);
      const open = Math.min(tail.match(opening)?.index ?? tail.length, redactor.beginsAt(tail));
      const whole = line.length - tail.length + open;
      emit(whole);
      if (whole >= longest) next(whole);
    },
    end() {
      emit(line.length);
      next(line.length);
    },
  };
}
