/**
 * The transport below the SDK: Node's own fetch (which VS Code equips with the user's proxy and certificates),
 * with two things set right.
 *
 * The headers are ours alone: the SDK also sends what it finds in the environment (organisation, custom
 * headers) and what it knows of the machine, and api_base may name anybody's server.
 * And fetch has limits of its own, 300 s to the headers and between two reads, whatever the caller's are.
 */
type FetchInput = Parameters<typeof fetch>[0];
type FetchInit = NonNullable<Parameters<typeof fetch>[1]>;

const sent = ['accept', 'authorization', 'content-type', 'user-agent'] as const;

export async function openaiFetch(input: FetchInput, init: FetchInit = {}): Promise<Response> {
  const given = new Headers(init.headers);
  const headers = sent.flatMap((name): [string, string][] => {
    const value = given.get(name);
    return value === null ? [] : [[name, value]];
  });
  const dispatcher = patientDispatcher();
  // A redirect would turn the POST into a GET, or carry the key elsewhere: it is reported instead.
  const options = { ...init, headers, redirect: 'manual' as const };
  return await fetch(input, dispatcher ? { ...options, dispatcher } : options);
}

type Dispatcher = NonNullable<FetchInit['dispatcher']>;
let patient: Dispatcher | undefined;

/** Of the make that Node's fetch uses, without time limits; none where the default was replaced (a proxy). */
export function patientDispatcher(): Dispatcher | undefined {
  const current = (globalThis as { [key: symbol]: unknown })[Symbol.for('undici.globalDispatcher.1')];
  const Agent = (current as Dispatcher | undefined)?.constructor as
    (new (options: { headersTimeout: 0; bodyTimeout: 0 }) => Dispatcher) | undefined;
  if (Agent?.name !== 'Agent') return undefined;
  patient ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return patient;
}
