/**
 * The engine as a library, without VS Code: an agent that chats on a session, with its journal as a stream.
 *
 *     const agent = new Agent({ model: createDemoModel(), tools: builtinTools });
 *     const onEvent = (event: AgentEvent) => event.type === 'tool_call' && console.log(event.name, event.arguments);
 *     const { message, session } = await agent.chat('What is 45 + 20?', { onEvent });
 *     await agent.chat('And 10 more?', { session });
 */
import * as path from 'node:path';
import type { AgentConfig } from '../core/config.ts';
import type { Outcome } from '../core/events.ts';
import { currentRun } from '../core/journalState.ts';
import { answerText } from '../core/logLine.ts';
import type { Approve, Clock, ModelClient, Toolbox, Workspace } from '../core/ports.ts';
import { encodingFor } from '../planner/tokenizer/encoding.ts';
import type { NamedPolicy } from '../planner/pack.ts';
import { createTokenCounter } from '../planner/tokens.ts';
import { remember, type Remembered } from '../runner/remember.ts';
import type { Retrieve } from '../runner/retrieve.ts';
import { type Agent as RunningAgent, type RunStart, startRun } from '../runner/run.ts';
import { createJournal } from '../session/journal.ts';
import { openSession, type Session } from '../session/session.ts';
import { createPermit } from '../toolbox/approvalRules.ts';
import { createToolbox } from '../toolbox/createToolbox.ts';
import { createFolderWorkspace } from '../toolbox/folderWorkspace.ts';
import type { Tool } from '../toolbox/tool.ts';
import {
  requireGoal,
  requireOptions,
  requireRunOptions,
  requireSession,
  requireSettings,
} from './libraryArguments.ts';
import { type AgentListener, listen } from './listen.ts';
import { newSessionId } from './openSessionFile.ts';
import { secretsOf } from './secrets.ts';
import { systemClock } from './systemClock.ts';

export type { AgentConfig, CommandToolConfig } from '../core/config.ts';
export { comparable, type JournalEvent, type Outcome } from '../core/events.ts';
export { fold, foldAll } from '../core/fold.ts';
export type { JournalState } from '../core/journalState.ts';
export { checkJournal } from '../core/check.ts';
export { foreignDiff } from '../core/diff/foreignDiff.ts';
export { applyListDiff, type ListDiff } from '../core/diff/listDiff.ts';
export { valueDiff, type ValueDiff } from '../core/diff/valueDiff.ts';
export { legal } from '../core/legal.ts';
export type { Approval, Approve, ModelClient, Workspace } from '../core/ports.ts';
export { createDemoModel } from '../planner/demoModel.ts';
export { createOpenAiClient } from '../planner/openaiClient.ts';
export type { NamedPolicy } from '../planner/pack.ts';
export type { Policy, PolicyDecision, PolicyInput, PolicyUnit } from '../planner/policy.ts';
export type { Retrieve, Retrieved, RetrieveInput } from '../runner/retrieve.ts';
export type { Remembered } from '../runner/remember.ts';
export type { Session } from '../session/session.ts';
export { builtinTools, codeTools } from '../toolbox/builtinTools.ts';
export { defineTool } from '../toolbox/defineTool.ts';
export { commandTool } from './commandTool.ts';
export { folderCode } from './folderCode.ts';
export { runCommandTool } from './runCommandTool.ts';
export { runTaskTool } from './runTaskTool.ts';
export { createFolderWorkspace } from '../toolbox/folderWorkspace.ts';
export type { Tool } from '../toolbox/tool.ts';
export {
  type AgentEvent,
  type ChatMessageEvent,
  isJournalEvent,
  type ToolCallEvent,
  type ToolResultEvent,
} from './agentEvents.ts';

export interface AgentOptions extends Partial<Omit<AgentConfig, 'tools' | 'context' | 'memory'>> {
  readonly model: ModelClient;
  readonly tools?: readonly Tool[];
  readonly context?: Partial<AgentConfig['context']>;
  /** What file tools see; without it the current folder. */
  readonly workspace?: Workspace;
  readonly clock?: Clock;
  /** Asked before a call that acts outside, or that `approvals` says is asked for; without it nobody is asked. */
  readonly approve?: Approve;
  /** A context policy of your own, in place of `context.policy`: pure, and held to the rules of all policies. */
  readonly policy?: NamedPolicy;
  /** Adds context before each packing: `({ goal, round, messages, signal }) => [{ text, location? }]`. */
  readonly retrieve?: Retrieve;
  /** A JSON file in which sessions are remembered (see `remember`); new sessions begin with what it holds. */
  readonly memoryFile?: string;
}

export interface ChatOptions extends RunOptions {
  /** Goes on with this conversation; without it a new one begins. */
  readonly session?: Session;
}

export interface RunOptions {
  /**
   * Hears of all that happens: `tool_call`, `tool_result`, `message`, and each event of the journal, whole. In order and
   * within the run, which does not wait for promises. What it throws is a process warning and does not break the run.
   */
  readonly onEvent?: AgentListener;
  /** Ends the run with a legal history. */
  readonly signal?: AbortSignal;
}

export interface ChatResult {
  /** The answer; undefined when the run ended without one. */
  readonly message: string | undefined;
  readonly outcome: Outcome;
  /** Why, when the outcome is not `done`. */
  readonly why: string | undefined;
  readonly session: Session;
  readonly rounds: number;
}

