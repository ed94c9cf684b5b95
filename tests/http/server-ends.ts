import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/**
 * The server's ends of connections between clients and listeners of this process. They show at once what a listener has read, and whether
 * it has finished with a client.
 */
export function serverEnds() {
  const byPort = new Map<number | undefined, Socket>();
  const add = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    byPort.set(socket.remotePort, socket);
  };
  beforeAll(() => subscribe('net.server.socket', add));
  afterAll(() => void unsubscribe('net.server.socket', add));
  /** Returns the server's end of a client's connection, from its acceptance until the client is closed. */
  return { of: ({ localPort }: Pick<Socket, 'localPort'>): Socket | undefined => byPort.get(localPort) };
}
