/** A server that answers in bytes of its own: what an HTTP library would not let a test say. */
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** Plays the answer to the one request that was read. */
export type RawAnswer = (socket: net.Socket) => void;

/** Returns `http://127.0.0.1:PORT/v1`; it is closed with the test. */
export async function createRawServer(t: TestContext, answer: RawAnswer): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let received = '';
    const read = (piece: Buffer) => {
      received += piece.toString('latin1');
      const [head = '', body] = received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      socket.off('data', read);
      socket.resume();
      answer(socket);
    };
    socket.on('data', read);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
