import type { CallKey } from '../core/messages.ts';
import type { FileLog } from '../core/ports.ts';
import type { Session } from '../session/session.ts';
import { textHash } from '../toolbox/textHash.ts';

/** What a call reads and changes of files, on record; and what the session's calls before it saw. */
export function fileLog({ journal, state }: Session, key: CallKey): FileLog {
  return {
    seen: (uri) => state.files.get(journal.redactor.clean(uri).text),
    read: (uri, text, lines, total) => {
      journal.append({ type: 'file.read', key, uri, hash: textHash(text), lines, total });
    },
    changing: (before) => void journal.part(before),
    changed: ({ uri, before, after }) => {
      journal.append({
        type: 'file.changed',
        key,
        uri,
        ...(before === undefined ? {} : { before: journal.part(before) }),
        afterHash: textHash(after),
      });
    },
  };
}
