/** A SOCKS 5 proxy on a loopback port (RFC 1928, with user name and password by RFC 1929): every host name leads to one port. */
import net, { type AddressInfo } from 'node:net';

export interface SocksServer {
  readonly port: number;
  /** `host:port` of each connection, the host as the client named it. */
  readonly asked: readonly string[];
  /** `user:password`, where they were asked for. */
  readonly users: readonly string[];
  close(): Promise<void>;
}

/** @param password what is wanted; any, or none, is taken without it */
export async function createSocksServer(port: number, password?: string): Promise<SocksServer> {
  const asked: string[] = [];
  const users: string[] = [];
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = net.createServer((socket) => {
    keep(socket);
    void converse(socket).catch(() => socket.destroy());
  });

  async function converse(socket: net.Socket): Promise<void> {
    const { at, next } = messages(socket);
    const greeting = await next();
    const wanted = password === undefined && !greeting.subarray(2).includes(2) ? 0 : 2;
    socket.write(Buffer.of(5, wanted));
    if (wanted === 2) {
      const said = await next();
      const length = at(said, 1);
      const user = said.subarray(2, 2 + length).toString();
      const given = said.subarray(3 + length).toString();
      users.push(`${user}:${given}`);
      const isRight = password === undefined || given === password;
      socket.write(Buffer.of(1, isRight ? 0 : 1));
      if (!isRight) return void socket.end();
    }
    const request = await next();
    asked.push(target(request));
    const onward = net.connect(port, '127.0.0.1', () => {
      socket.write(Buffer.of(5, 0, 0, 1, 127, 0, 0, 1, 0, 0));
      socket.pipe(onward).pipe(socket);
    });
    keep(onward);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    users,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A client waits for each answer before it goes on: on loopback each of its messages is one piece. */
function messages(socket: net.Socket) {
  return {
    next: () =>
      new Promise<Buffer>((resolve, reject) => {
        socket.once('data', (data: Buffer) => {
          socket.pause();
          resolve(data);
        });
        socket.once('close', () => reject(new Error('closed')));
        socket.resume();
      }),
    at: (bytes: Buffer, index: number) => bytes[index] ?? 0,
  };
}

function target(request: Buffer): string {
  const port = request.readUInt16BE(request.length - 2);
  const [, , , kind = 0, length = 0] = request;
  if (kind === 3) return `${request.subarray(5, 5 + length).toString()}:${port}`;
  return `${kind === 1 ? [...request.subarray(4, 8)].join('.') : 'IPv6'}:${port}`;
}
