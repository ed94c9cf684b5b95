import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { halfClose } from '../end-connection.js';
import type { Http1Handler } from '../node-handler.js';
import { type Http1Socket, plainAnswerBytes } from '../plain-answer.js';
import { awaitUpgrade, awaitWebSocket, isChannel } from './handshake.js';

/**
 * Answers requests for a protocol upgrade. A handler may open a WebSocket (`handshakeOf`) or hand the connection over to another server
 * (`connectionOf`). All other responses are plain HTTP and end the connection, because the bytes after the request are not parsed as HTTP.
 * An upgrade request with a body is refused unless the length is known. Requests that the client sent earlier on the connection are answered
 * first.
 */
export function serveUpgrades(server: Server, handler: Http1Handler): void {
  server.on('upgrade', (incoming: IncomingMessage, stream: Duplex, head: Buffer) => {
    const { socket } = incoming;
    endWithClient(socket, stream);
    afterEarlierAnswers(socket, () => upgrade(incoming, socket, stream, head));
  });
  // This server does not open tunnels, so CONNECT is answered like any other method.
  server.on('connect', (incoming: IncomingMessage, stream: Duplex) => {
    const { socket } = incoming;
    endWithClient(socket, stream);
    afterEarlierAnswers(socket, () => {
      handler(incoming, lastAnswer(incoming, socket));
      socket.resume();
    });
  });

  function upgrade(incoming: IncomingMessage, socket: Socket, stream: Duplex, head: Buffer): void {
    const length = bodyLength(incoming);
    if (Number.isNaN(length)) {
      socket.write(plainAnswerBytes(400));
      halfClose(socket);
      socket.resume();
      return;
    }
    // Node 26 reads the body of an upgrade request itself, and passes a `stream` of the bytes after the body. Earlier versions pass the
    // socket, from which the body has not been read.
    const leavesBody = length > 0 && stream === socket && incoming.readableLength === 0;
    const request = leavesBody ? withBody(incoming, socket, head, length) : incoming;
    const outgoing = lastAnswer(request, socket);
    if (length === 0) awaitUpgrade(outgoing, { socket, head });
    if (length === 0 && incoming.headers.upgrade?.toLowerCase() === 'websocket')
      awaitWebSocket(outgoing, incoming, socket, head);
    handler(request, outgoing);
  }
}

/**
 * Ends a connection when the client ends it, because Node's HTTP server does not handle its events after an upgrade request. An open
 * channel passes the end on itself.
 */
function endWithClient(socket: Socket, stream: Duplex): void {
  stream.on('error', () => undefined);
  socket.once('end', () => {
    if (!isChannel(socket)) halfClose(socket);
  });
}

/**
 * Calls `begin` when the responses to all earlier requests of the connection have been sent. A client may send an upgrade request before it
 * has received them, and Node does not delay these requests as it delays others.
 */
function afterEarlierAnswers(socket: Http1Socket, begin: () => void): void {
  // A response may have ended the connection, in which case requests after it are not answered.
  if (socket.destroyed || socket.writableEnded) return;
  const earlier = socket._httpMessage;
  if (!earlier) {
    begin();
    return;
  }
  // Node no longer tells responses that a connection can be written to again after it has emitted an upgrade request of that connection.
  const drained = () => earlier.emit('drain');
  socket.on('drain', drained);
  earlier.once('finish', () => {
    socket.off('drain', drained);
    afterEarlierAnswers(socket, begin);
  });
}

/** Creates a response after which the connection ends. */
function lastAnswer(incoming: IncomingMessage, socket: Socket): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => halfClose(socket));
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
