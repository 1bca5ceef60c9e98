import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { countOpen, readTodos, writeTodos } from './todos.ts';
import { ToolError } from './toolError.ts';

export const completeTodo = defineTool({
  name: 'complete_todo',
  description:
    'Marks one to-do of this session as done, by the id that list_todos shows. Use it only when the user says that it ' +
    'is done or a tool has done it, never because it is planned.',
  effects: 'session',
  input: z.strictObject({ id: z.int().min(1) }),
  run: ({ id }, { state }) => {
    const todos = readTodos(state);
    if (!todos.some((todo) => todo.id === id)) {
      const open = todos.filter((todo) => !todo.done).map((todo) => todo.id);
      throw new ToolError(`there is no to-do ${id}; open: ${open.length > 0 ? open.join(', ') : 'none'}`);
    }
    const after = todos.map((todo) => (todo.id === id ? { ...todo, done: true } : todo));
    writeTodos(state, after);
    return { id, open: countOpen(after) };
  },
});
