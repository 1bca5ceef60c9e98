/** Texts and values as an edit finds them: the same for who edits, who shows what to edit, and who decides. */
import type { Scope } from './events.ts';
import { currentRound, type JournalState, textOf } from './journalState.ts';
import type { MessageId } from './messages.ts';
import { requestParameters } from './requestParameters.ts';
import { parseJson } from './parseMessage.ts';
import { atPointer, splitTarget } from './pointer.ts';

/** The text of a message as an edit of that scope finds it; undefined when there is none. */
export function currentText(state: JournalState, id: MessageId, scope: Scope): string | undefined {
  const round = currentRound(state);
  if (scope === 'request') {
    const own = round?.requestEdits.texts.get(id);
    return own === undefined ? textOf(state, id) : state.parts.get(own);
  }
  if (scope === 'history') return textOf(state, id);
  const reply = round?.replies.at(-1);
  const part = reply?.message === id ? reply.part : round?.calls.find((call) => call.message === id)?.part;
  return part === undefined ? undefined : state.parts.get(part);
}

/** The value at a target, for views that show what an edit would replace; undefined when there is none. */
export function valueAt(state: JournalState, target: string, scope: Scope): unknown {
  const [root, path] = splitTarget(target);
  if (scope === 'state') {
    const [key, inner] = splitTarget(path);
    const part = state.working.get(key);
    return part === undefined ? undefined : atPointer(parseJson(state.parts.get(part) ?? 'null'), inner);
  }
  if (scope === 'request' && root === 'request') {
    const text = requestParameters(state).get(path);
    return text === undefined ? undefined : parseJson(text);
  }
  const text = currentText(state, root, scope);
  return text === undefined ? undefined : atPointer(parseJson(text), path);
}
