/**
 * JavaScript expressions of conditions, watches, hovers and the Debug Console. One sandbox serves a debug session from
 * its beginning to its end: values are brought in once, when an expression names them. No expression can change what
 * a later one answers: everything it can reach is frozen, and a sandbox in which a limit struck is replaced.
 */
import * as l10n from '@vscode/l10n';
import { parseJson } from '../core/parseMessage.ts';
import type { Described } from './described.ts';
import { createRealm, type Failed, outOfMemory, type Realm, type RealmValues } from './sandboxRealm.ts';

interface Logged {
  readonly logs: readonly string[];
}

interface Shown {
  readonly value: Described;
  readonly truthy: boolean;
}

/** What an assignment would set: the way from a name of the scope, and the value as JSON (none: it is no JSON). */
export interface Write {
  readonly path: readonly string[];
  readonly json?: string;
}

export type Evaluated =
  ({ readonly ok: true } & Shown & Logged) | ({ readonly ok: false; readonly message: string } & Logged);

export type Assigned =
  | ({ readonly ok: true; readonly writes: readonly Write[] } & Shown & Logged)
  | ({ readonly ok: false; readonly message: string } & Logged);

/** What can stand behind a dot: its name, what it is, and how far up the chain of prototypes it was found. */
export type Member = readonly [name: string, kind: 'method' | 'property', depth: number];

/** The values that names stand for, for one context; `at` says of which moment from now on. */
export interface ScopeValues<Moment> extends RealmValues {
  readonly at: (moment: Moment) => void;
}

export interface Sandbox<Moment> {
  /** Evaluates an expression (or statements; the last value counts), once. Never rejects. */
  readonly evaluate: (expression: string, moment: Moment) => Promise<Evaluated>;
  /** The same of an assignment, which sets nothing: it tells what it would set. Never rejects. */
  readonly assign: (expression: string, moment: Moment) => Promise<Assigned>;
  /** The members of an expression's value; none where it has no value. Never rejects. */
  readonly members: (expression: string, moment: Moment) => Promise<readonly Member[]>;
  /** Why an expression can't be run at all: its syntax. Undefined when it compiles. Never rejects. */
  readonly compileProblem: (expression: string) => Promise<string | undefined>;
  /** Whether it is an assignment as a whole: `messages[0].content = "…"`. Never rejects. */
  readonly isAssignment: (expression: string) => Promise<boolean>;
  /** Lets go of everything; what is asked afterwards begins anew. */
  readonly close: () => void;
}

const mostLogs = 100;
/** Longer ones are no expression that anyone typed. */
const longestCode = 1_000_000;
const mostTries = 50;

export function createSandbox<Moment>(createValues: () => ScopeValues<Moment>): Sandbox<Moment> {
  let current: Promise<{ readonly realm: Realm; readonly values: ScopeValues<Moment> }> | undefined;

  const make = async () => {
    const values = createValues();
    return { realm: await createRealm(values), values };
  };

  const inRealm = async <T extends object>(
    act: (realm: Realm, values: ScopeValues<Moment>) => T | Failed,
    isRetry = false,
  ): Promise<T | Failed> => {
    const isFresh = current === undefined;
    const mine = (current ??= make());
    const forget = () => {
      if (current === mine) current = undefined;
    };
    try {
      const { realm, values } = await mine;
      const result = act(realm, values);
      if (realm.isSpent) forget();
      // What earlier expressions left behind may have filled it: only a fresh one's word counts.
      if (isFresh || isRetry || !isOutOfMemory(result)) return result;
      forget();
    } catch (error) {
      // The engine itself gave up.
      forget();
      if (isFresh || isRetry) return { message: error instanceof Error ? error.message : String(error) };
    }
    return inRealm(act, true);
  };

  const ask = async (what: 'run' | 'assign', expression: string, moment: Moment) => {
    let logs: string[] = [];
    const result = await inRealm<{ readonly text: string }>((realm, values) => {
      logs = [];
      const code = compile(realm, expression);
      if ('message' in code) return code;
      values.at(moment);
      return realm.call(what, code.text, (text) => void (logs.length < mostLogs && logs.push(text)));
    });
    return { result, logs };
  };

  return {
    async evaluate(expression, moment) {
      const { result, logs } = await ask('run', expression, moment);
      if ('message' in result) return { ok: false, message: result.message, logs };
      return { ok: true, ...(parseJson(result.text) as Shown), logs };
    },
    async assign(expression, moment) {
      const { result, logs } = await ask('assign', expression, moment);
      if ('message' in result) return { ok: false, message: result.message, logs };
      return { ok: true, ...(parseJson(result.text) as Shown & { writes: Write[] }), logs };
    },
    async members(expression, moment) {
      const result = await inRealm<{ readonly text: string }>((realm, values) => {
        const code = asExpression(expression);
        const problem = realm.problem(code);
        if (problem) return problem;
        values.at(moment);
        return realm.call('members', code, () => undefined);
      });
      return 'message' in result ? [] : (parseJson(result.text) as Member[]);
    },
    async compileProblem(expression) {
      const result = await inRealm((realm) => compile(realm, expression));
      return 'message' in result ? result.message : undefined;
    },
    async isAssignment(expression) {
      const result = await inRealm((realm) => ({ is: isAssignment(realm, expression) }));
      return 'is' in result && result.is;
    },
    close() {
      current = undefined;
    },
  };
}

function isOutOfMemory(result: object): boolean {
  return 'message' in result && result.message === outOfMemory();
}

/** Strict, so that an expression's own names end with it. */
function asExpression(expression: string): string {
  return `"use strict"; (\n${expression}\n)`;
}

/**
 * The text to run: as an expression if it compiles as one, so that `{a: 1}` is an object and not a block; else
 * as statements. Nothing is run to find out: a SyntaxError may as well come from what the expression does.
 */
function compile(realm: Realm, expression: string): { readonly text: string } | Failed {
  if (expression.length > longestCode) return { message: l10n.t('This is too long for an expression.') };
  const whole = asExpression(expression);
  if (!realm.problem(whole)) return { text: whole };
  // Statements that have no value (`const a = 1`) would have the directive's.
  const statements = `"use strict"; void 0;\n${expression}`;
  return realm.problem(statements) ?? { text: statements };
}

/**
 * Found by compiling: an assignment is what can be taken apart at a `=` so that something else can be assigned to what
 * stands before it, and what stands behind it is an expression.
 */
function isAssignment(realm: Realm, expression: string): boolean {
  if (expression.length > longestCode || realm.problem(asExpression(expression))) return false;
  const signs = expression.matchAll(/(?<![=!<>])(?:\*\*|<<|>>>?|&&|\|\||\?\?|[-+*/%&|^])?=(?![=>])/g);
  for (const { index, 0: sign } of [...signs].slice(0, mostTries)) {
    const target = expression.slice(0, index);
    const value = expression.slice(index + sign.length);
    if (!realm.problem(`"use strict"; (\n${target}\n) = 0`) && !realm.problem(asExpression(value)))
      return true;
  }
  return false;
}
