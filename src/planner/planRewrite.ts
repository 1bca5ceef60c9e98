/** How to ask the same without the fields that a server refused. */
import { type Dialect, otherNames, type Parameters } from '../core/dialect.ts';
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
