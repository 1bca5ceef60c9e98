import { ToolError } from './toolError.ts';

/**
 * What is in `.git` is nobody's to write but git's: a hook or a setting there is a command that runs later. By the
 * spelling, and (with links followed) by the real path.
 */
export function refuseWriting(path: string): void {
  if (path.split(/[\\/]/).some(isGits))
    throw new ToolError(`${JSON.stringify(path)} is refused: only git writes in .git`);
}

/** Characters that file systems of macOS leave out of names. */
const leftOut = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Also by its short name on Windows, with a stream, and with what either system takes off; the same on all, as git has it. */
function isGits(segment: string): boolean {
  return /^(?:\.git|git~\d+)[. ]*(?::|$)/i.test(segment.replace(leftOut, ''));
}
