import * as z from 'zod';
import { defineTool } from './defineTool.ts';
import { countOpen, readTodos } from './todos.ts';

export const listTodos = defineTool({
  name: 'list_todos',
  description:
    'Lists all to-dos of this session with their ids, minutes and whether they are done. Use it before you plan, add or ' +
    'complete anything. It does not see tasks written in files: search_text finds those.',
  effects: 'none',
  input: z.strictObject({}),
  run: (_input, { state }) => {
    const items = readTodos(state);
    const open = countOpen(items);
    return { items, open, done: items.length - open };
  },
});
