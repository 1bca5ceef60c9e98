import type { Agent } from 'node:http';
// Named here and not where they are loaded: of a CommonJS package that is imported on first use, a bundle has only the
// default.
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** Connects to a target through a proxy; TLS, if any, is with the target behind it. */
export function proxyAgent(target: URL, proxy: URL): Agent {
  if (proxy.protocol.startsWith('socks')) return new SocksProxyAgent(proxy);
  return target.protocol === 'https:' ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy);
}
