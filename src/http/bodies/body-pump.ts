import type { Sink } from '../end-connection.js';

/** The maximum number of bytes that are handed to a connection at once. A response up to this size is written in one piece. */
export const BODY_SLICE_BYTES = 256 * 1024;

/** Sends a large response to a client slice by slice as the client reads, so that unread parts are not copied into its socket buffer. */
export class BodyPump {
  readonly #sink: Sink;
  readonly #queue = new ChunkQueue();

  /** Starts to pump at once. */
  constructor(chunks: readonly Uint8Array[], sink: Sink) {
    this.#sink = sink;
    this.#queue.fill(chunks);
    sink.on('drain', () => this.#run());
    sink.on('error', () => undefined);
    this.#run();
  }

  #run(): void {
    for (;;) {
      const slice = this.#queue.next(BODY_SLICE_BYTES);
      if (slice === undefined) return;
      if (this.#queue.empty) this.#sink.end(slice);
      else if (!this.#sink.write(slice)) return;
    }
  }
}

const NONE: readonly Uint8Array[] = [];

/** The maximum size in bytes of a concatenation that is cached for the next watch. */
const SHARED_BYTES = 64 * 1024;
let lastParts = NONE;
let lastJoined: Uint8Array = new Uint8Array(0);

/** Concatenates chunks. The same chunks are usually sent to many watches in a row, so the last small result is cached. */
function concatShared(parts: readonly Uint8Array[], size: number): Uint8Array {
  if (parts.length === lastParts.length && parts.every((part, i) => part === lastParts[i])) return lastJoined;
  const joined = Buffer.concat(parts, size);
  if (size <= SHARED_BYTES) {
    lastParts = parts;
    lastJoined = joined;
  }
  return joined;
}

/**
 * Chunks that wait to be sent to a client. They are returned in slices of a bounded size. Small chunks are joined, because framing and
 * encrypting a chunk costs more than copying it. Large chunks are split, because the bytes passed to a socket are copied for each client.
 */
export class ChunkQueue {
  #chunks: readonly Uint8Array[] = NONE;
  #index = 0;
  /** The number of bytes of the current chunk that are already returned. */
  #offset = 0;

  get empty(): boolean {
    return this.#index >= this.#chunks.length;
  }

  /** Replaces the queue's content; the queue must be empty. */
  fill(chunks: readonly Uint8Array[]): void {
    this.#chunks = chunks;
    this.#index = 0;
    this.#offset = 0;
  }

  /**
   * Returns the next bytes, at most `most` of them, or undefined if the queue is empty. A chunk that needs no joining is returned without
   * copying.
   */
  next(most: number): Uint8Array | undefined {
    const first = this.#chunks[this.#index];
    if (first === undefined) return undefined;
    if (first.length - this.#offset > most) {
      const part = first.subarray(this.#offset, this.#offset + most);
      this.#offset += most;
      return part;
    }
    const rest = this.#offset === 0 ? first : first.subarray(this.#offset);
    const from = this.#index++;
    this.#offset = 0;
    let size = rest.length;
    for (; this.#index < this.#chunks.length; this.#index++) {
      const { length } = this.#chunks[this.#index] ?? rest;
      if (size + length > most) break;
      size += length;
    }
    const parts = this.#index - from === 1 ? NONE : [rest, ...this.#chunks.slice(from + 1, this.#index)];
    const joined = parts === NONE ? rest : concatShared(parts, size);
    if (this.empty) this.clear();
    return joined;
  }

  /** Drops all chunks that have not been returned. */
  clear(): void {
    this.fill(NONE);
  }
}
