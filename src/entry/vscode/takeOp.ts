import * as vscode from 'vscode';
import type { Op } from '../../core/ops.ts';
import type { Refusal } from '../../core/refusal.ts';
import { opsWords } from '../../debug/opWords.ts';
import { refusalText } from '../../debug/refusalText.ts';
import type { LiveSession } from './liveSession.ts';

/** Applies an op; a refusal is told of, with a button for what would be taken instead. */
export async function takeOp(session: LiveSession, op: Op): Promise<void> {
  const applied = await session.apply(op);
  if (!applied.ok) await showRefusal(session, applied);
}

/** Why an edit was not taken. What is offered is done only when its button is pressed. */
export async function showRefusal(session: LiveSession, refusal: Refusal): Promise<void> {
  const { offer } = refusal;
  const buttons = offer ? [vscode.l10n.t('Instead: {what}', { what: opsWords(offer) })] : [];
  const pressed = await vscode.window.showWarningMessage(refusalText(refusal), ...buttons);
  if (pressed === undefined) return;
  for (const op of offer ?? []) {
    const applied = await session.apply(op);
    if (!applied.ok) return showRefusal(session, applied);
  }
}
