import { derivedStream } from '../../requests/answers/derived-stream.js';
import type { ByteStream, EventChunks } from '../../requests/api-request.js';
import type { Framing } from '../bodies/chunk-frames.js';
import { ClientFrames, encodeFrame, OPCODE } from './frames.js';
import type { Handshake } from './handshake.js';

/** Puts nothing around chunks, which are frames already; the last one says that it was the last. */
export const webSocketFraming: Framing = {
  frame: (chunk) => chunk,
  end: encodeFrame(OPCODE.close, new Uint8Array(0)),
};

/**
 * Accepts a handshake: afterwards the connection carries frames. What the client sends is read and dropped; pings are answered, and its
 * end of the conversation, or what is no frame, ends the stream.
 * @param answer the lines of the 101
 */
export function acceptHandshake({ socket, head }: Handshake, answer: string): void {
  const frames = new ClientFrames((opcode, payload) => {
    // Who does not read the answers is not read either.
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
  // Who says no more has gone.
  socket.on('end', () => socket.destroy());
}

/** The events of a watch as frames: text, or binary without the length before each. */
export function eventFrames(stream: ByteStream, { lengthBytes }: EventChunks): ByteStream {
  const opcode = lengthBytes === 0 ? OPCODE.text : OPCODE.binary;
  return derivedStream(stream, {
    take: () => stream.take().map((chunk) => encodeFrame(opcode, chunk.subarray(lengthBytes))),
  });
}
