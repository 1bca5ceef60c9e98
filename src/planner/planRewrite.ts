/** How to ask the same without the fields that a server refused. */
import { type Dialect, otherNames, type Parameters } from '../core/dialect.ts';
import type { OverflowTokens } from '../core/events.ts';
import { dependents } from './dialectPatterns.ts';

/** One step of a rewrite, as the journal's `edited` says it. */
export interface RewriteStep {
  readonly op: 'set' | 'remove';
  readonly target: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Rewrite {
  readonly steps: readonly RewriteStep[];
  /** In words, for the anomaly. */
  readonly detail: string;
}

/** How to ask the same without the refused fields. Empty when there is no other way to say it. */
export function planRewrite(
  refused: readonly string[],
  parameters: Parameters,
  systemRole: Dialect['systemRole'],
): Rewrite {
  const parts = refused.map((field) => rewriteOf(field, parameters, systemRole));
  return {
    steps: parts.flatMap(({ steps }) => steps),
    detail: parts
      .map(({ detail }) => detail)
      .filter(Boolean)
      .join('; '),
  };
}

/** Share of the room beside a request that its reply may ask for: the rest is for the rounds that follow. */
const share = 0.75;

/**
 * How to ask for a shorter reply, where the request fits but for the length of the reply that it asks for: no message
 * has to leave for it. Undefined where the request is too large by itself.
 *
 * @param reserve tokens that the agent keeps free for the reply: it is never asked for less than that
 */
export function planShorterReply(
  { asked, limit, reply }: OverflowTokens,
  parameters: Parameters,
  reserve: number,
): Rewrite | undefined {
  if (asked === undefined || limit === undefined || reply === undefined) return undefined;
  const room = limit - (asked - reply);
  const field = Object.keys(otherNames).find((name) => parameters.get(name) === String(reply));
  if (field === undefined || room < Math.max(reserve, 1) || room >= reply) return undefined;
  const after = String(Math.max(reserve, Math.ceil(room * share)));
  return {
    steps: [{ op: 'set', target: `request/${field}`, before: String(reply), after }],
    detail:
      `${field} ${reply} does not fit beside the request: the server takes ${limit} tokens in all, and ${room} are ` +
      `left for the reply. It is asked for ${after}`,
  };
}

function rewriteOf(field: string, parameters: Parameters, systemRole: Dialect['systemRole']): Rewrite {
  const target = `request/${field}`;
  if (field === 'messages/role') {
    const after = systemRole === 'system' ? 'developer' : 'system';
    const step = {
      op: 'set',
      target,
      before: JSON.stringify(systemRole),
      after: JSON.stringify(after),
    } as const;
    return { steps: [step], detail: `the role ${systemRole} is refused: instructions are sent as ${after}` };
  }
  if (field === 'messages/call_id') {
    const detail = 'the form of call ids is refused: they are sent as nine letters and digits';
    return { steps: [{ op: 'set', target, after: '"short"' }], detail };
  }
  if (field === 'tools/strict')
    return { steps: [{ op: 'remove', target }], detail: 'strict is refused: tools are sent without it' };
  if (field.startsWith('messages/')) {
    const name = field.slice('messages/'.length);
    return {
      steps: [{ op: 'remove', target }],
      detail: `${name} of assistant messages is refused: they are sent without it`,
    };
  }
  const value = parameters.get(field);
  if (value === undefined) return { steps: [], detail: '' };
  const other = otherNames[field];
  if (other !== undefined && !parameters.has(other)) {
    return {
      steps: [
        { op: 'remove', target, before: value },
        { op: 'set', target: `request/${other}`, after: value },
      ],
      detail: `${field} is refused: its value ${value} is sent as ${other}`,
    };
  }
  const dependent = (dependents[field] ?? []).flatMap((name): RewriteStep[] => {
    const held = parameters.get(name);
    return held === undefined ? [] : [{ op: 'remove', target: `request/${name}`, before: held }];
  });
  return {
    steps: [{ op: 'remove', target, before: value }, ...dependent],
    detail: `${field} is refused: the request is sent without its value ${value}`,
  };
}
