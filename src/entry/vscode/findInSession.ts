import { countInMessage } from '../../core/findText.ts';
import type { PartId } from '../../core/messages.ts';
import type { PanelSession } from './panelChannel.ts';

/** UTF-16 units that are looked through before other work has its turn. */
const slice = 2_000_000;

/** How often each text of a session has another; undefined when `isWanted` said no in between. */
export async function findInSession(
  { state }: PanelSession,
  text: string,
  isWanted: () => boolean,
): Promise<(readonly [PartId, number])[] | undefined> {
  const hits: (readonly [PartId, number])[] = [];
  let read = 0;
  for (const [part, whole] of state.parts) {
    const count = countInMessage(whole, text);
    if (count > 0) hits.push([part, count]);
    read += whole.length;
    if (read < slice) continue;
    read = 0;
    await new Promise((resolve) => setImmediate(resolve));
    if (!isWanted()) return undefined;
  }
  return hits;
}
