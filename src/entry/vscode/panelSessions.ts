import * as vscode from 'vscode';
import type { CopyTarget, OpenTarget, PanelCommand } from '../../core/protocol.ts';
import { messageBody } from '../../core/messageView.ts';
import { agentOf, fileNamed } from './agentOf.ts';
import { editTarget } from './editInEditor.ts';
import { commands } from './names.ts';
import type { PanelSession, PanelSessions, PanelStopRules } from './panelChannel.ts';
import { createPanelSelection } from './panelSelection.ts';
import { requestText } from './requestText.ts';
import type { SessionStore } from './sessionStore.ts';
import { showPlace } from './showPlace.ts';
import { bodyUri } from './virtualFiles.ts';

const selection = createPanelSelection();

/** The store as the panels see it, and what they may have opened. */
export function createPanelSessions(store: SessionStore, stopRules: PanelStopRules): PanelSessions {
  return {
    list: () => store.list(),
    lookUp: async () => void (await store.runs()),
    get: (id) => store.get(id),
    load: (id) => store.load(id),
    get current() {
      return store.current;
    },
    show: (id) => store.show(id),
    onDidChangeCurrent: (listener) => store.onDidChangeCurrent(listener),
    selection,
    stopRules,
    open: (session, what) => void open(session, what, store),
    copy: (session, what) => void vscode.env.clipboard.writeText(copiedText(session, what)),
    // Loaded when it is first asked for: it edits JSON with comments.
    useBudget: (session, limit, policy) =>
      void import('./useBudget.ts').then(async ({ useBudget }) =>
        useBudget(await agentOf(session, store), limit, policy),
      ),
    go: ({ id }, round) => void go(store.live(id)?.debugSession, round),
    run: (command: PanelCommand) => void vscode.commands.executeCommand(commands[command]),
  };
}

async function open(session: PanelSession, what: OpenTarget, store: SessionStore): Promise<void> {
  switch (what.kind) {
    case 'edit':
      return editTarget(session.id, what.target, what.scope);
    case 'change':
      // By its command, which has the preview, and is loaded when it is first asked for.
      await vscode.commands.executeCommand(commands.showChange, session.id, what.call);
      return;
    case 'body':
      return showLine(bodyUri(session.id, what.request, what.attempt), 1);
    case 'origin':
      return openOrigin(session, what.message, store);
    case 'journal':
      return openJournal(store.fileOf(session.id), what.seq);
    case 'tool':
      // Loaded when it is first asked for: it reads JSON with comments.
      return (await import('./openTool.ts')).openTool(session, what.name, store);
  }
}

async function go(debug: vscode.DebugSession | undefined, round: number | undefined): Promise<void> {
  const request = round === undefined ? 'loopscope/stepIn' : 'loopscope/runToRound';
  await debug?.customRequest(request, { round }).then(undefined, (error: Error) => {
    void vscode.window.showErrorMessage(error.message);
  });
}

/** A message as people read it; a request's body as it was sent. */
function copiedText({ state }: PanelSession, what: CopyTarget): string {
  if (what.kind === 'body') return requestText(state, what.request, what.attempt) ?? '';
  const { text, calls } = messageBody(state.parts.get(what.part) ?? '');
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)]
    .filter((one) => one !== '')
    .join('\n');
}

async function openOrigin(session: PanelSession, message: string, store: SessionStore): Promise<void> {
  const appended = session.events.flatMap((event) =>
    event.type === 'history.appended' ? event.messages : [],
  );
  const location = appended.find(({ id }) => id === message)?.origin.location;
  if (!location) return;
  const file = store.live(session.id)?.agentUri ?? (await fileNamed(location.path));
  if (file) return showLine(file, location.line);
  void vscode.window.showErrorMessage(vscode.l10n.t('The file {0} is not in this workspace.', location.path));
}

async function openJournal(file: vscode.Uri | undefined, seq: number): Promise<void> {
  if (file !== undefined) await showLine(file, seq + 1);
}

async function showLine(uri: vscode.Uri, line: number): Promise<void> {
  await showPlace(uri, new vscode.Range(line - 1, 0, line - 1, 0));
}
