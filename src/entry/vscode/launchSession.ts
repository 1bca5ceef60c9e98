/** Makes an agent and a session of launch arguments, with VS Code's files, keys and storage. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { AgentConfig, CommandToolConfig } from '../../core/config.ts';
import { stoppedAtLimit } from '../../core/journalState.ts';
import type { LaunchArguments } from '../../debug/adapterPorts.ts';
import type { Launched } from '../../debug/debuggee.ts';
import { isMemorable } from '../../runner/remember.ts';
import { toolNames } from '../../toolbox/builtinTools.ts';
import { createFolderWorkspace } from '../../toolbox/folderWorkspace.ts';
import { noCode } from '../../toolbox/code/noCode.ts';
import { noGit } from '../../toolbox/git/noGit.ts';
import { wireName } from '../../toolbox/wireName.ts';
import { absentTools, placeOf, unrunnableTools } from '../absentTools.ts';
import { parseAgentFile } from '../agentFile.ts';
import { createAgent, demoName, resolveApiKey } from '../createAgent.ts';
import { newSessionId, openSessionFile } from '../openSessionFile.ts';
import { systemClock } from '../systemClock.ts';
import { diagnosticsOf } from './agentDiagnostics.ts';
import { readAgentText } from './agentText.ts';
import { agentUriOf } from './agentUri.ts';
import type { ApiKeys } from './apiKeys.ts';
import { createApproveCall } from './approveCall.ts';
import { callRules } from './callRules.ts';
import type { CommandChannel } from './commandChannel.ts';
import type { CallPreview } from './callPreview.ts';
import type { DiagnosticsWatch } from './diagnosticsWatch.ts';
import { untrusted } from './editorGit.ts';
import { createEditorWorkspace } from './editorWorkspace.ts';
import { loadTrusted } from './loadTrusted.ts';
import type { Memories } from './memories.ts';
import { titleOf } from './titleOf.ts';
import type { SessionStore } from './sessionStore.ts';
import { lastJournal } from './storage.ts';
import { workspaceServices } from './workspaceServices.ts';

export interface LaunchPorts {
  readonly store: SessionStore;
  readonly apiKeys: ApiKeys;
  readonly diagnostics: vscode.DiagnosticCollection;
  readonly journals: string;
  readonly memories: Memories;
  readonly commands: CommandChannel;
  readonly preview: CallPreview;
  readonly watch: DiagnosticsWatch;
  /** Of the workspace. */
  readonly memory: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

const launchSchema = z
  .object({
    agent: z.string().min(1),
    goal: z.string().trim().default(''),
    /** Instead of a goal: rounds for the session's last run, which a limit stopped. */
    more: z.int().min(1).max(1000).optional(),
    workspace: z.string().optional(),
    session: z.string().default('new'),
  })
  .refine(({ goal, more }) => goal !== '' || more !== undefined, { path: ['goal'], error: 'is missing' });

