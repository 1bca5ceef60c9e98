import * as z from 'zod';
import type { Todo } from '../core/config.ts';
import type { WorkingState } from '../core/ports.ts';
import { ToolError } from './toolError.ts';

const stored = z.array(
  z.object({ id: z.int(), content: z.string(), minutes: z.number().optional(), done: z.boolean() }),
);

/** The session's to-dos. They can be edited by hand at a pause, so they are checked like any input. */
export function readTodos(state: WorkingState): readonly Todo[] {
  const value = state.get('todos');
  if (value === undefined || value === null) return [];
  const parsed = stored.safeParse(value);
  if (!parsed.success) {
    throw new ToolError('the to-dos in the session state are not a list of {id, content, minutes?, done}');
  }
  return parsed.data.map(({ id, content, minutes, done }) => ({
    id,
    content,
    ...(minutes === undefined ? {} : { minutes }),
    done,
  }));
}

export function writeTodos(state: WorkingState, todos: readonly Todo[]): void {
  state.set('todos', todos);
}

export function countOpen(todos: readonly Todo[]): number {
  return todos.filter((todo) => !todo.done).length;
}
