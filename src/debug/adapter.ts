/**
 * The debug adapter: Debug Adapter Protocol on one side, a session's runs on the other. It knows nothing of
 * VS Code; the extension runs it inline, the command line over stdio.
 */
import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { readStopRule } from '../core/stopRules.ts';
import { visible } from '../core/visible.ts';
import type { AdapterPorts, LaunchArguments } from './adapterPorts.ts';
import { capabilities } from './capabilities.ts';
import { type Controller, createController, threadId } from './controller.ts';
import { DispatchServer, type Handlers, RequestError } from './dispatch.ts';
import { exceptionInfo } from './exceptionInfo.ts';
import { goalOf, stackFrames, textOfReference } from './frames.ts';
import { checkpointsBetween } from './loopSource.ts';
import { debugConsole } from './debugConsole.ts';
import { dataBreakpointInfo } from './dataWatch.ts';
import { edits } from './edits.ts';
import { stepping } from './stepping.ts';

export function createAdapter(ports: AdapterPorts): DispatchServer {
  const server = new DispatchServer();
  const send = (event: string, body?: object) =>
    server.sendEvent({ seq: 0, type: 'event', event, ...(body ? { body } : {}) });
  const controller = createController(ports, send, (act) => server.afterAnswers(act));
  server.handlers = {
    ...lifecycle(controller),
    ...breakpoints(controller),
    ...stepping(controller),
    ...inspection(controller),
    ...debugConsole(controller),
    ...changes(controller),
    ...edits(controller),
  };
  server.onFault = ports.onFault;
  server.close = async () => {
    await controller.life.close();
    controller.sandbox.close();
  };
  return server;
}

function lifecycle({ life, ports }: Controller) {
  return {
    initialize: () => ({ body: capabilities() }),
    // The agent is made first, so that breakpoints can be checked against its tools.
    async launch(args: LaunchArguments) {
      await life.launch(args);
      return { after: life.loaded };
    },
    attach() {
      throw new RequestError(l10n.t('Loopscope starts the agent itself: use a launch request.'), true);
    },
    configurationDone() {
      life.configure();
      return { after: life.start };
    },
    async restart(args: { readonly arguments?: LaunchArguments }) {
      await life.restart(args.arguments);
      return { after: life.loaded };
    },
    async terminate() {
      await life.close();
      return { after: life.sayTerminated };
    },
    // The agent lives in the adapter, so it ends with its debug session, whatever `terminateDebuggee` says.
    async disconnect() {
      await life.close();
      return { after: ports.onDisconnected };
    },
  } satisfies Handlers;
}

function breakpoints(controller: Controller) {
  const { breakpoints: all, lines, ports, variables } = controller;
  return {
    setExceptionBreakpoints: async (args: DebugProtocol.SetExceptionBreakpointsArguments) => ({
      body: { breakpoints: await all.setFilters(args) },
    }),
    setFunctionBreakpoints: async (args: DebugProtocol.SetFunctionBreakpointsArguments) => ({
      body: { breakpoints: await all.setFunctions(args) },
    }),
    async setBreakpoints(args: DebugProtocol.SetBreakpointsArguments) {
      if (args.source.path === ports.loop.source.path)
        return { body: { breakpoints: await all.setLines(args) } };
      const message = l10n.t(
        'Only the loop can be stopped at a line; for a tool, use a function breakpoint on its name.',
      );
      return { body: { breakpoints: (args.breakpoints ?? []).map(() => ({ verified: false, message })) } };
    },
    dataBreakpointInfo({ variablesReference = 0, name }: DebugProtocol.DataBreakpointInfoArguments) {
      const target = variables.watchable(variablesReference, name);
      return { body: dataBreakpointInfo(target, controller.debuggee().launched.session.id) };
    },
    setDataBreakpoints: async (args: DebugProtocol.SetDataBreakpointsArguments) => ({
      body: { breakpoints: await all.setData(args) },
    }),
    /** Ours: all stop rules anew, as the breakpoints of other kinds are set. */
    async 'loopscope/setStopRules'({ rules }: { readonly rules: unknown }) {
      const read = (Array.isArray(rules) ? rules : [rules]).map(readStopRule);
      const known = read.filter((one) => one !== undefined);
      if (known.length < read.length) throw new RequestError(l10n.t('That is no stop rule.'));
      return { body: { breakpoints: await all.setRules(known) } };
    },
    breakpointLocations({ source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments) {
      const isLoop = source.path === ports.loop.source.path;
      const found = isLoop ? checkpointsBetween(lines, line, endLine) : [];
      return { body: { breakpoints: found.map((at) => ({ line: at })) } };
    },
  } satisfies Handlers;
}

function inspection(controller: Controller) {
  const { variables, ports, lines } = controller;
  return {
    threads: () => ({ body: { threads: [{ id: threadId, name: threadName(controller) }] } }),
    stackTrace() {
      const stop = controller.stopped();
      const { agentSource } = controller.debuggee().launched;
      const { before } = controller.past().place ?? {};
      const sources = { ...ports, lines, agentSource, ...(before === undefined ? {} : { before }) };
      const frames = stackFrames(controller.state(), stop, sources);
      return { body: { stackFrames: frames, totalFrames: frames.length } };
    },
    scopes() {
      const stop = controller.stopped();
      const isPast = controller.past().place !== undefined;
      return { body: { scopes: variables.scopes(controller.state(), stop, isPast) } };
    },
    variables(args: DebugProtocol.VariablesArguments) {
      // A row that is opened just as the agent goes on has nothing to show: an error would stand there as its child.
      const isStopped = controller.stoppedNow() !== undefined;
      return { body: { variables: isStopped ? variables.children(args) : [] } };
    },
    source(args: DebugProtocol.SourceArguments) {
      const reference = args.source?.sourceReference || args.sourceReference;
      const isLoop = args.source?.path !== undefined && args.source.path === ports.loop.source.path;
      const { state, journal } = controller.debuggee().launched.session;
      const content = isLoop ? ports.loop.text : textOfReference(reference, state, journal.events);
      if (content === undefined) throw new RequestError(l10n.t('There is no such source.'));
      return { body: { content, mimeType: 'text/plain' } };
    },
    exceptionInfo() {
      const stop = controller.stopped();
      const { faults } = controller.past().place ?? controller.breakpoints;
      if (stop.reason !== 'exception' || faults.length === 0)
        throw new RequestError(l10n.t('There is no fault here.'));
      return { body: exceptionInfo(faults) };
    },
  } satisfies Handlers;
}

function changes(controller: Controller) {
  const { variables } = controller;
  return {
    setVariable({ variablesReference, name, value }: DebugProtocol.SetVariableArguments) {
      controller.stopped();
      controller.requirePresent();
      const op = variables.opFor(variablesReference, name, value);
      if (!op.ok) throw new RequestError(op.reason, true);
      controller.apply(op.op);
      return { body: { value: op.shown } };
    },
    /** Ours: which value of which session an editable row of Variables is, for Edit in Editor. */
    'loopscope/editable'(args: { readonly variablesReference: number; readonly name: string }) {
      controller.requirePresent();
      const edit = variables.editable(args.variablesReference, args.name);
      if (!edit) throw new RequestError(l10n.t('This value can not be edited.'));
      return { body: { session: controller.debuggee().launched.session.id, ...edit } };
    },
  } satisfies Handlers;
}

/** The goal, so that two sessions side by side can be told apart; and that it is looked back at. */
function threadName(controller: Controller): string {
  const goal = visible(goalOf(controller.state()));
  const name = goal === '' ? 'agent' : goal;
  return controller.past().place ? l10n.t('{0} · in the past', name) : name;
}
