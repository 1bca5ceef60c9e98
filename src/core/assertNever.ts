/** Ends a switch over a union: a missing case is a type error, and at run time says which value it was. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
