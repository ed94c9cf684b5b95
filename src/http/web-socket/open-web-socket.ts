import { derivedStream } from '../../requests/answers/derived-stream.js';
import type { ByteStream, EventChunks } from '../../requests/api-request.js';
import type { Framing } from '../bodies/chunk-frames.js';
import { ClientFrames, encodeFrame, OPCODE } from './frames.js';
import type { Handshake } from './handshake.js';

/** Leaves chunks unchanged, as they are frames already, and ends the stream with a close frame. */
export const webSocketFraming: Framing = {
  frame: (chunk) => chunk,
  end: encodeFrame(OPCODE.close, new Uint8Array(0)),
};

/**
 * Accepts a handshake, after which the connection carries frames. What the client sends is read and dropped, pings are answered, and a
 * close frame or a protocol violation ends the stream.
 * @param answer the head of the 101
 */
export function acceptHandshake({ socket, head }: Handshake, answer: string): void {
  const frames = new ClientFrames((opcode, payload) => {
    // A client that does not read the answers to its pings is not read from either.
    if (opcode === OPCODE.ping && !socket.write(encodeFrame(OPCODE.pong, payload))) socket.pause();
    else if (opcode === OPCODE.close) socket.end(webSocketFraming.end);
  });
  const read = (chunk: Uint8Array) => {
    if (!frames.add(chunk)) socket.destroy();
  };
  socket.write(answer);
  if (head.length > 0) read(head);
  socket.on('data', read);
  socket.on('drain', () => socket.resume());
  // A client that closes its side has left.
  socket.on('end', () => socket.destroy());
}

/** Turns the events of a watch into frames: text, or binary without the length before each event. */
export function eventFrames(stream: ByteStream, { lengthBytes }: EventChunks): ByteStream {
  const opcode = lengthBytes === 0 ? OPCODE.text : OPCODE.binary;
  return derivedStream(stream, {
    take: () => stream.take().map((chunk) => encodeFrame(opcode, chunk.subarray(lengthBytes))),
  });
}
