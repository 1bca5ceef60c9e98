import * as vscode from 'vscode';

/** How a run ended, by outcome, in the user's language. */
export function outcomeWords() {
  const { t } = vscode.l10n;
  return {
    done: t('done'),
    limit: t('stopped at a limit'),
    blocked: t('blocked'),
    refused: t('the model refused'),
    failed: t('failed'),
    cancelled: t('cancelled'),
    crashed: t('crashed'),
  };
}
