import { createHash } from 'node:crypto';

/** What the API takes for a function's name. */
const legal = /^[a-zA-Z0-9_-]{1,64}$/;
const longest = 64;
const hashLength = 8;

/**
 * The name that a tool has on the wire: its own where the API takes that, else one made of it, with an ending
 * that depends on the whole name. The same name gives the same result always.
 */
export function wireName(name: string): string {
  if (legal.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  const safe = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, longest - hashLength - 1);
  return `${safe}_${hash}`;
}
