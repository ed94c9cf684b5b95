import { EtcdError, INTERNAL, RESOURCE_EXHAUSTED } from './problems.js';
import { encode, type Message, type Table } from './wire.js';

/** The bytes before every message of gRPC: whether it is compressed, and its length. */
const HEAD = 5;

/** Encodes a message with its head. */
export function encodeFrame<T extends Table>(table: T, message: Message<T>): Uint8Array {
  const frame = encode(table, message, HEAD);
  new DataView(frame.buffer).setUint32(1, frame.length - HEAD);
  return frame;
}

/** Puts the messages of a stream together from the pieces in which they arrive. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onMessage: (message: Uint8Array) => void;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The number of bytes without which nothing can be read. */
  #needed = HEAD;

  /** @param maxBytes the size of the largest message that is accepted */
  constructor(maxBytes: number, onMessage: (message: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#onMessage = onMessage;
  }

  /** Whether a part of a message has arrived whose rest has not. */
  get isWithinMessage(): boolean {
    return this.#bytes > 0;
  }

  /** @throws EtcdError for a message that is compressed, which nothing asked for, or too large. */
  add(piece: Uint8Array): void {
    // A plain array, because slices of Node's buffers are views, which would keep whole messages in memory.
    this.#pieces.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.length));
    this.#bytes += piece.length;
    if (this.#bytes < this.#needed) return;
    let bytes = this.#takeAll();
    while (bytes.length >= HEAD) {
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
      if (bytes[0] !== 0) throw new EtcdError(INTERNAL, 'a message is compressed');
      if (length > this.#maxBytes)
        throw new EtcdError(RESOURCE_EXHAUSTED, `a message has ${length} bytes, more than ${this.#maxBytes}`);
      this.#needed = HEAD + length;
      if (bytes.length < this.#needed) break;
      const message = bytes.subarray(HEAD, this.#needed);
      bytes = bytes.subarray(this.#needed);
      this.#needed = HEAD;
      this.#onMessage(message);
    }
    if (bytes.length > 0) this.#pieces = [bytes];
    this.#bytes = bytes.length;
  }

  #takeAll(): Uint8Array {
    const [first = new Uint8Array(0)] = this.#pieces;
    let all = first;
    if (this.#pieces.length > 1) {
      all = new Uint8Array(this.#bytes);
      let at = 0;
      for (const piece of this.#pieces) {
        all.set(piece, at);
        at += piece.length;
      }
    }
    this.#pieces = [];
    return all;
  }
}
