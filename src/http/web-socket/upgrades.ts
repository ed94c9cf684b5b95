import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Http1Connection } from '../http1-connection.js';
import type { ProtocolHandler } from '../node-handler.js';

/**
 * Answers requests for a protocol upgrade. A handler may open a WebSocket or hand the connection over to another server, as long as
 * `Http1Connection.upgrade` is present. All other responses are plain HTTP and end the connection, because the bytes after the request are
 * not parsed as HTTP. An upgrade request with a body is refused unless the length is known. Requests that the client sent earlier on the
 * connection are answered first.
 */
export function serveUpgrades(server: Server, handler: ProtocolHandler): void {
  server.on('upgrade', (incoming: IncomingMessage, stream: Duplex, head: Buffer) =>
    takeOver(incoming, stream, (connection) => {
      const { socket } = connection;
      const length = bodyLength(incoming);
      if (Number.isNaN(length)) {
        connection.sendError(400);
        return;
      }
      // Node 26 reads the body of an upgrade request itself, and passes a `stream` of the bytes after the body. Earlier versions pass the
      // socket, from which the body has not been read.
      const leavesBody = length > 0 && stream === socket && incoming.readableLength === 0;
      const request = leavesBody ? withBody(incoming, socket, head, length) : incoming;
      if (length === 0) connection.upgrade = { incoming, takeBytes: readAhead(socket, head) };
      handler(request, lastAnswer(connection, request));
    }),
  );
  // This server does not open tunnels, so CONNECT is answered like any other method.
  server.on('connect', (incoming: IncomingMessage, stream: Duplex) =>
    takeOver(incoming, stream, (connection) => {
      handler(incoming, lastAnswer(connection, incoming));
      connection.socket.resume();
    }),
  );
}

/**
 * Takes a connection over from Node's HTTP server, which does not handle its events after such a request: the connection ends when the
 * client ends it. An open channel passes the end on itself.
 * @param answer called when earlier requests are answered
 */
function takeOver({ socket }: IncomingMessage, stream: Duplex, answer: (connection: Http1Connection) => void): void {
  const connection = Http1Connection.of(socket);
  stream.on('error', () => undefined);
  socket.once('end', () => {
    if (!connection.isHandedOver) connection.end();
  });
  connection.afterAnswers(() => answer(connection));
}

/**
 * The number of bytes that a client may send between its upgrade request and the response. More end the connection. Clients wait for the
 * response before they speak another protocol, so the number is far above what they send.
 */
const MAX_AHEAD = 64 * 1024;
/** The number of chunks above which they are joined, because many chunks of single bytes take hundreds of times their size. */
const MAX_CHUNKS = 64;

/**
 * Reads what a client sends until its upgrade request is answered. The end of a connection is noticed only when the bytes before it have
 * been read, and without it the request and its connections to other servers would stay for as long as the other server does not answer.
 * @returns a function that stops this, and returns all bytes
 */
function readAhead(socket: Socket, head: Buffer): () => Uint8Array {
  const chunks: Buffer[] = [head];
  let { length } = head;
  const keep = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_AHEAD) socket.destroy();
    else if (chunks.length > MAX_CHUNKS) chunks.splice(0, chunks.length, Buffer.concat(chunks));
  };
  socket.on('data', keep);
  return () => {
    socket.off('data', keep);
    socket.pause();
    return Buffer.concat(chunks);
  };
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
