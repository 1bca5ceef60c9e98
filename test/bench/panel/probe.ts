/** In the page: the host's end of a panel played from messages that were made before, and a clock for what the page does. */
import type { Probe, Work } from './protocol.ts';

let messages: unknown[] = [];
let saved: unknown;

const probe: Probe = {
  load: (text) => void (messages = JSON.parse(text) as unknown[]),
  async open(round) {
    const start = performance.now();
    let next = 0;
    const push = () => {
      if (next >= messages.length) return;
      window.postMessage(messages[next++], '*');
      setTimeout(push);
    };
    push();
    while (!isDrawn(round)) await frame();
    await frame();
    return performance.now() - start;
  },
  change: (round) =>
    workOf(
      () => goTo(round),
      () => isDrawn(round),
    ),
  receive(text) {
    const message = JSON.parse(text) as { events: unknown[]; all?: boolean };
    const known = (messages[0] as { events: unknown[] }).events;
    // Without a session it is the naive page's: all that is known, and this event.
    const posted = 'session' in message ? message : { events: known };
    if (posted !== message) known.push(...message.events);
    return workOf(
      () => window.dispatchEvent(new MessageEvent('message', { data: structuredClone(posted) })),
      () => true,
    );
  },
  async scroll(frames, pixels) {
    fold('false');
    for (let count = 0; count < 10; count++) await frame();
    const list = document.querySelector('.scroll');
    const works: number[] = [];
    for (let count = 0; count < frames; count++) {
      const next = frame();
      list?.scrollBy(0, pixels);
      works.push(await next);
    }
    return works;
  },
  fold: () => fold('true'),
  messages() {
    const rows = [...document.querySelectorAll<HTMLElement>('.scroll .row:not(.reply-row)')];
    const kept = /([\d,]+) kept/.exec(document.querySelector('.count.kept')?.textContent ?? '')?.[1];
    const fresh = /([\d,]+) new/.exec(document.querySelector('.count.new')?.textContent ?? '')?.[1];
    const number = (text = '0') => Number(text.replaceAll(',', ''));
    return {
      drawn: rows.map((row) => ({
        id: row.querySelector('.id')?.textContent ?? '',
        change: row.className.replace('row ', ''),
        text: row.querySelector('.safe')?.textContent ?? '',
      })),
      count: kept === undefined ? rows.length : number(kept) + number(fresh),
    };
  },
};

/** The group of what did not change, opened or closed. */
function fold(is: 'true' | 'false'): void {
  document.querySelector<HTMLElement>(`.fold[aria-expanded="${is}"]`)?.click();
}

function isDrawn(round: number): boolean {
  const title = document.querySelector('.compare-title')?.textContent ?? '';
  return new RegExp(`^round ${round}\\b`).test(title) && document.querySelector('.row') !== null;
}

/** In this panel the next round to the left, by the keyboard; in the naive one its button. */
function goTo(round: number): void {
  const lane = document.querySelector('[role="listbox"]');
  if (lane) lane.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  else document.querySelectorAll<HTMLElement>('.cell')[round - 1]?.click();
}

/** So many frames after what was waited for: all that is put off comes within them. */
const framesAfter = 12;

async function workOf(act: () => void, isThere: () => boolean): Promise<Work> {
  await frame();
  // Asked for before the act, so that it starts before the frame's work for it does.
  let next = frame();
  const start = performance.now();
  act();
  let paint = performance.now() - start;
  for (let left = 600; left > 0; left--) {
    paint += await next;
    if (isThere()) break;
    if (left === 1) throw new Error('what was waited for did not come');
    next = frame();
  }
  let after = 0;
  for (let count = 0; count < framesAfter; count++) after = Math.max(after, await frame());
  return { paint, after };
}

/** The milliseconds that the next frame takes: callbacks, style, layout and painting. */
function frame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const start = performance.now();
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => resolve(performance.now() - start);
      port1.postMessage(undefined);
    });
  });
}

Object.assign(globalThis, {
  probe,
  acquireVsCodeApi: () => ({
    postMessage: () => undefined,
    setState: (state: unknown) => void (saved = state),
    getState: () => saved,
  }),
});
