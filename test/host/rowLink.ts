/**
 * Drives rows of the debugging table inside VS Code: its own commands step, its own breakpoints are set, and what has no
 * command of its own goes through the session. A tracker sees what really crosses.
 */
import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { checkpointLines } from '../../src/debug/loopSource.ts';
import { agentOf } from '../golden/rows/agentOf.ts';
import { type Answer, type Body, type Link, loopPath } from '../golden/rows/row.ts';
import { startDemo, stopAll, when } from './debugHelpers.ts';
import { writeAgent } from './ownAgent.ts';

/** Requests that VS Code sends when its command is run. */
const commands: Readonly<Record<string, string>> = {
  continue: 'workbench.action.debug.continue',
  next: 'workbench.action.debug.stepOver',
  stepIn: 'workbench.action.debug.stepInto',
  stepOut: 'workbench.action.debug.stepOut',
  stepBack: 'workbench.action.debug.stepBack',
  reverseContinue: 'workbench.action.debug.reverseContinue',
  pause: 'workbench.action.debug.pause',
  restart: 'workbench.action.debug.restart',
  terminate: 'workbench.action.debug.stop',
  disconnect: 'workbench.action.debug.disconnect',
};

export function createRowLink(): Link & vscode.Disposable {
  const { extensionUri } = vscode.extensions.getExtension('loopscope.loopscope') ?? assert.fail();
  const loop = vscode.Uri.parse('loopscope:/loop.ts');
  let listen: (event: DebugProtocol.Event) => void = () => undefined;
  let session: vscode.DebugSession | undefined;
  const wire = createWire((event) => listen(event));

  /** What VS Code sends by itself, on `act`: the answer to the first request of that name that is meant. */
  const caused = async (
    command: string,
    act: () => unknown,
    isMeant: (args: unknown) => boolean = () => true,
  ): Promise<Answer> => {
    const answer = wire.next((request) => request.command === command && isMeant(request.arguments));
    await act();
    return answer;
  };
  const setBreakpoints = async <One extends vscode.Breakpoint>(
    command: string,
    isOne: (breakpoint: vscode.Breakpoint) => breakpoint is One,
    made: readonly One[],
  ): Promise<Answer> => {
    const before = vscode.debug.breakpoints.filter(isOne);
    const removed =
      before.length === 0 ? undefined : await caused(command, () => vscode.debug.removeBreakpoints(before));
    if (made.length === 0) return removed ?? { ok: true, seq: 0, body: {} };
    // They are told of one by one.
    const isAll = (args: unknown) =>
      (args as { breakpoints?: unknown[] }).breakpoints?.length === made.length;
    return caused(command, () => vscode.debug.addBreakpoints(made), isAll);
  };

  return {
    lines: checkpointLines(readFileSync(vscode.Uri.joinPath(extensionUri, 'dist/loop.ts').fsPath, 'utf8')),
    async begin(begin, apiBase, goal) {
      const agent = await writeAgent('rows.agent.json', agentOf(begin, apiBase));
      const { noDebug = false } = begin;
      session = await startDemo({ agent: agent.toString(), goal, stopOnEntry: !noDebug }, { noDebug });
      if (noDebug) return;
      // Its commands need a thread that it knows.
      await when(vscode.debug.onDidChangeActiveStackItem, () =>
        vscode.debug.activeStackItem instanceof vscode.DebugStackFrame ? true : undefined,
      );
    },
    send(command, args): Promise<Answer> {
      const id = commands[command];
      if (id !== undefined) return caused(command, () => vscode.commands.executeCommand(id));
      if (command === 'setBreakpoints')
        return setBreakpoints(command, isSource, sourceBreakpoints(args, loop));
      if (command === 'setFunctionBreakpoints')
        return setBreakpoints(command, isFunction, functionBreakpoints(args));
      const named = JSON.stringify(args).replaceAll(`"${loopPath}"`, JSON.stringify(loop.toString()));
      return wire.ask(session ?? assert.fail('no session'), command, JSON.parse(named) as object);
    },
    onEvent: (next) => (listen = next),
    async read({ source }) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(source?.path ?? ''));
      return document.getText();
    },
    async end() {
      session = undefined;
      vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
      await stopAll();
    },
    dispose: () => wire.dispose(),
  };
}

/** What crosses between VS Code and the adapter: events as they come, answers to requests that are looked for. */
function createWire(onEvent: (event: DebugProtocol.Event) => void) {
  type Wanted = {
    readonly is: (request: DebugProtocol.Request) => boolean;
    readonly settle: (answer: Answer) => void;
  };
  let wanted: readonly Wanted[] = [];
  const asked = new Map<number, Wanted>();
  let marks = 0;
  const next = (is: Wanted['is']) => new Promise<Answer>((settle) => (wanted = [...wanted, { is, settle }]));
  const registration = vscode.debug.registerDebugAdapterTrackerFactory('loopscope', {
    createDebugAdapterTracker: () => ({
      onWillReceiveMessage(request: DebugProtocol.Request) {
        const found = wanted.find(({ is }) => is(request));
        if (!found) return;
        wanted = wanted.filter((one) => one !== found);
        asked.set(request.seq, found);
      },
      onDidSendMessage(message: DebugProtocol.ProtocolMessage) {
        if (message.type === 'event') return onEvent(message as DebugProtocol.Event);
        if (message.type !== 'response') return;
        const answer = message as DebugProtocol.Response;
        const settle = asked.get(answer.request_seq)?.settle;
        if (answer.success) settle?.({ ok: true, seq: answer.seq, body: (answer.body ?? {}) as Body });
        else settle?.({ ok: false, message: answer.message ?? '' });
        asked.delete(answer.request_seq);
      },
    }),
  });
  return {
    next,
    /** Through the session; told from what VS Code asks by a mark that the adapter does not look at. */
    ask(session: vscode.DebugSession, command: string, args: object): Promise<Answer> {
      const mark = ++marks;
      const answer = next((request) => (request.arguments as { mark?: number } | undefined)?.mark === mark);
      session.customRequest(command, { ...args, mark }).then(undefined, () => undefined);
      return answer;
    },
    dispose: () => void registration.dispose(),
  };
}

const isSource = (one: vscode.Breakpoint) => one instanceof vscode.SourceBreakpoint;
const isFunction = (one: vscode.Breakpoint) => one instanceof vscode.FunctionBreakpoint;

function sourceBreakpoints(args: object, loop: vscode.Uri): vscode.SourceBreakpoint[] {
  const { breakpoints = [] } = args as DebugProtocol.SetBreakpointsArguments;
  return breakpoints.map(({ line, condition, hitCondition, logMessage }) => {
    const location = new vscode.Location(loop, new vscode.Position(line - 1, 0));
    return new vscode.SourceBreakpoint(location, true, condition, hitCondition, logMessage);
  });
}

function functionBreakpoints(args: object): vscode.FunctionBreakpoint[] {
  const { breakpoints } = args as DebugProtocol.SetFunctionBreakpointsArguments;
  return breakpoints.map(
    ({ name, condition, hitCondition }) => new vscode.FunctionBreakpoint(name, true, condition, hitCondition),
  );
}
