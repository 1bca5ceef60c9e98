/**
 * PLAN, when the server refuses a request as such: what can be said in another way is asked once more, in a round
 * and beside the conversation. A field that it does not take is left out or renamed; a reply that does not fit beside
 * the request is asked for shorter; a request that is too large is made smaller. Each rewrite is journaled, none is
 * made twice, and their number is bounded.
 */
import type { ModelFailure } from '../core/ports.ts';
import type { RequestFrame } from '../core/requestParameters.ts';
import { planRewrite, planShorterReply } from '../planner/planRewrite.ts';
import type { Session } from '../session/session.ts';

/** Rewrites that one question may lead to: a server that refuses whatever comes is not asked for ever. */
const maxRewrites = 3;

/** Among the rewritten fields: the length of the reply, which keeps its field and gets another value. */
const shortReply = 'the length of the reply';

/** The question, as far as it can be asked in another way. */
export interface Question {
  /** What it would be asked with now. */
  readonly frame: () => RequestFrame;
  /** Tokens that are kept free for its reply. */
  readonly reserve: number;
  /** Makes it smaller, under what the refusal has told; false when there is nothing to leave out. */
  readonly shrink: (failure: ModelFailure) => Promise<boolean>;
}

export interface Recovery {
  /** Whether to ask again; what it takes for that is journaled then. */
  after(failure: ModelFailure): Promise<boolean>;
}

export function createRecovery(session: Session, { frame, reserve, shrink }: Question): Recovery {
  const rewritten = new Set<string>();
  let isSmaller = false;
  return {
    async after(failure) {
      if (failure.refused) return rewrite(failure.refused);
      if (failure.class !== 'overflow') return false;
      if (shortenReply(failure)) return true;
      if (isSmaller) return false;
      isSmaller = true;
      return await shrink(failure);
    },
  };

  /** Once: what is counted wrongly again is too large, whatever the reply may have. */
  function shortenReply({ tokens = {} }: ModelFailure): boolean {
    const shorter = planShorterReply(tokens, frame().parameters, reserve);
    if (!shorter || rewritten.has(shortReply)) return false;
    rewritten.add(shortReply);
    journalRewrite(session, shorter.steps, shorter.detail);
    return true;
  }

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
