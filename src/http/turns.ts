import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Methods that change nothing, so that requests with them may be handled at the same time. */
const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The number of requests of one connection that may wait for their turn before the server stops reading from the connection. */
const MOST_WAITING = 32;

/** Whether a safe request that arrives next on a connection may begin at once. */
const shares = new WeakMap<Socket, boolean>();
const waiting = new WeakMap<Socket, number>();

/**
 * Begins an HTTP/1.x request in its turn. Only safe requests are handled at the same time (RFC 9112, section 9.3.2). Any other request,
 * and all requests after it, wait for the responses to earlier requests, because those may affect its result or end the connection. A
 * request whose connection ends before its turn is not executed, because the client does not receive the response.
 * @param isRefused whether `begin` only sends an error. It is sent at once, and later requests wait for it.
 */
export function inTurn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  isRefused: boolean,
  begin: () => void,
): void {
  const { socket } = incoming;
  // A request that arrives after its connection was closed for writing cannot be answered, so it must not be executed.
  if (socket.writableEnded) {
    incoming.resume();
    return;
  }
  // Node assigns the connection to a response when it has sent all responses before it.
  const isFirst = outgoing.socket !== null;
  const isShared = !isRefused && SAFE.has(incoming.method) && (isFirst || shares.get(socket) !== false);
  shares.set(socket, isShared);
  if (isFirst || isShared || isRefused) {
    begin();
    return;
  }
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  if (count >= MOST_WAITING) socket.pause();
  const assign = outgoing.assignSocket;
  outgoing.assignSocket = (assigned) => {
    assign.call(outgoing, assigned);
    const left = (waiting.get(socket) ?? 1) - 1;
    waiting.set(socket, left);
    // Node resets `readableFlowing` to null for a protocol upgrade, whose handler reads the further bytes itself.
    if (left === MOST_WAITING - 1 && socket.readableFlowing === false) socket.resume();
    begin();
  };
}
