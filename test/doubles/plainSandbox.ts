/** A sandbox over plain values: what each name stands for at a moment. */
import { createSandbox, type ScopeValues } from '../../src/debug/sandbox.ts';

export type PlainScope = Readonly<Record<string, unknown>>;

export function createPlainValues(names: readonly string[]): ScopeValues<PlainScope> {
  let scope: PlainScope = {};
  return {
    names,
    at: (next) => (scope = next),
    bring: (name) => JSON.stringify({ messages: [], form: { json: scope[name] ?? null } }),
  };
}

export function createPlainSandbox(...names: readonly string[]) {
  return createSandbox(() => createPlainValues(names));
}
