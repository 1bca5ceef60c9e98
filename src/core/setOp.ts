import type { Scope } from './events.ts';
import { notAtPlan } from './fateProblem.ts';
import type { JournalState } from './journalState.ts';
import type { Applied } from './ops.ts';
import { parameterProblem } from './parameterProblem.ts';
import { parseJson } from './parseMessage.ts';
import { setAtPointer, splitTarget } from './pointer.ts';
import { offering, refuse } from './refusal.ts';
import { serialise } from './serialise.ts';
import { setMessage } from './setMessage.ts';

/** A value set: in a message, of a request parameter, in the working state. */
export function setOp(
  state: JournalState,
  { target, scope, value }: { readonly target: string; readonly scope: Scope; readonly value: unknown },
): Applied {
  const [root, path] = splitTarget(target);
  if (scope === 'state') {
    if (root === 'state') return setState(state, path, value);
    const refusal = refuse('Name a value of the session, such as state/todos.');
    return state.working.has(root)
      ? offering(refusal, { kind: 'set', target: `state/${target}`, scope, value })
      : refusal;
  }
  return scope === 'request' && root === 'request'
    ? (notAtPlan(state) ?? setParameter(path, value))
    : setMessage(state, root, path, scope, value);
}

function setState(state: JournalState, path: string, value: unknown): Applied {
  const [key, inner] = splitTarget(path);
  if (key === '') return refuse('Name a value of the session, such as state/todos.');
  const part = state.working.get(key);
  const before = part === undefined ? undefined : state.parts.get(part);
  const changed = setAtPointer(parseJson(before ?? 'null'), inner, value);
  if (!changed.ok) return refuse('The working state has nothing at {0}.', path);
  return {
    ok: true,
    edit: {
      op: 'set',
      target: `state/${key}`,
      ...(before === undefined ? {} : { before }),
      after: serialise(changed.value),
      scope: 'state',
    },
  };
}

function setParameter(name: string, value: unknown): Applied {
  const target = `request/${name}`;
  return (
    parameterProblem(name, value) ?? {
      ok: true,
      edit: { op: 'set', target, after: serialise(value), scope: 'request' },
    }
  );
}
