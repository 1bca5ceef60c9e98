/**
 * The debug adapter: Debug Adapter Protocol on one side, a session's runs on the other. It knows nothing of
 * VS Code; the extension runs it inline, the command line over stdio.
 */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { JournalEvent, Verb } from '../core/events.ts';
import { currentRun, textOf } from '../core/fold.ts';
import { answerText, logLine } from '../core/logLine.ts';
import { contentText } from '../core/messages.ts';
import { parseMessage } from '../core/parseMessage.ts';
import { visible } from '../core/visible.ts';
import type { Checkpoint, Stop } from '../runner/gate.ts';
import { type Breakpoints, createBreakpoints } from './breakpoints.ts';
import { capabilities } from './capabilities.ts';
import { createDebuggee, type Debuggee, type Launched } from './debuggee.ts';
import { DispatchServer, type Handled, type Handlers, RequestError } from './dispatch.ts';
import { expressionScope } from './expressionScope.ts';
import { stackFrames } from './frames.ts';
import { checkpointLines, snapToCheckpoint } from './loopSource.ts';
import { valueNode } from './node.ts';
import { roundDocument } from './roundDocument.ts';
import { evaluate } from './sandbox.ts';
import { stopDescription, stopReason } from './stopWords.ts';
import { createVariables } from './variables.ts';

export interface LaunchArguments extends DebugProtocol.LaunchRequestArguments {
  readonly stopOnEntry?: boolean;
  readonly session?: string;
}

export interface AdapterPorts {
  /** Makes an agent and a session of launch arguments, or says what is wrong with them, for the user. */
  launch(args: LaunchArguments): Promise<Launched | { readonly problem: string }>;
  /** The loop's source: the text, and where a client finds it. */
  readonly loop: { readonly text: string; readonly source: DebugProtocol.Source };
  /** Where a client finds a round's document, when it has its own way; otherwise it asks for it by reference. */
  readonly roundSource?: (session: string, run: number, round: number) => DebugProtocol.Source;
  readonly onFault: (error: unknown) => void;
}

/** There is one line of execution per session; forks will add more. */
const threadId = 1;