/** An agent holds settings and ports, no state: all that happens is in the session. */
export class Agent {
  readonly #options: AgentOptions;
  readonly #config: AgentConfig;
  readonly #toolbox: Toolbox;

  /** Throws when an option is not of its kind, and for tools that no provider would take: with what to pass instead. */
  constructor(options: AgentOptions) {
    requireOptions(options);
    this.#options = options;
    this.#config = settingsOf(options);
    this.#toolbox = createToolbox(options.tools ?? []);
  }

  /**
   * Runs one goal to its end. Does not reject for what models and tools do; see `outcome`. Rejects when the session is
   * at work already: two runs on one history would write into each other.
   */
  async chat(goal: string, given?: ChatOptions): Promise<ChatResult> {
    requireGoal(goal);
    requireRunOptions(given ?? {}, 'chat(goal, options)');
    const { session, ...options } = given ?? {};
    if (session) requireSession(session, 'chat(goal, { session })');
    const { clock = systemClock } = this.#options;
    const used = session ?? openSession(createJournal({ clock }), { id: newSessionId(), agent: 'library' });
    return this.#run(used, { goal }, options, !session);
  }

  /**
   * Goes on with a run that a limit stopped (outcome `limit`), for so many more rounds: without a new goal, and
   * without repeating what was done. Rejects when the session's last run was not stopped by a limit.
   */
  async continue(session: Session, rounds: number, options: RunOptions = {}): Promise<ChatResult> {
    requireSession(session, 'continue(session, rounds)');
    requireRunOptions(options, 'continue(session, rounds, options)');
    return this.#run(session, { more: rounds }, options);
  }

  /**
   * Has the model sum up a session that is over, in a few sentences, and saves them to `memoryFile` for later sessions;
   * said again, it replaces what was saved. Does not reject for what models and disks do: nothing has changed then, and
   * the session's journal says why. Rejects when the session is at work, or when there is no `memoryFile`.
   */
  async remember(session: Session, { onEvent, signal }: RunOptions = {}): Promise<Remembered> {
    if (this.#options.memoryFile === undefined)
      throw new Error('remember() needs new Agent({ memoryFile }), the file to remember in.');
    requireSession(session, 'remember(session)');
    return this.#heard(session, onEvent, false, async (agent) =>
      remember(agent, session, signal ?? new AbortController().signal),
    );
  }

  async #run(
    session: Session,
    start: RunStart,
    { onEvent, signal }: RunOptions,
    isNew = false,
  ): Promise<ChatResult> {
    return this.#heard(session, onEvent, isNew, async (agent) => {
      const run = startRun(agent, session, start);
      const cancel = () => run.cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
      const outcome = await run.done;
      signal?.removeEventListener('abort', cancel);
      const last = currentRun(session.state);
      const message = answerText(session.state);
      return { message, outcome, why: last?.ended?.limit, session, rounds: last?.rounds.length ?? 0 };
    });
  }

  /** Works on a session that nobody else is at work on, with the listener told of it; of a new one, from its beginning. */
  async #heard<Result>(
    session: Session,
    onEvent: AgentListener | undefined,
    isNew: boolean,
    work: (agent: RunningAgent) => Promise<Result>,
  ): Promise<Result> {
    return whileBusy(session, async () => {
      const agent = await this.#agent();
      const ownName = (name: string) => this.#toolbox.find(name)?.ownName ?? name;
      const past = isNew ? session.journal.events : [];
      const stopListening = onEvent ? listen(session, onEvent, ownName, past) : () => undefined;
      try {
        return await work(agent);
      } finally {
        stopListening();
      }
    });
  }

  async #agent(): Promise<RunningAgent> {
    const { model, clock = systemClock, workspace } = this.#options;
    const { policy, memoryFile, retrieve, approve } = this.#options;
    const config = this.#config;
    return {
      config,
      model,
      toolbox: this.#toolbox,
      workspace: workspace ?? createFolderWorkspace(process.cwd()),
      countTokens: await createTokenCounter(encodingFor(config.model_name)),
      clock,
      systemOrigin: { kind: 'system' },
      // The client holds its key to itself; the environment's are known.
      secrets: secretsOf(config, undefined, process.env),
      permit: createPermit({ agent: config.approvals }),
      ...(approve ? { approve } : {}),
      ...(policy ? { policy } : {}),
      ...(retrieve ? { retrieve } : {}),
      ...(memoryFile === undefined ? {} : { memory: { file: memoryFile, name: path.basename(memoryFile) } }),
    };
  }
}

/** Sessions that a chat is at work on, whichever agent's. */
const busy = new WeakSet<Session>();

async function whileBusy<Result>(session: Session, work: () => Promise<Result>): Promise<Result> {
  if (busy.has(session))
    throw new Error(
      `The session ${session.id} is at work on another chat(). Wait for its end, or go without "session" to begin another.`,
    );
  busy.add(session);
  try {
    return await work();
  } finally {
    busy.delete(session);
  }
}

function settingsOf(options: AgentOptions): AgentConfig {
  const { model, tools = [], memoryFile, retrieve: _retrieve, approve: _approve, ...rest } = options;
  const { workspace: _workspace, clock: _clock, policy: _policy, ...settings } = rest;
  const memory = memoryFile === undefined ? {} : { memory: 'on' };
  const named = {
    model_name: model.label,
    ...settings,
    ...memory,
    tools: tools.map(({ spec }) => spec.name),
  };
  return requireSettings(named);
}
