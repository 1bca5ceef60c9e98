/**
 * One debug session's state, between the protocol's requests (adapter.ts) and the agent (debuggee.ts): what is
 * being debugged, where it stands, its breakpoints, its rows of Variables, its output.
 */
import * as l10n from '@vscode/l10n';
import type { JournalState } from '../core/journalState.ts';
import type { Op } from '../core/ops.ts';
import { inThePast } from '../core/refusal.ts';
import type { Stop } from '../runner/gate.ts';
import type { AdapterPorts, LaunchArguments } from './adapterPorts.ts';
import type { Breakpoint } from './breakpoint.ts';
import { type Breakpoints, createBreakpoints } from './breakpoints.ts';
import { createDebuggee, type Debuggee, type Launched } from './debuggee.ts';
import { RequestError } from './dispatch.ts';
import { createEditOutput } from './editOutput.ts';
import { createScopeValues, type Place } from './expressionScope.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { checkpointLines, type CheckpointLines } from './loopSource.ts';
import { createLookingBack, type LookingBack, type PastStop } from './lookingBack.ts';
import { createOutput, type Output } from './output.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { refusalText } from './refusalText.ts';
import { pastDescription, stopDescription, stopReason } from './stopWords.ts';
import { takeOp } from './takeOp.ts';
import { createVariables, type Variables } from './variables.ts';

/** There is one line of execution per session; forks will add more. */
export const threadId = 1;

export interface Controller {
  readonly ports: AdapterPorts;
  readonly lines: CheckpointLines;
  readonly breakpoints: Breakpoints;
  readonly variables: Variables;
  readonly output: Output;
  /** Sends an event. */
  readonly send: (event: string, body?: object) => void;
  /** The agent; refuses the request when none was launched. */
  debuggee(): Debuggee;
  /** The fold of its journal; of the past, when that is looked at. */
  state(): JournalState;
  /** Where it is held, or where in the past one stands; refuses the request when it runs. */
  stopped(): Stop;
  /** The same; undefined when it runs. */
  stoppedNow(): Stop | undefined;
  /** What is recorded of it, to look back at. */
  past(): LookingBack;
  /** Sees to a walk through the past: nothing that goes wrong in it is lost. */
  walked(walk: Promise<void>): void;
  /** Refuses the request where the past is looked at: it can be read, not changed. */
  requirePresent(): void;
  /** Takes an edit; refuses the request with the reason why not. */
  apply(op: Op): void;
  readonly sandbox: Sandbox<Place>;
  /** Where expressions are evaluated; refuses the request when it runs. */
  place(): Place;
  /** From launch to end. */
  readonly life: Lifecycle;
}

