/** Returns the total length of pieces in bytes. */
export function lengthOf(pieces: readonly Uint8Array[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** Returns the views that make up a byte range of the concatenated pieces, without copying bytes. */
export function partOf(pieces: readonly Uint8Array[], start: number, length: number): Uint8Array[] {
  const part: Uint8Array[] = [];
  let before = 0;
  for (const piece of pieces) {
    const some = piece.subarray(Math.max(0, start - before), Math.max(0, start + length - before));
    if (some.length > 0) part.push(some);
    before += piece.length;
  }
  return part;
}

/**
 * Joins pieces of bytes. A single piece is not copied. If it is a Buffer, the result is a plain Uint8Array over the same memory: its
 * `slice` copies, whereas that of a Buffer does not.
 */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1)
    return only.constructor === Uint8Array ? only : new Uint8Array(only.buffer, only.byteOffset, only.byteLength);
  const joined = new Uint8Array(lengthOf(pieces));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** The number of chunks that are kept as they arrive. Most bodies have one chunk. */
const FEW = 16;
/**
 * Chunks after the first {@link FEW} are copied into a common buffer if they are smaller than this, because each chunk costs more memory
 * than its bytes and keeps its read buffer alive.
 */
const SMALL = 4096;
const PART = 64 * 1024;

/** Collects the chunks of a body. The memory use is close to the size of the body even if a client sends very small chunks. */
export class GatheredBytes {
  #chunks: Uint8Array[] = [];
  /** The common buffer of small chunks. The bytes from `start` to `end` are not in `#chunks` yet. */
  #part: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;

  add(chunk: Uint8Array): void {
    if (this.#chunks.length < FEW || chunk.length >= SMALL) {
      this.#close();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#part.length - this.#end < chunk.length) {
      this.#close();
      this.#part = new Uint8Array(PART);
      this.#start = this.#end = 0;
    }
    this.#part.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Returns the whole body and no longer references it. */
  take(): Uint8Array {
    this.#close();
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#part = new Uint8Array(0);
    this.#start = this.#end = 0;
    return joinBytes(chunks);
  }

  #close(): void {
    if (this.#start === this.#end) return;
    this.#chunks.push(this.#part.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }
}
