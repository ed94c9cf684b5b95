import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Http1Connection } from '../http1-connection.js';
import type { Http1Handler } from '../node-handler.js';

/**
 * Answers requests for a protocol upgrade. A handler may open a WebSocket or hand the connection over to another server, as long as
 * `Http1Connection.upgrade` is present. All other responses are plain HTTP and end the connection, because the bytes after the request are
 * not parsed as HTTP. An upgrade request with a body is refused unless the length is known. Requests that the client sent earlier on the
 * connection are answered first.
 */
export function serveUpgrades(server: Server, handler: Http1Handler): void {
  server.on('upgrade', (incoming: IncomingMessage, stream: Duplex, head: Buffer) => {
    const connection = endWithClient(incoming, stream);
    connection.afterAnswers(() => upgrade(connection, incoming, stream, head));
  });
  // This server does not open tunnels, so CONNECT is answered like any other method.
  server.on('connect', (incoming: IncomingMessage, stream: Duplex) => {
    const connection = endWithClient(incoming, stream);
    connection.afterAnswers(() => {
      handler(incoming, lastAnswer(connection, incoming));
      connection.socket.resume();
    });
  });

  function upgrade(connection: Http1Connection, incoming: IncomingMessage, stream: Duplex, head: Buffer): void {
    const length = bodyLength(incoming);
    if (Number.isNaN(length)) {
      connection.sendError(400);
      return;
    }
    const { socket } = connection;
    // Node 26 reads the body of an upgrade request itself, and passes a `stream` of the bytes after the body. Earlier versions pass the
    // socket, from which the body has not been read.
    const leavesBody = length > 0 && stream === socket && incoming.readableLength === 0;
    const request = leavesBody ? withBody(incoming, socket, head, length) : incoming;
    if (length === 0) connection.upgrade = { incoming, head };
    handler(request, lastAnswer(connection, request));
  }
}

/**
 * Ends a connection when the client ends it, because Node's HTTP server does not handle its events after an upgrade request. An open
 * channel passes the end on itself.
 */
function endWithClient({ socket }: IncomingMessage, stream: Duplex): Http1Connection {
  const connection = Http1Connection.of(socket);
  stream.on('error', () => undefined);
  socket.once('end', () => {
    if (!connection.isHandedOver) connection.end();
  });
  return connection;
}

/** Creates a response after which the connection ends. */
function lastAnswer(connection: Http1Connection, incoming: IncomingMessage): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(connection.socket);
  outgoing.once('finish', () => connection.end());
  return outgoing;
}

/** Returns the length of the body, or NaN if it is unknown. */
function bodyLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN;
  return Number(headers['content-length'] ?? 0);
}

/** Creates a request whose body is read directly from the connection, because Node's parser stops before the body of an upgrade request. */
function withBody(incoming: IncomingMessage, socket: Socket, head: Buffer, length: number): IncomingMessage {
  const request = new IncomingMessage(socket);
  const { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = incoming;
  Object.assign(request, { method, url, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  let left = length;
  const take = (chunk: Buffer) => {
    const part = chunk.subarray(0, left);
    left -= part.length;
    if (!request.push(part)) socket.pause();
    if (left > 0) return;
    socket.off('data', take);
    request.complete = true;
    request.push(null);
  };
  request._read = () => void socket.resume();
  socket.once('close', () => request.destroy());
  if (head.length > 0) take(head);
  if (left > 0) socket.on('data', take);
  return request;
}
