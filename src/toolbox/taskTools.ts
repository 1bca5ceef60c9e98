import * as z from 'zod';
import type { Workspace } from '../core/ports.ts';
import type { TaskServices } from '../core/services.ts';
import { defineTool } from './defineTool.ts';
import { processWindUpMs } from './process/runProcess.ts';
import { takeFitting } from './takeFitting.ts';
import { createPlainTasks, type PlainTaskPorts } from './tasks/plainTasks.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './toolError.ts';

/** Seconds that a task may take, unless the call says otherwise, and at most. */
const usual = 120;
const longest = 1800;

/** An editor's tasks, else those that the files of the workspace define. */
export function tasksOf(workspace: Workspace, ports: PlainTaskPorts): TaskServices {
  return workspace.tasks ?? createPlainTasks(workspace, ports);
}

export const listTasks = defineTool({
  name: 'list_tasks',
  description:
    'The tasks of the workspace: scripts of package.json, tasks.json, and in an editor what its extensions find (build, ' +
    'test, lint). Use it to learn how the project is built and tested; run_task runs one by its name. `problem` says why ' +
    'one can not be run.',
  effects: 'none',
  timeout: 30,
  input: z.strictObject({}),
  run: async (_, { workspace, signal }) => {
    const found = await tasksOf(workspace, { env: {} }).list(signal);
    if (!found.ok) throw new ToolError(found.error);
    const tasks = takeFitting(found.tasks);
    const note = tasks.length === 0 ? { note: 'no task is defined here' } : {};
    return { tasks, more: tasks.length < found.tasks.length, ...note };
  },
});

/** The tool that runs a task by its name. */
export function createRunTask(ports: PlainTaskPorts): Tool {
  return defineTool({
    name: 'run_task',
    description:
      'Runs a task of list_tasks to its end and says how it ended; any other exit code than 0 is a failure. What a task in ' +
      'an editor writes is in its terminal, where no tool reads it: of it you get the problems that were found. To read ' +
      'output use run_command. Tasks that do not end (watchers, servers) are ended when the time is up.',
    effects: 'outside',
    command: true,
    input: z.strictObject({
      task: z.string().min(1).describe('Its name, as list_tasks has it'),
      folder: z.string().min(1).optional().describe('Where several folders have a task of that name'),
      timeout: z.number().positive().max(longest).optional().describe(`Seconds; ${usual} when absent`),
    }),
    timeout: ({ timeout = usual }) => timeout,
    windUpMs: processWindUpMs,
    run: async ({ task, folder }, { workspace, signal }) => {
      const ran = await tasksOf(workspace, ports).run({ task, folder }, signal);
      if (!ran.ok) throw new ToolError(ran.error);
      const { ok: _, problems, ...rest } = ran;
      if (!problems) return rest;
      const shown = takeFitting(problems);
      return { ...rest, problems: shown, more: shown.length < problems.length };
    },
  });
}
