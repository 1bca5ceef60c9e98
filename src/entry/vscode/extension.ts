/** The extension: registers what package.json promises. The engine itself is loaded with the first debug session. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { stoppedAtLimit } from '../../core/journalState.ts';
import { createAgentChecks } from './agentChecks.ts';
import { createAdapterFactory } from './adapterFactory.ts';
import { createApiKeys } from './apiKeys.ts';
import { chat } from './chat.ts';
import { createCommandChannel } from './commandChannel.ts';
import { continueWithMore } from './continueWithMore.ts';
import { createConfigurationProvider } from './configurationProvider.ts';
import { contextViewId, createContextView } from './contextView.ts';
import { createDiagnosticsWatch } from './diagnosticsWatch.ts';
import { createDynamicConfigurations } from './dynamicConfigurations.ts';
import { editCommandsLater } from './editCommandsLater.ts';
import { createCallPreview } from './callPreview.ts';
import { editVariable, readValue, writeValue } from './editInEditor.ts';
import { registerHovers } from './hovers.ts';
import { commands, contextKeys, debugType, fileScheme } from './names.ts';
import { createMemories } from './memories.ts';
import { meantSession } from './meantSession.ts';
import { createStopRules } from './stopRules.ts';
import { createPanelSessions } from './panelSessions.ts';
import { createRoundsPanel } from './roundsPanel.ts';
import { createSessionStore, type SessionStore } from './sessionStore.ts';
import { showRoundsAtFirstStop } from './showRoundsAtFirstStop.ts';
import { createRunIndex } from '../runIndex.ts';
import { hasJournals, memoryFolder, sessionsFolder } from './storage.ts';
import { requestText } from './requestText.ts';
import { createRunActions } from './runActions.ts';
import { createRunsView } from './runsView.ts';
import { createJournalEditor } from './journalEditor.ts';
import { runToRound } from './runToRound.ts';
import { showTools, toolsText } from './showTools.ts';
import type { VariableRow } from './variableRow.ts';
import { createVirtualFiles } from './virtualFiles.ts';

export function activate(context: vscode.ExtensionContext): void {
  // What knows nothing of VS Code (the adapter, agent files) speaks the user's language through this.
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  const log = vscode.window.createOutputChannel('Loopscope', { log: true });
  const diagnostics = vscode.languages.createDiagnosticCollection('loopscope');
  const apiKeys = createApiKeys(context.secrets);
  const journals = sessionsFolder(context);
  const store = createSessionStore(createRunIndex(journals, (why) => log.warn(why)));
  const memory = context.workspaceState;
  const commandLog = createCommandChannel();
  const preview = createCallPreview();
  const watch = createDiagnosticsWatch(vscode);
  const memories = createMemories(memoryFolder(context), log);

  const files = createVirtualFiles({
    loopFile: context.asAbsolutePath('dist/loop.ts'),
    roundText: async (...round) => (await import('./roundText.ts')).roundText(store, ...round),
    bodyText: (id, request, attempt) => {
      const session = store.get(id);
      return session && requestText(session.state, request, attempt);
    },
    toolsText: (uri) => toolsText(store, uri),
    readValue: (value) => readValue(store, value),
    writeValue: (value, text) => writeValue(store, value, text),
    diagnostics,
  });
  const logFault = (error: unknown) => log.error(error instanceof Error ? error : String(error));
  const stopRules = createStopRules(memory, logFault);
  const panels = createPanelSessions(store, stopRules);
  const rounds = createRoundsPanel(context, panels);
  const runs = createRunsView(store);
  const showContext = () => vscode.commands.executeCommand(`${contextViewId}.focus`);

  const actions: Record<keyof typeof commands, (...args: never[]) => unknown> = {
    chat: () => chat(store, memory, { debug: false }),
    debugAgent: () => chat(store, memory, { debug: true }),
    newChat: () => chat(store, memory, { debug: false, fresh: true }),
    showRounds: () => rounds.show({ preserveFocus: false }),
    showContext,
    showTools: (agent?: unknown) => showTools(store, agent),
    setApiKey: () => apiKeys.ask(),
    newAgent: async () => (await import('./newAgent.ts')).newAgent(),
    continueWithMore: () => continueWithMore(store),
    runToRound: (place?: Parameters<typeof runToRound>[1]) => runToRound(store, place),
    stopRules: async () => (await import('./pickStopRules.ts')).pickStopRules(stopRules),
    stopOnVariable: async (row?: VariableRow) =>
      (await import('./pickStopRules.ts')).stopOnVariable(store, stopRules, row),
    stopOnTool: async (row?: VariableRow) =>
      (await import('./pickStopRules.ts')).stopOnTool(store, stopRules, row),
    showMemory: () => memories.show(),
    forgetMemory: () => memories.forget(),
    ...createRunActions(store, rounds, panels.selection, runs),
    ...editCommandsLater(store, preview),
    editInEditor: (variable?: Parameters<typeof editVariable>[1]) => editVariable(store, variable),
  };

  context.subscriptions.push(
    log,
    diagnostics,
    commandLog,
    preview,
    createAgentChecks(diagnostics, logFault),
    stopRules,
    watch,
    rounds,
    createContextView(context, panels),
    runs,
    createJournalEditor(context, store, panels),
    vscode.workspace.registerFileSystemProvider(fileScheme, files, { isCaseSensitive: true }),
    vscode.debug.registerDebugAdapterDescriptorFactory(
      debugType,
      createAdapterFactory(context, stopRules, {
        store,
        apiKeys,
        diagnostics,
        journals,
        memories,
        commands: commandLog,
        preview,
        watch,
        memory,
        log,
      }),
    ),
    vscode.debug.registerDebugConfigurationProvider(debugType, createConfigurationProvider(memory)),
    vscode.debug.registerDebugConfigurationProvider(
      debugType,
      createDynamicConfigurations(),
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    showRoundsAtFirstStop(rounds),
    registerHovers(),
    store.onDidChangeCurrent(() => updateContextKeys(store)),
    store.onDidAdvance(() => {
      files.refresh();
      updateStop(store);
    }),
    vscode.debug.onDidChangeActiveStackItem(() => updateStop(store)),
    ...Object.entries(actions).map(([name, action]) =>
      vscode.commands.registerCommand(
        commands[name as keyof typeof commands],
        action as (...args: unknown[]) => unknown,
      ),
    ),
  );
  // Journals are read when they are asked for: until then it is enough to know that there are some.
  void hasJournals(journals).then((has) => {
    if (has) void vscode.commands.executeCommand('setContext', contextKeys.hasSession, true);
  });
}

/** Where the session that a command would mean is paused, for the conditions of menus. */
function updateStop(store: SessionStore): void {
  const session = meantSession(store);
  const isHere = session?.live && session.state.paused && session.before === undefined;
  const stop = isHere ? (session.state.checkpoint?.kind ?? '') : '';
  void vscode.commands.executeCommand('setContext', contextKeys.stop, stop);
}

function updateContextKeys(store: SessionStore): void {
  updateStop(store);
  const isAtLimit = store.lives().some(({ state }) => stoppedAtLimit(state));
  const set = (key: string, value: boolean) => void vscode.commands.executeCommand('setContext', key, value);
  if (store.list().length > 0) set(contextKeys.hasSession, true);
  set(contextKeys.stoppedAtLimit, isAtLimit);
}
