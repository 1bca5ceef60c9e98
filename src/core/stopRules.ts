/** Stop rules: what a user wants the debugger to stop at that the editor's own breakpoints have no kind for. */
import type { MessageId } from './messages.ts';
import { isRecord } from './parseMessage.ts';

export type StopTarget =
  /** A message of one session changes or leaves the context. */
  | { readonly kind: 'message'; readonly session: string; readonly id: MessageId }
  /** The message of that id enters the history, in whatever session: ids are given out in order. */
  | { readonly kind: 'enters'; readonly id: MessageId }
  /** To-dos or a variable change. */
  | { readonly kind: 'state'; readonly key: string }
  /** The plan of that round, in every run. */
  | { readonly kind: 'round'; readonly round: number }
  /** Before each call of a tool; a glob of names. */
  | { readonly kind: 'tool'; readonly name: string };

export interface StopRule {
  readonly target: StopTarget;
  /** An expression: stops only where it holds. */
  readonly condition?: string;
}

/** A rule as it is listed: in words for people, with the reason why it can't be reached now. */
export interface ListedRule extends StopRule {
  readonly words: string;
  readonly problem?: string;
}

/** There is one rule for a target. */
export function stopTargetId(target: StopTarget): string {
  switch (target.kind) {
    case 'message':
      return `message/${target.session}/${target.id}`;
    case 'enters':
      return `enters/${target.id}`;
    case 'state':
      return `state/${target.key}`;
    case 'round':
      return `round/${target.round}`;
    case 'tool':
      return `tool/${target.name}`;
  }
}

const longest = 10_000;

/** Undefined for what is no rule: a stored list may be anyone's. */
export function readStopRule(value: unknown): StopRule | undefined {
  if (!isRecord(value) || !isRecord(value['target'])) return undefined;
  const target = readTarget(value['target']);
  const { condition } = value;
  if (!target || (condition !== undefined && !isText(condition))) return undefined;
  return condition === undefined ? { target } : { target, condition };
}

function readTarget({
  kind,
  session,
  id,
  key,
  round,
  name,
}: Record<string, unknown>): StopTarget | undefined {
  switch (kind) {
    case 'message':
      return isText(session) && isText(id) ? { kind, session, id } : undefined;
    case 'enters':
      return isText(id) ? { kind, id } : undefined;
    case 'state':
      return isText(key) ? { kind, key } : undefined;
    case 'round':
      return typeof round === 'number' && Number.isSafeInteger(round) && round > 0
        ? { kind, round }
        : undefined;
    case 'tool':
      return isText(name) ? { kind, name } : undefined;
    default:
      return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest;
}
