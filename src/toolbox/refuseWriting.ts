import { ToolError } from './toolError.ts';

/**
 * What is in `.git` is nobody's to write but git's: a hook or a setting there is a command that runs later. By the
 * spelling, and (with links followed) by the real path.
 */
export function refuseWriting(path: string): void {
  if (path.split(/[\\/]/).some((segment) => segment.toLowerCase() === '.git'))
    throw new ToolError(`${JSON.stringify(path)} is refused: only git writes in .git`);
}
