/**
 * TLS in front of a plain server, for the name `gw.test`. Its certificate (test/fixtures/tls, valid for a hundred years)
 * is signed by an authority that only a test trusts, and whose key is gone.
 */
import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import * as path from 'node:path';

export interface TlsFront {
  readonly port: number;
  close(): Promise<void>;
}

/** @param fixtures the folder `test/fixtures/tls` */
export async function createTlsFront(port: number, fixtures: string): Promise<TlsFront> {
  const sockets = new Set<net.Socket>();
  const keep = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const read = (name: string) => readFileSync(path.join(fixtures, name));
  const identity = { key: read('server.key'), cert: read('server.pem') };
  const server = tls.createServer(identity, (socket) => {
    const onward = net.connect(port, '127.0.0.1');
    keep(socket);
    keep(onward);
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