export async function launchSession(
  args: LaunchArguments,
  ports: LaunchPorts,
  debugSession: vscode.DebugSession,
): Promise<Launched | { readonly problem: string }> {
  const parsed = launchSchema.safeParse(args);
  if (!parsed.success)
    return {
      problem: vscode.l10n.t('The launch configuration is not right: {0}', z.prettifyError(parsed.error)),
    };
  const { agent: named, goal, more, workspace, session: where } = parsed.data;
  const uri = agentUriOf(named);
  const name = path.posix.basename(uri.path);
  const text = await readAgentText(uri);
  if (text === undefined) {
    return {
      problem: vscode.l10n.t('There is no agent file {0}. Run “Loopscope: New Agent” to make one.', named),
    };
  }
  const file = parseAgentFile(text, name, toolNames);
  ports.diagnostics.set(uri, diagnosticsOf(file));
  if (!file.ok) return { problem: file.problems.map(({ message }) => message).join('\n') };
  const { config } = file;
  const unnamed = serverProblem(config);
  if (unnamed !== undefined) return { problem: unnamed };
  const loaded = await loadTrusted(config.context, uri);
  if (!loaded.ok) return { problem: loaded.message };
  const files =
    workspace === undefined
      ? createEditorWorkspace(vscode, uri, workspaceServices(ports.watch))
      : createFolderWorkspace(workspace, {
          code: noCode('this agent works in a folder that is not asked about'),
          ...(vscode.workspace.isTrusted ? {} : { git: noGit(untrusted) }),
        });
  const unrunnable = unrunnableTools(config, placeOf(files, vscode.workspace.isTrusted));
  if (unrunnable !== undefined) return { problem: unrunnable };
  const rules = callRules(uri);
  if ('problem' in rules) return rules;
  const agent = await createAgent({
    config,
    rules,
    path: name,
    systemLine: file.systemLine,
    workspace: files,
    approve: createApproveCall({
      memory: ports.memory,
      workspace: files,
      preview: ports.preview,
      commandOf: (tool) => commandNamed(config, tool),
    }),
    showCommand: ports.commands.show,
    clock: systemClock,
    proxies: 'editor',
    memoryFile: ports.memories.fileOf(uri),
    modules: loaded.modules,
    apiKey: resolveApiKey(config, process.env, await ports.apiKeys.get(config.api_base)),
  });
  // Last, since it takes the journal's lock: nothing behind it can fail.
  const journalFile = await journalFor(where, ports.journals);
  if (journalFile === undefined) return { problem: vscode.l10n.t('There is no session to continue yet.') };
  await ports.memories.release(journalFile.file);
  const opened = openSessionFile({
    file: journalFile.file,
    id: journalFile.id,
    agent: name,
    clock: systemClock,
    onListenerError: (error) => ports.log.error(error instanceof Error ? error : String(error)),
  });
  if (!opened.ok) return { problem: opened.message };
  if (more !== undefined && !stoppedAtLimit(opened.session.state)) {
    opened.session.journal.close();
    return { problem: vscode.l10n.t('Only a run that a limit stopped can go on with more rounds.') };
  }
  const live = ports.store.add({
    session: opened.session,
    running: agent,
    rules: { ...rules, agent: config.approvals },
    agentUri: uri,
    journalFile: journalFile.file,
    debugSession,
  });
  let hasRun = false;
  return {
    agent,
    session: opened.session,
    goal,
    ...(more === undefined ? {} : { more }),
    agentSource: { name, path: uri.scheme === 'file' ? uri.fsPath : uri.toString() },
    notices: [
      ...file.warnings.map(({ message }) => message),
      ...absentTools(config, files),
      ...opened.notices,
    ],
    onRun(run) {
      hasRun = true;
      live.attach(run);
    },
    onText: (delta) => live.addText(delta),
    onLookBack: (before) => live.lookBack(before),
    close() {
      live.close();
      const { session } = opened;
      session.journal.close();
      if (agent.memory && hasRun && isMemorable(session))
        ports.memories.ended({ agent, journalFile: journalFile.file, title: titleOf(session.state) });
    },
  };
}

/** A server gets the user's key, and what the tools read: a workspace that is not trusted names none. */
function serverProblem({ model_name: model, api_base: base }: AgentConfig): string | undefined {
  if (vscode.workspace.isTrusted || model === demoName) return undefined;
  return vscode.l10n.t('The server {0} is asked only in a trusted workspace.', base);
}

function commandNamed({ tools }: AgentConfig, name: string): CommandToolConfig | undefined {
  return tools.filter((tool) => typeof tool !== 'string').find((tool) => wireName(tool.name) === name);
}

async function journalFor(where: string, folder: string): Promise<{ file: string; id: string } | undefined> {
  const id = newSessionId();
  if (where === 'new') return { file: path.join(folder, `${id}.jsonl`), id };
  const file = where === 'last' ? await lastJournal(folder) : where;
  return file === undefined ? undefined : { file, id };
}
