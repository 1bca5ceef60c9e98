/** Which proxy a request goes through, by the variables that programs agree on; no library reports which one won. */
import { BlockList, isIP } from 'node:net';

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
  if (!isEncoded(url.username) || !isEncoded(url.password))
    return { kind: 'invalid', shown: `${name} (its user name or password)` };
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

/** A `%` in a password that stands for itself: what would be sent can not be told. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** This machine: also by the addresses that servers listen on, which people copy from there. */
function isLoopback(host: string): boolean {
  return /^(?:(?:.*\.)?localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/i.test(
    host,
  );
}

/**
 * `NO_PROXY`: names with all below them, with or without a leading dot or `*.`, each with a port or without; addresses,
 * and ranges of them (`10.0.0.0/8`); `*` stands for any text. As other systems and people write them, too: `<local>` for
 * names without a dot, a scheme or a path around a name, quotes, `;` between entries.
 */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const targetPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return list
    .toLowerCase()
    .split(/[,;\s]+/)
    .map((entry) => entry.replace(/^["'](.*)["']$/, '$1').replace(/^[a-z]+:\/\//, ''))
    .filter(Boolean)
    .some((listed) => {
      if (listed === '<local>') return !/[.:]/.test(host);
      const entry = /^[^/]*\/\d+$/.test(listed) ? listed : (listed.split('/')[0] ?? '');
      if (entry.includes('/')) return isInRange(host, entry);
      const { name = '', at } = /^(?<name>\[.*\]|[^:]*|.*:.*:.*?)(?::(?<at>\d+))?$/.exec(entry)?.groups ?? {};
      if (at !== undefined && at !== targetPort) return false;
      return isNamed(host, name.replace(/^\*?\.|\.$/g, ''));
    });
}

function isNamed(host: string, name: string): boolean {
  const address = isIP(name) === 6 ? `[${name}]` : name;
  // Written out or shortened, an address is the same.
  const wanted = URL.canParse(`http://${address}`) ? new URL(`http://${address}`).hostname : address;
  const pattern = wanted.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*');
  return wanted !== '' && new RegExp(`^(?:.*\\.)?${pattern}$`).test(host);
}

function isInRange(host: string, entry: string): boolean {
  const [start = '', bits = ''] = entry.split('/');
  const address = host.replace(/^\[|\]$/g, '');
  const kind = isIP(start) === 6 ? 'ipv6' : 'ipv4';
  if (isIP(start) === 0 || isIP(address) !== isIP(start) || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (kind === 'ipv6' ? 128 : 32)) return false;
  const range = new BlockList();
  range.addSubnet(start, Number(bits), kind);
  return range.check(address, kind);
}
