/**
 * What shapes are checked with where no library may be: a check says what is wrong with a value, in words that go
 * behind its name (`must be a text`), or nothing. No check throws, whatever it is given.
 */
import { isDeeper } from './isDeeper.ts';
import { isRecord } from './parseMessage.ts';

/** What is wrong with a value, in words behind its name (`must be …`); undefined when nothing is. */
export type Check = (value: unknown) => string | undefined;

export const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a text');
export const id: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'must be an id, such as "m1"';
export const number: Check = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a finite number';
/** Positions and counts: what is added up or used as an index. */
export const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'must be a whole number from 0';

/** One of a closed set; the record makes the compiler ask for a value that joins the set. */
export function oneOf<Value extends string>(values: Readonly<Record<Value, true>>): Check {
  const known = Object.keys(values);
  return (value) => {
    const isKnown = typeof value === 'string' && known.includes(value);
    return isKnown ? undefined : `must be one of ${known.join(', ')}`;
  };
}

export function only(wanted: unknown): Check {
  return (value) => (value === wanted ? undefined : `must be ${JSON.stringify(wanted)}`);
}

export function orNull(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}

export function optional(check: Check): Check {
  return (value) => (value === undefined ? undefined : check(value));
}

export function list(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index]);
      if (problem !== undefined) return step(`[${index}]`, problem);
    }
    return undefined;
  };
}

export function tuple(...items: readonly Check[]): Check {
  return (value) => {
    if (!Array.isArray(value) || value.length !== items.length) return `must be a list of ${items.length}`;
    for (const [index, item] of items.entries()) {
      const problem = item(value[index]);
      if (problem !== undefined) return step(`[${index}]`, problem);
    }
    return undefined;
  };
}

export type Fields = Readonly<Record<string, Check>>;

export function record(fields: Fields): Check {
  const known = Object.entries(fields);
  return (value) => {
    if (!isRecord(value)) return 'must be an object';
    for (const [name, check] of known) {
      const problem = check(value[name]);
      if (problem !== undefined) return step(`.${name}`, problem);
    }
    return undefined;
  };
}

/** A problem reads `PATH must be …`; a missing field is said as such by its check. */
export function step(name: string, problem: string): string {
  return problem.startsWith('must ') ? `${name} ${problem}` : `${name}${problem}`;
}

/** Any JSON value, so long as reading it to its depth ends. */
export const value: Check = (one) => (isDeeper(one, 64) ? 'must not be nested deeper than 64' : undefined);
