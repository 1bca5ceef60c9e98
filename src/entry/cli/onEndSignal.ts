/** Signals that ask a process to end: an interrupt, a polite kill, a terminal that was closed. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls the listener for the first of each; a second one of the same kind ends the process by itself. */
export function onEndSignal(listener: () => void): void {
  for (const signal of endSignals) process.once(signal, listener);
}
