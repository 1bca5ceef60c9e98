import { ToolError } from './toolError.ts';

/**
 * What would be written as something else than it says, or would make a text file one that is none. (Half a surrogate
 * pair comes out of every encoding as U+FFFD.)
 *
 * @param before what is there already; it may have such things in it
 */
export function refuseText(path: string, text: string, before = ''): void {
  if (!text.isWellFormed() && before.isWellFormed())
    throw new ToolError(
      `${path}: the text holds half a surrogate pair, which no file can hold; nothing was changed`,
    );
  if (text.includes('\0') && !before.includes('\0'))
    throw new ToolError(
      `${path}: the text holds a NUL character, which makes it a binary file; nothing was changed`,
    );
}
