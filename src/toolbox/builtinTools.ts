import { addTodo } from './addTodo.ts';
import { calculator } from './calculator.ts';
import { completeTodo } from './completeTodo.ts';
import { createFile } from './createFile.ts';
import { editFile } from './editFile.ts';
import { listFiles } from './listFiles.ts';
import { listTodos } from './listTodos.ts';
import { readFile } from './readFile.ts';
import { searchText } from './searchText.ts';
import type { Tool } from './tool.ts';

/** The tools that ship with Loopscope, in the order in which models are told of them. */
export const builtinTools: readonly Tool[] = [
  calculator,
  listTodos,
  addTodo,
  completeTodo,
  listFiles,
  readFile,
  searchText,
  editFile,
  createFile,
];

/** What `tools` of an agent file may name. */
export const toolNames: readonly string[] = builtinTools.map((tool) => tool.spec.name);
