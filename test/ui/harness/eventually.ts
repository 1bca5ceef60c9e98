import { setTimeout as pause } from 'node:timers/promises';

/** What a test waits for at most; nothing waits for a fixed time. */
export const PATIENCE_MS = 40_000;

/** Reads until the value is as wanted and returns it; when it never is, the error shows what was last read. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T>,
  accept: (value: T) => boolean = Boolean,
  patience = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patience;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`Not seen in ${patience / 1000} s: ${what}. Last: ${JSON.stringify(value)}`);
    await pause(50);
  }
}

/** What one attempt may take: what VS Code makes anew meanwhile swallows a click or a key. */
export const ATTEMPT_MS = 3000;

/** Acts until the effect is seen, which is looked for first: an act that went through is not repeated. */
export async function actUntil(
  what: string,
  act: () => Promise<unknown>,
  isSeen: () => Promise<boolean>,
): Promise<void> {
  const looked = () => isSeen().catch(() => false);
  await eventually(what, async () => {
    if (await looked()) return true;
    await act().catch(() => undefined);
    return eventually(what, looked, Boolean, ATTEMPT_MS).catch(() => false);
  });
}
