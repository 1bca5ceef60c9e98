import * as vscode from 'vscode';
import { outcomeWords } from './outcomeWords.ts';
import { exportMessages } from '../../core/exportMessages.ts';
import { exportNotes } from '../../core/exportNotes.ts';
import { exportPage } from '../../core/exportPage.ts';
import type { ExportWords } from '../../core/exportWords.ts';
import type { JournalState } from '../../core/journalState.ts';
import { createRedactor } from '../../session/redactor.ts';
import type { PanelSession } from './panelChannel.ts';
import { requestText } from './requestText.ts';

interface Form extends vscode.QuickPickItem {
  /** Of the file's name. */
  readonly end: string;
  readonly make: (state: JournalState) => string;
}

/**
 * Asks for a form and a place, and writes the session there. What looks like a secret is taken out once more: a log of
 * another agent's was never cleaned.
 */
export async function exportSession({ id, agent, state }: PanelSession): Promise<void> {
  const form = await vscode.window.showQuickPick(formsFor(state), { title: vscode.l10n.t('Export as') });
  if (!form) return;
  const target = await vscode.window.showSaveDialog({
    title: form.label,
    defaultUri: placeFor(`${nameOf(agent)}-${id}${form.end}`),
  });
  if (!target) return;
  const { t } = vscode.l10n;
  const clean = redacted(id, state);
  const text = form.make(clean.state);
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(t('Could not write {0}: {1}', target.fsPath, why));
    return;
  }
  const taken =
    clean.count === 0 ? '' : ` ${t('Texts that look like secrets were taken out: {0}.', clean.count)}`;
  await tell(target, `${t('Exported to {0}.', target.fsPath)}${taken}`, form.end);
}

function formsFor(state: JournalState): readonly Form[] {
  const { t } = vscode.l10n;
  const last = [...state.requests.values()].findLast(({ id }) => id === state.lastRequest);
  const sent = last?.attempts.at(-1)?.sent;
  return [
    {
      label: t('OpenAI messages (JSON)'),
      detail: t('The whole history as a messages array'),
      end: '.json',
      make: exportMessages,
    },
    ...(sent
      ? [
          {
            label: t('Last request (JSON)'),
            detail: t('Its body as it was sent: messages, tools and parameters'),
            end: '-request.json',
            make: (clean: JournalState) => requestText(clean, sent.request, sent.attempt) ?? '',
          },
        ]
      : []),
    {
      label: t('Notes (Markdown)'),
      detail: t('How the messages changed in each round, and the chain of calls'),
      end: '.md',
      make: (clean) => exportNotes(clean, exportStrings()),
    },
    {
      label: t('Page (HTML)'),
      detail: t('All of it in one file for a browser: no script, nothing from elsewhere'),
      end: '.html',
      make: (clean) => exportPage(clean, vscode.env.language, exportStrings()),
    },
  ];
}

/** Each text by itself, as the journal cleans them: a key that quoting would break is still seen. */
function redacted(id: string, state: JournalState): { readonly state: JournalState; readonly count: number } {
  const redactor = createRedactor(() => id);
  let count = 0;
  const parts = new Map(
    [...state.parts].map(([part, given]) => {
      const { text, spans } = redactor.clean(given);
      if (text !== given) count += spans.length;
      return [part, text];
    }),
  );
  return { state: { ...state, parts }, count };
}

function nameOf(agent: string): string {
  const name = agent.replace(/(\.agent)?\.jsonl?$/, '').replace(/[^\p{L}\p{N}._-]+/gu, '-');
  return name === '' ? 'session' : name;
}

function placeFor(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return folder ? vscode.Uri.joinPath(folder.uri, name) : vscode.Uri.file(name);
}

/** Text is opened beside the word of it; a page is for a browser. */
async function tell(target: vscode.Uri, words: string, end: string): Promise<void> {
  if (end !== '.html') {
    await vscode.window.showTextDocument(target, { preview: true });
    void vscode.window.showInformationMessage(words);
    return;
  }
  const open = vscode.l10n.t('Open in Browser');
  void vscode.window.showInformationMessage(words, open).then((chosen) => {
    if (chosen === open) void vscode.env.openExternal(target);
  });
}

function exportStrings(): ExportWords {
  const { t } = vscode.l10n;
  return {
    session: t('A session'),
    run: t('Run {0}: {1}'),
    round: t('Round {0}'),
    sent: t('Sent: {0} tokens'),
    kept: t('kept: {0} messages, from {1}'),
    reply: t('Reply {0}'),
    ended: t('Ended: {0}'),
    need: t('need {0}, room {1}'),
    rounds: t('rounds: {0}'),
    tokens: t('{0} tokens'),
    changes: {
      kept: t('kept'),
      new: t('new'),
      edited: t('edited'),
      trimmed: t('trimmed'),
      dropped: t('dropped'),
      folded: t('folded'),
      restored: t('restored'),
      removed: t('removed'),
    },
    outcomes: outcomeWords(),
  };
}
