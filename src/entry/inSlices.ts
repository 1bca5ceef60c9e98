/** Milliseconds of work before others have their turn. */
const slice = 12;

/**
 * Runs work that takes long in slices: the event loop has its turn in between.
 * @returns what the work comes to; undefined when `goesOn`, asked after each slice with what was yielded last, said no
 */
export async function inSlices<Progress, Result>(
  work: Iterator<Progress, Result>,
  goesOn: (progress: Progress) => boolean = () => true,
): Promise<Result | undefined> {
  let started = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - started < slice) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (!goesOn(step.value)) return undefined;
    started = performance.now();
  }
}
