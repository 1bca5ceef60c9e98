/** Edit in Editor: a value of Variables (or of a panel) as a document; saving it applies the edit. */
import * as vscode from 'vscode';
import type { Scope } from '../../core/events.ts';
import { currentText, valueAt } from '../../core/editText.ts';
import { refusalText } from '../../debug/refusalText.ts';
import { askSession } from './askSession.ts';
import { focusedDebugSession } from './focusedDebugSession.ts';
import type { SessionStore } from './sessionStore.ts';
import { showRefusal } from './takeOp.ts';
import { type EditedValue, editUri } from './virtualFiles.ts';

/** What VS Code hands to a command of the Variables context menu. */
interface VariableContext {
  /** VS Code's id of the debug session that the row belongs to, which need not be the focused one. */
  readonly sessionId?: string;
  readonly container?: { readonly variablesReference?: number };
  readonly variable?: { readonly name?: string };
}

interface Editable {
  /** The session whose value it is. */
  readonly session: string;
  readonly target: string;
  readonly scope: Scope;
  readonly form: EditedValue['form'];
}

export async function editVariable(store: SessionStore, context: VariableContext | undefined): Promise<void> {
  const debugSession = context?.sessionId ?? focusedDebugSession()?.id;
  const live = debugSession === undefined ? undefined : store.liveOf(debugSession);
  const variablesReference = context?.container?.variablesReference;
  const name = context?.variable?.name;
  if (!live || variablesReference === undefined || name === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Use this in the Variables view, on a value that can be edited.'),
    );
    return;
  }
  const row = { variablesReference, name };
  const found = await askSession<Editable>(live.debugSession, 'loopscope/editable', row);
  if (!found) return;
  const { session, target, scope, form } = found;
  await openValue({ session, target, scope, form });
}

/** Opens a target of an op that a panel named. */
export async function editTarget(session: string, target: string, scope: Scope): Promise<void> {
  const form = target.endsWith('/arguments')
    ? 'json-text'
    : scope === 'state' || target.startsWith('request/')
      ? 'json'
      : 'string';
  await openValue({ session, target, scope, form });
}

async function openValue(value: EditedValue): Promise<void> {
  const document = await vscode.workspace.openTextDocument(editUri(value));
  await vscode.window.showTextDocument(document, { preview: false });
}

/** The text of a value being edited, as the session has it now. */
export function readValue(
  store: SessionStore,
  { session, scope, target, form }: EditedValue,
): string | undefined {
  const live = store.live(session);
  if (!live) return undefined;
  if (!target.includes('/')) return currentText(live.state, target, scope);
  const found = valueAt(live.state, target, scope);
  if (found === undefined) return undefined;
  if (form === 'json') return JSON.stringify(found, undefined, 2);
  return typeof found === 'string' ? found : JSON.stringify(found);
}

/** Applies a text to a value; the reason when it is refused. */
export async function writeValue(
  store: SessionStore,
  value: EditedValue,
  text: string,
): Promise<string | undefined> {
  const live = store.live(value.session);
  if (!live) return vscode.l10n.t('This session is not running.');
  const parsed = value.form === 'json' ? parseText(text) : { ok: true as const, value: text };
  if (!parsed.ok) return parsed.reason;
  const applied = await live.apply({
    kind: 'set',
    target: value.target,
    scope: value.scope,
    value: parsed.value,
  });
  if (applied.ok) return undefined;
  // The document says the reason; what would be taken instead has its button.
  if (applied.offer) void showRefusal(live, applied);
  return refusalText(applied);
}

function parseText(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: vscode.l10n.t('This is not valid JSON: {0}', (error as Error).message) };
  }
}
