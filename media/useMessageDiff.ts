import { useEffect, useReducer } from 'preact/hooks';
import type { messageDiff } from '../src/core/messageDiff.ts';

declare global {
  /** Set by `diff.js`. */
  var loopscopeDiff: typeof messageDiff | undefined;
}

/** Where this script is from; the other one lies beside it and is let in by the same nonce. */
const { src = '', nonce = '' } = (document.currentScript ?? {}) as Partial<HTMLScriptElement>;
let loading: Promise<void> | undefined;

/** The comparison of texts, once its script is here: a panel opens without it, most sessions have nothing edited. */
export function useMessageDiff(): typeof messageDiff | undefined {
  const [, drawAgain] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    if (!globalThis.loopscopeDiff) void load().then(drawAgain);
  }, []);
  return globalThis.loopscopeDiff;
}

/** Never rejects: what could not be loaded is asked for again by the next text that needs it. */
function load(): Promise<void> {
  return (loading ??= new Promise((resolve) => {
    const script = document.createElement('script');
    script.nonce = nonce;
    script.src = new URL('diff.js', src || document.baseURI).href;
    script.onload = () => resolve();
    script.onerror = () => {
      loading = undefined;
      resolve();
    };
    document.head.append(script);
  }));
}
