const HEX = 16;
const LINE_END = '\r\n';

/** How the chunks of a stream are framed in an answer. */
export interface Framing {
  /** Returns the chunk in its frame. */
  frame(chunk: Uint8Array): Uint8Array;
  /** The bytes that follow the last chunk. */
  readonly end: Uint8Array;
}

// One event goes to all its watchers in a row, so caching the last frame is enough.
let lastChunk: Uint8Array | undefined;
let lastFrame: Uint8Array = new Uint8Array(0);

/**
 * The chunked transfer coding of HTTP/1.1. A chunk that goes to many connections is framed once for all of them and written in one piece;
 * Node would write its length, the chunk and a line end separately for each connection.
 */
export const chunkFraming: Framing = {
  frame(chunk) {
    if (chunk !== lastChunk) {
      lastFrame = makeFrame(chunk);
      lastChunk = chunk;
    }
    return lastFrame;
  },
  end: Buffer.from(`0${LINE_END}${LINE_END}`, 'latin1'),
};

function makeFrame(chunk: Uint8Array): Uint8Array {
  const head = chunk.length.toString(HEX) + LINE_END;
  const frame = Buffer.allocUnsafe(head.length + chunk.length + LINE_END.length);
  frame.write(head, 0, 'latin1');
  frame.set(chunk, head.length);
  frame.write(LINE_END, head.length + chunk.length, 'latin1');
  return frame;
}
