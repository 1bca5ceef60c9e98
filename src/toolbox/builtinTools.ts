import { addTodo } from './addTodo.ts';
import { calculator } from './calculator.ts';
import { completeTodo } from './completeTodo.ts';
import { createFile } from './createFile.ts';
import type { Environment } from './defineCommandTool.ts';
import { editFile } from './editFile.ts';
import { findReferences } from './findReferences.ts';
import { findSymbols } from './findSymbols.ts';
import { getDiagnostics } from './getDiagnostics.ts';
import { getOpenEditors } from './getOpenEditors.ts';
import { gitDiffTool } from './gitDiffTool.ts';
import { gitStatusTool } from './gitStatusTool.ts';
import { listFiles } from './listFiles.ts';
import { listTodos } from './listTodos.ts';
import { readFile } from './readFile.ts';
import type { ShowCommand } from './process/runShown.ts';
import { createRunCommand } from './runCommand.ts';
import { searchText } from './searchText.ts';
import { createRunTask, listTasks } from './taskTools.ts';
import type { Tool } from './tool.ts';

/**
 * The tools that ship with Loopscope and run no program of the workspace's, in the order in which models are told of
 * them. (Git is asked so that it runs none either.)
 */
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
  gitStatusTool,
  gitDiffTool,
  listTasks,
];

export interface CommandPorts {
  /** All of a command's environment. */
  readonly env: Environment;
  /** Where people see commands run. */
  readonly show?: ShowCommand | undefined;
}

/** The tools that run programs: they need to be told with what environment. */
export function programTools({ env, show }: CommandPorts): readonly Tool[] {
  return [createRunCommand(env, show), createRunTask({ env, show })];
}

/** Those of them that only run where programs may. */
export const programNames: readonly string[] = programTools({ env: {} }).map(({ spec }) => spec.name);

/** Those that ask language services. Where there are none, each says so. */
export const codeTools: readonly Tool[] = [findSymbols, findReferences, getDiagnostics];

/** Those that ask an editor: a plain folder has none. */
export const editorTools: readonly Tool[] = [getOpenEditors];

export const editorToolNames: readonly string[] = editorTools.map(({ spec }) => spec.name);

/** What `tools` of an agent file may name. */
export const toolNames: readonly string[] = [
  ...builtinTools.map(({ spec }) => spec.name),
  ...programNames,
  ...codeTools.map(({ spec }) => spec.name),
  ...editorToolNames,
];
