import { derivedStream } from '../../requests/answers/derived-stream.js';
import type { ByteStream, EventChunks } from '../../requests/api-request.js';
import type { Framing } from '../bodies/stream-pump.js';
import type { Http1Connection } from '../http1-connection.js';

/**
 * Accepts a handshake, after which both sides send WebSocket frames. Data frames of the client are read and dropped, and pings are
 * answered. A close frame or a protocol violation ends the stream.
 * @param answer the head of the 101 response, with one character for each byte
 * @param head the bytes that the client sent after its request
 */
export function acceptHandshake(connection: Http1Connection, answer: string, head: Uint8Array): void {
  const { socket } = connection;
  const frames = new ClientFrames((opcode, payload) => {
    // While a client does not read the pongs to its pings, the server does not read from it either.
    if (opcode === OPCODE.ping && !socket.write(encodeFrame(OPCODE.pong, payload))) socket.pause();
    else if (opcode === OPCODE.close) {
      socket.write(webSocketFraming.end);
      connection.end();
    }
  });
  const read = (chunk: Uint8Array) => {
    if (frames.add(chunk)) return;
    socket.off('data', read);
    socket.write(closeFrame(STATUS.protocolError));
    connection.end();
  };
  socket.write(answer, 'latin1');
  socket.on('data', read);
  socket.on('drain', () => socket.resume());
  // The connection is paused, and resumes in a later turn, so `head` is read first.
  socket.resume();
  if (head.length > 0) read(head);
}

/** Converts the events of a watch to frames: text frames, or binary frames without the length prefix of each event. */
export function eventFrames(stream: ByteStream, { lengthBytes }: EventChunks): ByteStream {
  const opcode = lengthBytes === 0 ? OPCODE.text : OPCODE.binary;
  return derivedStream(stream, {
    take: () => stream.take().map((chunk) => encodeFrame(opcode, chunk.subarray(lengthBytes))),
  });
}

/** The reasons in close frames (RFC 6455, 7.4.1). */
const STATUS = { normal: 1000, protocolError: 1002 } as const;

/** The types of frames (RFC 6455, 5.2). */
export const OPCODE = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const FINAL = 0x80;
const MASKED = 0x80;
/**
 * A payload of less than `SHORT` bytes has its length in the second byte of the frame. Otherwise that byte is `TWO_BYTES` or `EIGHT_BYTES`,
 * and the length follows in two or eight bytes.
 */
const [SHORT, TWO_BYTES, EIGHT_BYTES] = [126, 126, 127];
const MAX_TWO_BYTES = 0xffff;
/** The longest payload of a control frame. */
const MAX_CONTROL = 125;

/** Encodes a whole message as one unmasked frame, the form in which servers send it. */
export function encodeFrame(opcode: number, payload: Uint8Array): Uint8Array {
  const { length } = payload;
  const size = length < SHORT ? 0 : length <= MAX_TWO_BYTES ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + size + length);
  frame[0] = FINAL | opcode;
  frame[1] = size === 0 ? length : size === 2 ? TWO_BYTES : EIGHT_BYTES;
  if (size === 2) frame.writeUInt16BE(length, 2);
  else if (size === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, 2 + size);
  return frame;
}

function closeFrame(status: number): Uint8Array {
  return encodeFrame(OPCODE.close, Uint8Array.of(status >> 8, status & 0xff));
}

/** Called with each control frame: close, ping and pong. */
type OnControl = (opcode: number, payload: Uint8Array) => void;

/**
 * Reads the frames of a client: data frames are dropped as they arrive, and control frames are passed on. It buffers at most one head and
 * the payload of one control frame.
 */
export class ClientFrames {
  readonly #onControl: OnControl;
  #buffered: Buffer = Buffer.alloc(0);
  /** The number of data bytes that are still to be dropped. */
  #dropping = 0n;
  #isClosed = false;

  constructor(onControl: OnControl) {
    this.#onControl = onControl;
  }

  /** Adds bytes. Bytes after a close frame are ignored. Returns false if the client violates the protocol. */
  add(chunk: Uint8Array): boolean {
    if (this.#isClosed) return true;
    this.#buffered = this.#buffered.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#buffered, chunk]);
    for (;;) {
      this.#drop();
      const frame = this.#next();
      if (frame !== true) return frame === undefined;
    }
  }

  #drop(): void {
    const { length } = this.#buffered;
    const dropped = this.#dropping < BigInt(length) ? Number(this.#dropping) : length;
    this.#buffered = this.#buffered.subarray(dropped);
    this.#dropping -= BigInt(dropped);
  }

  /**
   * Parses the head of one frame, and the payload of a control frame. Returns undefined if they have not arrived yet, and false if the
   * client violates the protocol.
   */
  #next(): true | false | undefined {
    const held = this.#buffered;
    const [first, second] = held;
    if (this.#dropping > 0n || first === undefined || second === undefined) return undefined;
    // Clients must mask their frames.
    if ((second & MASKED) === 0) return false;
    const short = second & ~MASKED;
    const size = short === TWO_BYTES ? 2 : short === EIGHT_BYTES ? 8 : 0;
    const head = 2 + size + 4;
    if (held.length < head) return undefined;
    const length = size === 0 ? BigInt(short) : size === 2 ? BigInt(held.readUInt16BE(2)) : held.readBigUInt64BE(2);
    const opcode = first & 0x0f;
    if (opcode < OPCODE.close) {
      this.#buffered = held.subarray(head);
      this.#dropping = length;
      return true;
    }
    if (length > BigInt(MAX_CONTROL)) return false;
    const end = head + Number(length);
    if (held.length < end) return undefined;
    const mask = held.subarray(head - 4, head);
    this.#isClosed = opcode === OPCODE.close;
    this.#onControl(
      opcode,
      held.subarray(head, end).map((byte, i) => byte ^ (mask[i % 4] ?? 0)),
    );
    this.#buffered = held.subarray(end);
    return this.#isClosed ? undefined : true;
  }
}

/** Leaves chunks unchanged, as they are frames already, and ends the stream with a close frame. */
export const webSocketFraming: Framing = {
  frame: (chunk) => chunk,
  end: closeFrame(STATUS.normal),
};
