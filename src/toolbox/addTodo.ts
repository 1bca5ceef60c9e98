import * as z from 'zod';
import type { Todo } from '../core/config.ts';
import { defineTool } from './defineTool.ts';
import { readTodos, writeTodos } from './todos.ts';

export const addTodo = defineTool({
  name: 'add_todo',
  description:
    'Adds one to-do to this session and returns its id. Use it when the user asks for something to be remembered or ' +
    'planned that list_todos does not show yet. Do not use it for your own steps.',
  effects: 'session',
  input: z.strictObject({
    content: z.string().trim().min(1).max(500),
    minutes: z.number().positive().max(10_000).optional().describe('How long it will take'),
  }),
  run: ({ content, minutes }, { state }) => {
    const todos = readTodos(state);
    const id = todos.reduce((last, todo) => Math.max(last, todo.id), 0) + 1;
    const added: Todo = { id, content, ...(minutes === undefined ? {} : { minutes }), done: false };
    writeTodos(state, [...todos, added]);
    return { id, total: todos.length + 1 };
  },
});
