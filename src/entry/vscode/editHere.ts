/** One list of all that can be done at the stop where the agent is held. */
import * as vscode from 'vscode';
import type { CheckpointKind } from '../../core/events.ts';
import { currentRound } from '../../core/journalState.ts';
import { requestHistory } from '../../core/requestHistory.ts';
import { editTarget } from './editInEditor.ts';
import type { LiveSession } from './liveSession.ts';

export type EditCommand =
  | 'dropMessage'
  | 'restoreMessage'
  | 'pinMessage'
  | 'unpinMessage'
  | 'removeMessage'
  | 'addMessage'
  | 'setParameter'
  | 'resetParameter'
  | 'addCall'
  | 'removeCall'
  | 'mockCall'
  | 'skipCall'
  | 'rejectCall'
  | 'askAgain';

type HereCommand = EditCommand | 'showChange';

const { t } = vscode.l10n;

/** All that can be done at this stop, in one list. */
export async function editHere(
  session: LiveSession | undefined,
  commands: Readonly<Record<HereCommand, () => Promise<void>>>,
): Promise<void> {
  const kind = session?.state.paused ? session.state.checkpoint?.kind : undefined;
  if (!session || kind === undefined) {
    void vscode.window.showInformationMessage(t('No agent is paused.'));
    return;
  }
  const actions = [...editsOf(session), ...hereOf(commands, kind)];
  const picked = await vscode.window.showQuickPick(actions, { title: t('Edit What Is Paused') });
  await picked?.go();
}

interface Action extends vscode.QuickPickItem {
  readonly go: () => Promise<void>;
}

/** Texts: what waits at this stop, in an editor. */
function editsOf({ id, state }: LiveSession): Action[] {
  const round = currentRound(state);
  const reply = round?.replies.at(-1);
  const edit = (label: string, target: string, scope: 'pending' | 'request'): Action => ({
    label,
    description: target,
    go: () => editTarget(id, target, scope),
  });
  switch (state.checkpoint?.kind) {
    case 'plan':
      return requestHistory(state)
        .toReversed()
        .map((message) =>
          edit(t('Edit the text of {id} for this request', { id: message }), `${message}/content`, 'request'),
        );
    case 'reply':
    case 'act':
      if (!reply) return [];
      return [
        ...(round?.calls ?? [])
          .filter(({ status }) => status === 'waiting')
          .map(({ key, position }) =>
            edit(
              t('Edit the arguments of call {key}', { key }),
              `${reply.message}/tool_calls/${position - 1}/function/arguments`,
              'pending',
            ),
          ),
        edit(t('Edit the text of the reply'), `${reply.message}/content`, 'pending'),
      ];
    case 'observe':
      return (round?.calls ?? []).flatMap(({ key, message }) =>
        message === undefined
          ? []
          : [edit(t('Edit the result of call {key}', { key }), `${message}/content`, 'pending')],
      );
    default:
      return [];
  }
}

function hereOf(
  commands: Readonly<Record<HereCommand, () => Promise<void>>>,
  kind: CheckpointKind,
): Action[] {
  const always: readonly EditCommand[] = ['pinMessage', 'unpinMessage', 'addMessage', 'removeMessage'];
  const here: Readonly<Record<typeof kind, readonly HereCommand[]>> = {
    plan: [
      'addMessage',
      'dropMessage',
      'restoreMessage',
      'pinMessage',
      'unpinMessage',
      'removeMessage',
      'setParameter',
      'resetParameter',
    ],
    reply: ['askAgain', 'addCall', 'removeCall', 'mockCall', 'skipCall', 'rejectCall', ...always],
    act: ['showChange', 'mockCall', 'skipCall', 'rejectCall', ...always],
    observe: always,
    end: always,
  };
  const labels = labelsOf();
  return here[kind].map((name) => ({ label: labels[name], go: () => commands[name]() }));
}

function labelsOf(): Readonly<Record<HereCommand, string>> {
  return {
    dropMessage: t('Drop from This Request'),
    restoreMessage: t('Restore in This Request'),
    pinMessage: t('Pin'),
    unpinMessage: t('Unpin'),
    removeMessage: t('Remove for Good'),
    addMessage: t('Add a Message'),
    setParameter: t('Set a Parameter of This Request'),
    resetParameter: t('Undo the Edit of a Parameter'),
    addCall: t('Add a Call to the Reply'),
    removeCall: t('Remove a Call'),
    mockCall: t('Answer for the Tool'),
    skipCall: t('Skip a Call'),
    rejectCall: t('Reject a Call'),
    askAgain: t('Ask Again'),
    showChange: t('Show a Difference'),
  };
}
