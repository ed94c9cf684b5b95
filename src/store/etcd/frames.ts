import { EtcdError, INTERNAL, RESOURCE_EXHAUSTED } from './problems.js';
import { encode, type Message, type Table } from './wire.js';

/** The length in bytes of a gRPC message header: a flag for compression, and the length of the message. */
const HEAD = 5;

/** Encodes a message with its gRPC header. */
export function encodeFrame<T extends Table>(table: T, message: Message<T>): Uint8Array {
  const frame = encode(table, message, HEAD);
  new DataView(frame.buffer).setUint32(1, frame.length - HEAD);
  return frame;
}

/** Assembles the messages of a stream from the chunks in which they arrive. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #onMessage: (message: Uint8Array) => void;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** The number of bytes that must have arrived before the next header or message can be read. */
  #needed = HEAD;

  /** @param maxBytes the size of the largest message that is accepted */
  constructor(maxBytes: number, onMessage: (message: Uint8Array) => void) {
    this.#maxBytes = maxBytes;
    this.#onMessage = onMessage;
  }

  /** Whether only a part of a message has arrived. */
  get isWithinMessage(): boolean {
    return this.#bytes > 0;
  }

  /**
   * Adds a chunk of the stream.
   * @throws EtcdError for a message that is too large, and for a compressed one, because this client does not request compression.
   */
  add(piece: Uint8Array): void {
    // The chunk becomes a plain Uint8Array, because a slice of Node's Buffer is a view, which would keep the whole message in memory.
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
