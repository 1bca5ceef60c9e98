import { hours } from './format.js';

/** What is left of a day: the open tasks and the time that they take. */
export function leftToday(tasks) {
  const open = tasks.filter((task) => !task.done);
  // TODO: tasks without minutes count as nothing; ask for an estimate instead
  const minutes = open.reduce((total, task) => total + (task.minutes ?? 0), 0);
  return { open, minutes, text: `${open.length} open, ${hours(minutes)}` };
}

/** The tasks that fit into so many minutes, in their order; a task that does not fit is skipped. */
export function thatFit(tasks, minutes) {
  let room = minutes;
  return tasks.filter((task) => {
    if (task.done || (task.minutes ?? 0) > room) return false;
    room -= task.minutes ?? 0;
    return true;
  });
}
