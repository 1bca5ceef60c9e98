/** At a stop before a call that changes a file: what it would change, as VS Code's own difference. */
import * as vscode from 'vscode';
import { changingTools } from '../../core/changingTools.ts';
import { callAt } from '../../core/journalState.ts';
import type { CallKey } from '../../core/messages.ts';
import type { CallPreview } from './callPreview.ts';
import type { LiveSession } from './liveSession.ts';
import { plannedChange } from './plannedChange.ts';

const { t } = vscode.l10n;

/** Of each session the difference that stands open. */
const open = new WeakMap<LiveSession, () => void>();

/** It is closed when it is no longer what would happen: the session went on, or the call was edited. */
export async function showChange(session: LiveSession, key: CallKey, preview: CallPreview): Promise<void> {
  const call = callAt(session.state, key);
  if (call?.status !== 'waiting' || !changingTools.has(call.name)) {
    void vscode.window.showInformationMessage(t('No call that changes a file is waiting here.'));
    return;
  }
  const { arguments: shown } = call;
  const change = await plannedChange(session.trueCall(call), session.running.workspace, session.filesOf(key));
  if (change === undefined || !change.ok) {
    const why = change?.error ?? t('its arguments are not right');
    void vscode.window.showWarningMessage(t('This call would be refused: {0}', why));
    return;
  }
  open.get(session)?.();
  const close = await preview.showChange(change);
  if (!close) return;
  const end = () => {
    open.delete(session);
    listener.dispose();
    void close();
  };
  const listener = session.onEvents(() => {
    const now = callAt(session.state, key);
    if (!session.state.paused || now?.status !== 'waiting' || now.verdict || now.arguments !== shown) end();
  });
  open.set(session, end);
}
