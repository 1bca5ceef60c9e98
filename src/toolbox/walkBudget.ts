/**
 * Places that one walk looks at, and milliseconds that it takes: half of the usual time limit of a tool,
 * since an incomplete answer that says so is worth more than none.
 */
const maxVisits = 100_000;
const maxMs = 5_000;

/** To be called at each place; true from the one on that is too many or too late. */
export function walkBudget(): () => boolean {
  const deadline = performance.now() + maxMs;
  let visits = 0;
  return () => ++visits > maxVisits || performance.now() > deadline;
}
