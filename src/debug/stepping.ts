/** The verbs that move what is debugged: the loop in the present, or a place in the past. */
import * as l10n from '@vscode/l10n';
import type { Verb } from '../core/events.ts';
import { currentRound } from '../core/journalState.ts';
import type { Until } from '../runner/gate.ts';
import { type Controller, threadId } from './controller.ts';
import { type Handled, type Handlers, RequestError } from './dispatch.ts';

export function stepping(controller: Controller) {
  const body = { allThreadsContinued: false };
  const go = (verb: Verb, until?: Until): Handled => {
    controller.stopped();
    const past = controller.past();
    const after = () => {
      if (past.place) controller.walked(past.forward({ verb, ...(until ? { until } : {}) }));
      else controller.debuggee().resume(verb, until);
    };
    return { body, after };
  };
  /** Asked for by no request of the client's own: it has to be told that the agent goes on. */
  const goSaying = (verb: Verb, until?: Until): Handled => {
    const handled = go(verb, until);
    const after = () => {
      controller.send('continued', { threadId, ...body });
      handled.after?.();
    };
    return { ...handled, after };
  };
  const back = (how: 'stepBack' | 'reverse'): Handled => {
    controller.stopped();
    return { body, after: () => controller.walked(controller.past()[how]()) };
  };
  return {
    continue: () => go('continue'),
    next: () => go('next'),
    stepIn: () => go('stepIn'),
    stepOut: () => go('stepOut'),
    stepBack: () => back('stepBack'),
    reverseContinue: () => back('reverse'),
    /** Ours: a panel's button. */
    'loopscope/stepIn': () => goSaying('stepIn'),
    /** Ours: on to the plan of a round. */
    'loopscope/runToRound'({ round }: { readonly round: number }) {
      controller.stopped();
      const now = currentRound(controller.state())?.round ?? 0;
      if (!Number.isInteger(round) || round <= now)
        throw new RequestError(l10n.t('Type a round after this one, which is round {0}.', now), true);
      const here = () => currentRound(controller.state())?.round ?? 0;
      return goSaying('runToRound', ({ kind }) => kind === 'plan' && here() >= round);
    },
    pause() {
      controller.past().halt();
      if (controller.debuggee().pause()) return {};
      throw new RequestError(
        l10n.t(
          'This agent runs without debugging: nothing pauses it. Stop it, and start it with the debugger.',
        ),
        true,
      );
    },
  } satisfies Handlers;
}
