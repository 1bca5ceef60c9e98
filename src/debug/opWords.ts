/** What ops would do, in words: for a button, a list, the text behind a refusal. */
import * as l10n from '@vscode/l10n';
import { assertNever } from '../core/assertNever.ts';
import type { Scope } from '../core/events.ts';
import { contentText, type WireMessage } from '../core/messages.ts';
import type { InsertOp, Op, RemoveOp } from '../core/ops.ts';
import { isRecord } from '../core/parseMessage.ts';
import { visible } from '../core/visible.ts';
import { preview } from './node.ts';

/** `unpin m6, then drop m6`. */
export function opsWords(ops: readonly Op[]): string {
  return ops.map(opWords).join(l10n.t(', then '));
}

function opWords(op: Op): string {
  const { t } = l10n;
  switch (op.kind) {
    case 'set':
      return t('set {0} to {1} ({2})', op.target, shown(op.value), scopeWords(op.scope));
    case 'insert':
      return insertWords(op);
    case 'remove':
      return removeWords(op);
    case 'pin':
      return t('pin {0}', op.target);
    case 'unpin':
      return t('unpin {0}', op.target);
    case 'drop':
      return t('drop {0} from this request', op.target);
    case 'restore':
      return t('restore {0} in this request', op.target);
    case 'mock':
      return t('answer call {0} with {1}', op.target, shown(op.data));
    case 'skip':
      return t('skip call {0}', op.target);
    case 'reject':
      return t('reject call {0}', op.target);
    case 'askAgain':
      return t('ask the model again');
    default:
      return assertNever(op);
  }
}

function insertWords({ target, scope, value, behind }: InsertOp): string {
  const { t } = l10n;
  if (target !== 'messages') {
    const { name = '', arguments: given = {} } = isRecord(value) ? value : {};
    const call = `${String(name)} ${typeof given === 'string' ? given : JSON.stringify(given)}`;
    return t('add a call of {0} to {1}', shown(call), target.split('/')[0] ?? '');
  }
  const messages = (Array.isArray(value) ? value : [value]) as readonly WireMessage[];
  const what = messages.map((one) => messageWords(one)).join(' + ');
  return behind === undefined
    ? t('add {0} at the beginning ({1})', what, scopeWords(scope))
    : t('add {0} behind {1} ({2})', what, behind, scopeWords(scope));
}

function messageWords(message: WireMessage): string {
  const text = isRecord(message) ? contentText(message) : '';
  return text === '' ? String(message?.role) : `${message.role} ${shown(text)}`;
}

function removeWords({ target, scope, also = [] }: RemoveOp): string {
  return also.length === 0
    ? l10n.t('remove {0} ({1})', target, scopeWords(scope))
    : l10n.t('remove {0} with {1} ({2})', target, also.join(', '), scopeWords(scope));
}

/** How far an edit reaches. */
export function scopeWords(scope: Scope): string {
  switch (scope) {
    case 'history':
      return l10n.t('for good');
    case 'request':
      return l10n.t('this request only');
    case 'pending':
      return l10n.t('enters the history');
    case 'state':
      return l10n.t('session');
  }
}

function shown(value: unknown): string {
  return visible(preview(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
}