export function createAdapter(ports: AdapterPorts): DispatchServer {
  const server = new DispatchServer();
  const lines = checkpointLines(ports.loop.text);
  const variables = createVariables();
  let debuggee: Debuggee | undefined;
  let launchArgs: LaunchArguments = {};
  let configured = false;
  let streaming = false;

  const send = (event: string, body?: object) => {
    server.sendEvent({ seq: 0, type: 'event', event, ...(body ? { body } : {}) } as DebugProtocol.Event);
  };
  const print = (text: string, category = 'stdout') => send('output', { category, output: `${visible(text)}\n` });

  const breakpoints: Breakpoints = createBreakpoints({
    lines,
    toolNames: () => debuggee?.launched.agent.toolbox.tools.map(({ name }) => name) ?? [],
    condition: async (expression, at) => evaluateAt(expression, at),
    onBroken: (breakpoint) => {
      send('breakpoint', { reason: 'changed', breakpoint });
      print(l10n.t('A breakpoint condition does not work and is passed over: {0}', breakpoint.message ?? ''), 'stderr');
    },
  });

  async function evaluateAt(expression: string, at: Checkpoint) {
    const result = await evaluate(expression, expressionScope(current().launched.session.state, at));
    for (const text of result.logs) print(text);
    return result;
  }

  function current(): Debuggee {
    if (!debuggee) throw new RequestError(l10n.t('There is no agent yet.'));
    return debuggee;
  }

  function stopped(): Stop {
    const stop = current().run?.gate.stopped;
    if (!stop) throw new RequestError(l10n.t('The agent is running; pause it first.'));
    return stop;
  }

  function onStopped(stop: Stop): void {
    variables.reset();
    const { state } = current().launched.session;
    send('stopped', {
      reason: stopReason(stop),
      description: stopDescription(stop, state),
      ...(stop.reason === 'exception' ? { text: breakpoints.faults[0]?.message ?? '' } : {}),
      threadId,
      hitBreakpointIds: breakpoints.hitIds(stop.hits),
      allThreadsStopped: false,
    });
  }

  function onText(delta: string): void {
    streaming = true;
    send('output', { category: 'stdout', output: visible(delta) });
  }

  function onEvent(event: JournalEvent): void {
    const { state } = current().launched.session;
    const line = logLine(state, event, streaming);
    if (event.type === 'model.replied' || event.type === 'model.failed') {
      if (streaming) send('output', { category: 'stdout', output: '\n' });
      streaming = false;
    }
    if (line !== undefined) print(line);
    if (event.type === 'edited') {
      variables.reset();
      send('invalidated', { areas: ['variables'], threadId });
      printEditedAnswer(event.target);
    }
  }

  /** The answer was streamed as it came; it is printed again only when an edit made it another. */
  function printEditedAnswer(target: string): void {
    const { state } = current().launched.session;
    const answer = currentRun(state)?.ended?.answer;
    if (answer !== undefined && target.startsWith(answer)) print(answerText(state) ?? '');
  }

  async function begin(args: LaunchArguments): Promise<void> {
    launchArgs = args;
    const launched = await ports.launch(args);
    if ('problem' in launched) throw new RequestError(launched.problem, true);
    const { journal } = launched.session;
    debuggee = createDebuggee(launched, {
      rules: args.noDebug ? undefined : breakpoints.rulesFor(journal),
      stopOnEntry: args.stopOnEntry === true && !args.noDebug,
      onStopped,
      onText,
      onFinished: () => void finish(),
    });
    journal.onEvent(onEvent);
    for (const notice of launched.notices) print(notice, 'important');
    print(l10n.t('{0} · {1} · session {2}', launched.agentSource.name ?? '', launched.agent.model.label, launched.session.id), 'console');
  }

  async function finish(): Promise<void> {
    await debuggee?.close();
    send('terminated');
  }

  function go(verb: Verb): Handled {
    stopped();
    return { body: { allThreadsContinued: false }, after: () => void current().resume(verb) };
  }

  /** Console input: `> text` goes on with the conversation, anything else is an expression. */
  async function evaluateRequest({ expression, context }: DebugProtocol.EvaluateArguments): Promise<Handled> {
    if (context === 'repl' && expression.trimStart().startsWith('>')) return chat(expression.trimStart().slice(1).trim());
    const result = await evaluateAt(expression, stopped());
    if (!result.ok) throw new RequestError(result.message);
    const { value, ...rest } = variables.show(valueNode('result', result.value));
    return { body: { ...rest, result: value } };
  }

  function chat(goal: string): Handled {
    if (goal === '') throw new RequestError(l10n.t('Type what to say after the >.'));
    if (current().run?.gate.stopped?.kind !== 'end') {
      throw new RequestError(l10n.t('The conversation goes on at the end of a run; this run is not over yet.'));
    }
    const after = () => {
      send('continued', { threadId, allThreadsContinued: false });
      current().chat(goal);
    };
    return { body: { result: '', variablesReference: 0 }, after };
  }

  async function restart(args: { readonly arguments?: LaunchArguments }): Promise<Handled> {
    const old = current();
    debuggee = undefined;
    await old.close();
    await begin({ ...launchArgs, ...args.arguments, session: 'new' });
    return { after: () => current().start() };
  }

  const handlers = {
    initialize: () => ({ body: capabilities() }),
    async launch(args: LaunchArguments) {
      await begin(args);
      return {
        after() {
          send('initialized');
          if (configured) current().start();
        },
      };
    },
    configurationDone: () => ({
      after() {
        configured = true;
        debuggee?.start();
      },
    }),
    setExceptionBreakpoints: (args: DebugProtocol.SetExceptionBreakpointsArguments) => ({
      body: { breakpoints: breakpoints.setFilters(args) },
    }),
    setFunctionBreakpoints: (args: DebugProtocol.SetFunctionBreakpointsArguments) => ({
      body: { breakpoints: breakpoints.setFunctions(args) },
    }),
    setBreakpoints(args: DebugProtocol.SetBreakpointsArguments) {
      if (args.source.path === ports.loop.source.path) return { body: { breakpoints: breakpoints.setLines(args) } };
      const message = l10n.t('Only the loop can be stopped at a line; for a tool, use a function breakpoint on its name.');
      return { body: { breakpoints: (args.breakpoints ?? []).map(() => ({ verified: false, message })) } };
    },
    breakpointLocations({ line, endLine = line }: DebugProtocol.BreakpointLocationsArguments) {
      const snapped = snapToCheckpoint(lines, line).line;
      return { body: { breakpoints: snapped <= Math.max(line, endLine) ? [{ line: snapped }] : [] } };
    },
    threads: () => ({ body: { threads: [{ id: threadId, name: threadName() }] } }),
    stackTrace() {
      const { launched } = current();
      const frames = stackFrames(launched.session.state, stopped(), { ...ports, lines, agentSource: launched.agentSource });
      return { body: { stackFrames: frames, totalFrames: frames.length } };
    },
    scopes: () => ({ body: { scopes: variables.scopes(current().launched.session.state, stopped()) } }),
    variables(args: DebugProtocol.VariablesArguments) {
      stopped();
      return { body: { variables: variables.children(args) } };
    },
    setVariable({ variablesReference, name, value }: DebugProtocol.SetVariableArguments) {
      stopped();
      const op = variables.opFor(variablesReference, name, value);
      if (!op.ok) throw new RequestError(op.reason, true);
      const applied = current().run?.apply(op.op);
      if (!applied?.ok) throw new RequestError(applied?.reason ?? l10n.t('There is no agent yet.'), true);
      return { body: { value: op.shown } };
    },
    evaluate: evaluateRequest,
    exceptionInfo() {
      const [fault] = breakpoints.faults;
      if (stopped().reason !== 'exception' || !fault) throw new RequestError(l10n.t('There is no fault here.'));
      const description = `${fault.message}\n${fault.help}`;
      const details = { message: fault.message, typeName: fault.id, stackTrace: l10n.t('journal event {0}', fault.seq) };
      return { body: { exceptionId: fault.id, description, breakMode: 'always', details } };
    },
    source({ source }: DebugProtocol.SourceArguments) {
      const [run = 0, round = 0] = String(source?.name ?? '').match(/\d+/g)?.map(Number) ?? [];
      const content = roundDocument(current().launched.session.state, run, round)?.text;
      if (content === undefined) throw new RequestError(l10n.t('There is no such source.'));
      return { body: { content, mimeType: 'text/plain' } };
    },
    continue: () => go('continue'),
    next: () => go('next'),
    stepIn: () => go('stepIn'),
    stepOut: () => go('stepOut'),
    pause: () => ({ after: () => current().run?.gate.pause() }),
    restart,
    async terminate() {
      await debuggee?.close();
      return { after: () => send('terminated') };
    },
    async disconnect() {
      await debuggee?.close();
      return {};
    },
    /** Ours: where an editable row of Variables stands and its whole text, for Edit in Editor. */
    'loopscope/editable'(args: { readonly variablesReference: number; readonly name: string }) {
      const edit = variables.editable(args.variablesReference, args.name);
      if (!edit) throw new RequestError(l10n.t('This value can not be edited.'));
      return { body: edit };
    },
  } satisfies Handlers;

  function threadName(): string {
    const state = debuggee?.launched.session.state;
    const goal = state && currentRun(state)?.goal;
    const message = goal === undefined ? undefined : parseMessage(textOf(state!, goal) ?? '');
    return message ? visible(contentText(message)).slice(0, 80) : 'agent';
  }

  server.handlers = handlers;
  server.onFault = ports.onFault;
  return server;
}
