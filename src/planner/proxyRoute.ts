/** Which proxy a request goes through, by the variables that programs agree on; no library reports which one won. */

export type Route =
  | { readonly kind: 'direct' }
  /** `shown`: the proxy's address without its credentials, and the variable that names it. */
  | { readonly kind: 'proxy'; readonly url: URL; readonly shown: string }
  | { readonly kind: 'invalid'; readonly shown: string };

export type Environment = Readonly<Record<string, string | undefined>>;

const kinds = /^(?:https?|socks(?:4a?|5h?)?):$/;

/** Loopback is never proxied. Lower-case variables win, as with curl; `ALL_PROXY` is asked last. */
export function proxyRoute(target: URL, env: Environment): Route {
  if (isLoopback(target.hostname) || isExcepted(target, named(env, 'no_proxy')?.value ?? ''))
    return { kind: 'direct' };
  const found = named(env, `${target.protocol.slice(0, -1)}_proxy`) ?? named(env, 'all_proxy');
  if (!found) return { kind: 'direct' };
  const { name, value } = found;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.hostname === '' || !kinds.test(url.protocol))
    return { kind: 'invalid', shown: `${name} (${url ? url.protocol.slice(0, -1) : 'no address'})` };
  return { kind: 'proxy', url, shown: `${url.protocol}//${url.host} (${name})` };
}

function named(
  env: Environment,
  name: string,
): { readonly name: string; readonly value: string } | undefined {
  for (const one of [name, name.toUpperCase()]) {
    const value = env[one]?.trim();
    if (value) return { name: one, value };
  }
  return undefined;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/i.test(
    host,
  );
}

/** `NO_PROXY`: names with all below them, with or without a leading dot or `*.`, each with a port or without; `*` is all. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.toLowerCase();
  const targetPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const { name = '', at } = /^(?<name>\[.*\]|[^:]*|.*:.*:.*?)(?::(?<at>\d+))?$/.exec(entry)?.groups ?? {};
      const bare = name.replace(/^\*?\./, '');
      const wanted = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
      if (at !== undefined && at !== targetPort) return false;
      return host === wanted || host.endsWith(`.${wanted}`);
    });
}
