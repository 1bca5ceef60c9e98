/**
 * PLAN, when the server refuses a request as such: what can be said in another way is asked once more, in a round
 * and beside the conversation. A field that it does not take is left out or renamed; a request that is too large is
 * made smaller. Each rewrite is journaled, none is made twice, and their number is bounded.
 */
import type { ModelFailure } from '../core/ports.ts';
import type { RequestFrame } from '../core/requestParameters.ts';
import { planRewrite } from '../planner/planRewrite.ts';
import type { Session } from '../session/session.ts';

/** Rewrites that one question may lead to: a server that refuses whatever comes is not asked for ever. */
const maxRewrites = 3;

/** The question, as far as it can be asked in another way. */
export interface Question {
  /** What it would be asked with now. */
  readonly frame: () => RequestFrame;
  /** Makes it smaller, under what the refusal has told; false when there is nothing to leave out. */
  readonly shrink: (failure: ModelFailure) => Promise<boolean>;
}

export interface Recovery {
  /** Whether to ask again; what it takes for that is journaled then. */
  after(failure: ModelFailure): Promise<boolean>;
}

export function createRecovery(session: Session, { frame, shrink }: Question): Recovery {
  const rewritten = new Set<string>();
  let isSmaller = false;
  return {
    async after(failure) {
      if (failure.refused) return rewrite(failure.refused);
      if (failure.class !== 'overflow' || isSmaller) return false;
      isSmaller = true;
      return await shrink(failure);
    },
  };

  function rewrite(refused: readonly string[]): boolean {
    const fresh = refused.filter((field) => !rewritten.has(field));
    if (fresh.length === 0 || rewritten.size >= maxRewrites) return false;
    for (const field of fresh) rewritten.add(field);
    const { parameters, dialect } = frame();
    const { steps, detail } = planRewrite(fresh, parameters, dialect.systemRole);
    if (steps.length === 0) return false;
    journalRewrite(session, steps, detail);
    return true;
  }
}

function journalRewrite(
  { journal }: Session,
  steps: ReturnType<typeof planRewrite>['steps'],
  detail: string,
): void {
  const about = steps.map(({ op, target, before, after }) => {
    const texts = {
      ...(before === undefined ? {} : { before: journal.part(before) }),
      ...(after === undefined ? {} : { after: journal.part(after) }),
    };
    return journal.append({ type: 'edited', op, target, ...texts, scope: 'request', by: 'repair' }).seq;
  });
  journal.append({ type: 'anomaly', code: 'request-rewritten', detail, about });
}
