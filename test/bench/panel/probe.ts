/** In the page: the host's end of a panel played from messages that were made before, and a clock for what the page does. */
import type { Probe } from '../panelProbe.ts';

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
    document.querySelector<HTMLElement>('.fold[aria-expanded="false"]')?.click();
    for (let count = 0; count < 5; count++) await frame();
    const list = document.querySelector('.scroll');
    const works: number[] = [];
    for (let count = 0; count < frames; count++) {
      const next = frame();
      list?.scrollBy(0, pixels);
      works.push(await next);
    }
    return works;
  },
};

function isDrawn(round: number): boolean {
  const title = document.querySelector('.compare-title')?.textContent ?? '';
  return new RegExp(`^round ${round}\\b`).test(title) && document.querySelector('.row') !== null;
}

/** In this panel the next round to the left, by the keyboard; in the naive one its button. */
function goTo(round: number): void {
  const chosen = document.querySelector('[role="option"][aria-selected="true"]');
  if (chosen) chosen.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
  else document.querySelectorAll<HTMLElement>('.cell')[round - 1]?.click();
}

/** The work of an act and of the frames until what it leads to is there, and of one more: what was measured late. */
async function workOf(act: () => void, isThere: () => boolean): Promise<number> {
  await frame();
  // Asked for before the act, so that it starts before the frame's work for it does.
  let next = frame();
  const start = performance.now();
  act();
  let work = performance.now() - start;
  for (let left = 600; left > 0; left--) {
    work += await next;
    if (isThere()) return work + (await frame());
    next = frame();
  }
  throw new Error('what was waited for did not come');
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
