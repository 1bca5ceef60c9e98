import { stat } from 'node:fs/promises';
import { errorText } from '../errorText.ts';
import { codeOf } from '../fileProblem.ts';

export interface Start {
  readonly command: string | readonly string[];
  readonly cwd: string;
}

/** Why a command could not be started, in words for the model. The system says ENOENT of program and folder alike. */
export async function startProblem(error: unknown, { command, cwd }: Start): Promise<string> {
  const program = JSON.stringify(typeof command === 'string' ? 'the shell' : command[0]);
  const code = codeOf(error);
  const folder = await stat(cwd).catch(() => undefined);
  if (folder === undefined) return `could not be started: there is no folder ${cwd}`;
  if (!folder.isDirectory()) return `could not be started: ${cwd} is not a folder`;
  switch (code) {
    case 'ENOENT':
      return `could not be started: there is no program ${program} (${code})`;
    case 'EACCES':
    case 'EPERM':
      return `could not be started: ${program} may not be executed, or not in ${cwd} (${code})`;
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return `could not be started: the command line is too long (${code})`;
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return `could not be started: the system can start no further process now (${code})`;
    default:
      return `could not be started: ${errorText(error)}`;
  }
}
