import * as l10n from '@vscode/l10n';
import { currentRound } from '../core/journalState.ts';
import { type StopRule, type StopTarget, stopTargetId } from '../core/stopRules.ts';
import type { Session } from '../session/session.ts';
import type { Wish } from './breakpoint.ts';
import { dataWish, functionWish } from './breakpointWishes.ts';
import { dataId } from './dataWatch.ts';

/** A stop rule as the breakpoint it is: on data where it looks at a thing, else on a place. */
export function ruleWish(
  { target, condition }: StopRule,
  session: Session | undefined,
  tools: readonly string[],
): Wish {
  const label = `rule:${stopTargetId(target)}`;
  return { ...targetWish(target, condition, session, tools), label };
}

function targetWish(
  target: StopTarget,
  condition: string | undefined,
  session: Session | undefined,
  tools: readonly string[],
): Omit<Wish, 'label'> {
  switch (target.kind) {
    case 'message':
    case 'state': {
      const accessType = target.kind === 'message' ? 'readWrite' : 'write';
      return dataWish({ dataId: dataId(target), accessType, ...(condition ? { condition } : {}) }, session);
    }
    case 'tool':
      return functionWish({ name: target.name, ...(condition ? { condition } : {}) }, tools);
    case 'round':
      return {
        name: l10n.t('round {0}', target.round),
        condition,
        reached: ({ at, journal }) =>
          at.kind === 'plan' && currentRound(journal.state)?.round === target.round,
      };
    case 'enters':
      return {
        name: l10n.t('{0} has entered the history', target.id),
        condition,
        reached: ({ since }) =>
          since.some(
            (event) => event.type === 'history.appended' && event.messages.some(({ id }) => id === target.id),
          ),
      };
  }
}
