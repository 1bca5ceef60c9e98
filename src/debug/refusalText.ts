import * as l10n from '@vscode/l10n';
import type { Refusal } from '../core/refusal.ts';

/** Why an edit was refused, in the user's language. */
export function refusalText({ sentence, args }: Refusal): string {
  return l10n.t(sentence, ...args);
}
