import type { SeenFile, WorkspaceResult } from '../../core/ports.ts';
import { textHash } from '../textHash.ts';
import { type Replaced, replaceText } from './replaceText.ts';
import { wholeText } from './wholeText.ts';

export interface EditWish {
  readonly old_string?: string | undefined;
  readonly new_string?: string | undefined;
  readonly replace_all?: boolean | undefined;
  /** The whole new text, instead. */
  readonly content?: string | undefined;
}

export interface PlannedEdit extends Pick<Replaced, 'text' | 'count'> {
  readonly lines?: Replaced['lines'];
}

/**
 * What an edit makes of a file's text. Refused when the file is not as the model last saw it; a whole text also when it
 * has not seen all of what that would replace.
 */
export function planEdit(
  { old_string, new_string, replace_all, content }: EditWish,
  text: string,
  seen: SeenFile | undefined,
): WorkspaceResult<PlannedEdit> {
  if (seen && seen.hash !== textHash(text))
    return refused('it was changed by somebody else since you read it: read it again');
  if (content === undefined)
    return replaceText(text, old_string ?? '', new_string ?? '', replace_all ?? false);
  if (!seen && text !== '') return refused('it is there and you have not read it: read it first');
  if (seen && !seen.whole)
    return refused('you have read only a part of it: read all of it first, or change a part of it');
  // Its mark is the file's, which keeps or lacks it: of the text it would be a second one.
  const own = content.startsWith('\ufeff') && !text.startsWith('\ufeff') ? content.slice(1) : content;
  const whole = wholeText(text, own);
  if (whole === text) return refused('content is what the file holds already');
  return { ok: true, text: whole, count: 1 };
}

function refused(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `${error}. Nothing was changed` };
}
