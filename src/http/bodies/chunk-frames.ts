const HEX = 16;
const LINE_END = '\r\n';

/** How the chunks of a stream are put into an answer. */
export interface Framing {
  /** A chunk as it is sent. */
  frame(chunk: Uint8Array): Uint8Array;
  /** What follows the last chunk. */
  readonly end: Uint8Array;
}

// One event goes to all its watchers in a row, so the last frame is the one that is asked for again.
let lastChunk: Uint8Array | undefined;
let lastFrame: Uint8Array = new Uint8Array(0);

/**
 * The chunked transfer coding of HTTP/1.1. A chunk that goes to many connections is framed once for all of them and
 * leaves in one piece; Node would write its length, itself and a line end, for each connection anew.
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
