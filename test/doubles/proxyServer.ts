/** A forward proxy on a loopback port: absolute addresses are passed on, CONNECT opens a tunnel; both are recorded. */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

export interface ProxyServer {
  readonly port: number;
  /** `POST http://…` and `CONNECT host:port`, in order. */
  readonly asked: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Every host name leads to `port` of this machine; `refuse` answers with that status and `page` instead. */
export async function createProxyServer(port: number, refuse?: number, page = ''): Promise<ProxyServer> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const record = ({ method = '', url = '', headers }: http.IncomingMessage) => {
    asked.push(`${method} ${url}`);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = http.createServer((request, response) => {
    record(request);
    if (refuse !== undefined) return void response.writeHead(refuse).end('the proxy refuses');
    const { method, headers, url = '' } = request;
    const { pathname, search } = new URL(url);
    const onward = http.request(
      { port, host: '127.0.0.1', method, path: pathname + search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  const tunnels = new Set<net.Socket>();
  server.on('connect', (request, socket: net.Socket) => {
    record(request);
    if (refuse !== undefined) return void socket.end(`HTTP/1.1 ${refuse} Refused\r\n\r\n${page}`);
    const onward = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) {
      tunnels.add(one);
      one.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    authorizations,
    async close() {
      for (const socket of tunnels) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
