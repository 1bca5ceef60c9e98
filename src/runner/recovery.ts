/**
 * PLAN, when the server refuses the request as such: what can be said in another way is asked once more. A field
 * that it does not take is left out or renamed; a request that is too large is packed again under the window
 * that the refusal told of. Each rewrite is journaled, none is made twice, and their number is bounded.
 */
import type { JournalState } from '../core/journalState.ts';
import type { ModelFailure } from '../core/ports.ts';
import { requestFrame } from '../core/requestParameters.ts';
import { knownWindow } from '../planner/knownWindow.ts';
import { planRewrite } from '../planner/planRewrite.ts';
import { requestedModel } from '../planner/requestedModel.ts';
import type { Session } from '../session/session.ts';
import type { PackedSession } from './packSession.ts';
import type { StepPorts } from './stepPorts.ts';

/** Rewrites that one question may lead to: a server that refuses whatever comes is not asked for ever. */
const maxRewrites = 3;

export interface Recovery {
  /** Whether to ask again; what it takes for that is journaled then. */
  after(failure: ModelFailure, packed: PackedSession): Promise<boolean>;
}

export function createRecovery(
  session: Session,
  ports: StepPorts,
  pack: () => Promise<PackedSession>,
): Recovery {
  const { state } = session;
  const rewritten = new Set<string>();
  let packedAgain = false;
  return {
    async after(failure, packed) {
      if (failure.refused) return rewrite(failure.refused);
      if (failure.class !== 'overflow' || packedAgain) return false;
      packedAgain = true;
      return await packSmaller(packed);
    },
  };

  function rewrite(refused: readonly string[]): boolean {
    const fresh = refused.filter((field) => !rewritten.has(field));
    if (fresh.length === 0 || rewritten.size >= maxRewrites) return false;
    for (const field of fresh) rewritten.add(field);
    const { parameters, dialect } = requestFrame(state, ports.model.url);
    const { steps, detail } = planRewrite(fresh, parameters, dialect.systemRole);
    if (steps.length === 0) return false;
    journalRewrite(session, steps, detail);
    return true;
  }

  async function packSmaller(packed: PackedSession): Promise<boolean> {
    const { config, model } = ports;
    const window = knownWindow(state, config, model.url, requestedModel(state, config));
    note(session, 'window-corrected', windowWords(state, window, config.context.max_tokens));
    const next = await pack();
    return next.blocked === undefined && next.total < packed.total;
  }
}

function journalRewrite(
  session: Session,
  steps: ReturnType<typeof planRewrite>['steps'],
  detail: string,
): void {
  const { journal } = session;
  const about = steps.map(({ op, target, before, after }) => {
    const texts = {
      ...(before === undefined ? {} : { before: journal.part(before) }),
      ...(after === undefined ? {} : { after: journal.part(after) }),
    };
    return journal.append({ type: 'edited', op, target, ...texts, scope: 'request', by: 'repair' }).seq;
  });
  journal.append({ type: 'anomaly', code: 'request-rewritten', detail, about });
}

function note({ journal, state }: Session, code: string, detail: string): void {
  journal.append({ type: 'anomaly', code, detail, about: [state.seq - 1] });
}

function windowWords(state: JournalState, window: number, allowed: number): string {
  const { asked, limit } = state.overflows.at(-1)?.tokens ?? {};
  const counted = asked === undefined ? '' : ` and counts ${asked} in this request`;
  const said =
    limit === undefined ? 'The server names no number' : `The server takes ${limit} tokens${counted}`;
  return `${said}; the agent file allows ${allowed}. The context is packed for ${window} tokens from here on.`;
}
