import * as l10n from '@vscode/l10n';
import type { Refusal } from '../core/refusal.ts';
import { opsWords } from './opWords.ts';

/** Why an edit was refused, in the user's language. */
export function refusalText({ sentence, args }: Refusal): string {
  return l10n.t(sentence, ...args);
}

/** The same with what would be taken instead. */
export function refusalWithOffer(refusal: Refusal): string {
  const text = refusalText(refusal);
  return refusal.offer ? `${text} ${l10n.t('Possible instead: {0}.', opsWords(refusal.offer))}` : text;
}
