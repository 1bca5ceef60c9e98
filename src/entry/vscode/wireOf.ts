import { createHash } from 'node:crypto';
import type { RequestId } from '../../core/messages.ts';
import { headOf } from '../../core/panelEvent.ts';
import { wireView, type WireView } from '../../core/wireView.ts';
import type { PanelSession } from './panelChannel.ts';

/** UTF-16 units of a body that cross to a panel; the whole of it opens in an editor. */
const mostChars = 200_000;

const digest = {
  sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
  byteLength: (text: string) => Buffer.byteLength(text),
};

/** The bytes of a request as they cross to a panel; null for a request that the session does not have. */
export function wireOf(session: PanelSession, request: RequestId, attempt: number): WireView | null {
  const view = wireView(session.state, request, attempt, digest);
  if (view?.text === undefined) return view ?? null;
  return { ...view, text: headOf(view.text, mostChars) };
}