/** `afterAnswers`: see `DispatchServer`. */
export function createController(
  ports: AdapterPorts,
  send: Controller['send'],
  afterAnswers: (act: () => void) => void,
): Controller {
  const lines = checkpointLines(ports.loop.text);
  const variables = createVariables();
  const output = createOutput(send);
  const sandbox = createSandbox(createScopeValues);
  const breakpoints: Breakpoints = createBreakpoints({
    lines,
    loopSource: ports.loop.source,
    firstRules: ports.stopRules?.() ?? [],
    toolNames: () => life.current?.launched.agent.toolbox.tools.map(({ name }) => name) ?? [],
    session: () => life.current?.launched.session,
    evaluate: (expression, { journal: { state }, at }) => sandbox.evaluate(expression, { state, at }),
    compile: sandbox.compileProblem,
    log(text, breakpoint, { journal, at }) {
      journal.append({ type: 'logged', breakpoint, text });
      output.print(text, 'stdout', { source: ports.loop.source, line: lines[at.kind] });
    },
    onBroken: (words) => output.print(words, 'stderr'),
    onChanged: (breakpoint) => send('breakpoint', { reason: 'changed', breakpoint }),
  });

  let past: LookingBack | undefined;

  const say = (stop: Stop, hit: readonly Breakpoint[], description: string, text: string | undefined) => {
    variables.reset();
    send('stopped', {
      reason: stopReason(stop, hit),
      description,
      ...(text === undefined ? {} : { text }),
      threadId,
      hitBreakpointIds: hit.map(({ id }) => id),
      allThreadsStopped: false,
    });
  };

  const faultText = (stop: Stop) =>
    stop.reason === 'exception' ? breakpoints.faults[0]?.message : undefined;

  const onStopped = (stop: Stop) => {
    const hit = breakpoints.hitBy(stop.hits);
    say(stop, hit, stopDescription(stop, controller.state(), hit), faultText(stop));
  };

  const onArrived = ({ run }: Debuggee, place: PastStop | undefined) => {
    const present = run?.gate.stopped;
    const readOnly = l10n.t(
      'Read-only, and nothing is called: continue or step to go forward to the present.',
    );
    if (place) say(place, place.by, pastDescription(place), place.faults[0]?.message ?? readOnly);
    else if (present) {
      const hit = breakpoints.hitBy(present.hits);
      const words = stopDescription(present, controller.state(), hit);
      say(present, hit, l10n.t('Back in the present. {0}', words), faultText(present));
    }
  };

  const load = async (args: LaunchArguments): Promise<Launched> => {
    const launched = await ports.launch(args);
    if ('problem' in launched) throw new RequestError(launched.problem, true);
    return launched;
  };

  const adopt = (launched: Launched, args: LaunchArguments, onFinished: () => void): Debuggee => {
    const { journal, state, id } = launched.session;
    const editOutput = createEditOutput((text) => output.print(text, 'console'));
    journal.onEvent((event) => {
      output.onEvent(state, event);
      editOutput.onEvent(state, event);
      // Also where a panel asked again: no request of the client has told it that the agent goes on.
      if (event.type === 'resumed' && event.verb === 'askAgain')
        send('continued', { threadId, allThreadsContinued: false });
      // At plan an edit is whole when it is packed, which takes longer where its text must be counted first.
      const whole = adopted.run?.gate.stopped?.kind === 'plan' ? 'context.packed' : 'edited';
      if (event.type !== whole) return;
      variables.reset();
      // Behind the answer to the request that made the edit.
      afterAnswers(() => send('invalidated', { areas: ['variables'], threadId }));
    });
    for (const notice of launched.notices) output.print(notice, 'important');
    const { agentSource, agent } = launched;
    output.print(l10n.t('{0} · {1} · session {2}', agentSource.name ?? '', agent.model.label, id), 'console');
    const adopted = createDebuggee(launched, {
      rules: args.noDebug ? undefined : breakpoints.rulesFor(launched.session),
      stopOnEntry: args.stopOnEntry === true && !args.noDebug,
      onStopped,
      onText: (delta) => output.onText(delta),
      onFinished,
    });
    past = createLookingBack({
      journal,
      rules: breakpoints.recordedRules,
      isOver: () => adopted.isClosing,
      onArrived(place) {
        launched.onLookBack?.(place?.before);
        onArrived(adopted, place);
      },
    });
    return adopted;
  };

  const life = createLifecycle({
    load,
    adopt,
    announce: () => send('initialized'),
    terminated: () => send('terminated'),
  });

  const controller: Controller = {
    ports,
    lines,
    breakpoints,
    variables,
    output,
    send,
    life,
    debuggee: life.debuggee,
    state: () => controller.past().state ?? controller.debuggee().launched.session.state,
    past() {
      controller.debuggee();
      return past!;
    },
    walked(walk) {
      walk.catch(ports.onFault);
    },
    requirePresent() {
      if (controller.past().isWalking || controller.past().place)
        throw new RequestError(refusalText(inThePast), true);
    },
    stoppedNow() {
      const { isWalking, place } = controller.past();
      return isWalking ? undefined : (place ?? controller.debuggee().run?.gate.stopped);
    },
    stopped() {
      const stop = controller.stoppedNow();
      if (!stop) throw notStopped();
      return stop;
    },
    apply(op) {
      controller.requirePresent();
      takeOp(controller.debuggee(), op, ports.onOffer);
    },
    sandbox,
    place: () => ({ state: controller.state(), at: controller.stopped() }),
  };
  return controller;
}

function notStopped(): RequestError {
  return new RequestError(l10n.t('The agent is running; pause it first.'), false, {}, 'notStopped');
}
