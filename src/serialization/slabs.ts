/**
 * The maximum size of a slab that holds several items. A connection sends each slab with a single write. The size is large enough for few
 * writes and small enough that other work runs in between.
 */
export const SLAB_BYTES = 256 * 1024;

/**
 * The number of bytes reserved before and after the content. A connection writes the framing of an HTTP chunk (its length in hexadecimal
 * and line breaks) into these bytes, so that the content is not copied.
 */
const ROOM_BEFORE = 16;
const ROOM_AFTER = 2;
/** The minimum size, in bytes, of slabs whose buffers are reused. Smaller buffers are cheap to allocate. */
const LEAST_LENT = 32 * 1024;
/** The maximum number of free buffers that are kept for reuse. */
const MAX_FREE = 16;
const free: ArrayBuffer[] = [];

/**
 * All arrays that {@link Slab.content} returned, and the subset whose buffers {@link releaseSlab} reuses. Both sets compare by identity, so
 * they do not contain subarrays of a content.
 */
const contents = new WeakSet<Uint8Array>();
const lent = new WeakSet<Uint8Array>();

/** A buffer for one chunk of an encoded list. */
export class Slab {
  /** The bytes into which the content is written. */
  readonly room: Uint8Array;
  readonly #reusable: boolean;

  /**
   * @param size the minimum number of bytes
   * @param lend whether the content goes to a single reader, which calls {@link releaseSlab} when it is done. Such a slab reuses a released
   * buffer if there is one, because allocating memory costs more than filling it.
   */
  constructor(size: number, lend: boolean) {
    this.#reusable = lend && size >= LEAST_LENT && size <= SLAB_BYTES;
    const bytes = this.#reusable ? SLAB_BYTES : size;
    const used = this.#reusable ? free.pop() : undefined;
    this.room = new Uint8Array(used ?? new ArrayBuffer(ROOM_BEFORE + bytes + ROOM_AFTER), ROOM_BEFORE, bytes);
  }

  /** Returns the first `length` bytes of {@link room} as the finished content. They must not be changed afterwards. */
  content(length: number): Uint8Array {
    const content = this.room.subarray(0, length);
    contents.add(content);
    if (this.#reusable) lent.add(content);
    return content;
  }
}

/** Returns whether a chunk is the content of a slab whose buffer {@link releaseSlab} reuses. */
export const isLent = (chunk: Uint8Array): boolean => lent.has(chunk);

/**
 * Makes the buffer of a content available to later slabs. It must be called only after the content was sent and its only reader is done
 * with it.
 */
export function releaseSlab(content: Uint8Array): void {
  // Every slab allocates an ArrayBuffer, so the cast is safe.
  if (lent.delete(content) && free.length < MAX_FREE) free.push(content.buffer as ArrayBuffer);
}

/** Returns whether a chunk is the content of a slab, which {@link frameSlab} can frame without a copy. */
export const isSlabContent = (chunk: Uint8Array): boolean => contents.has(chunk);

/**
 * Writes strings directly before and after the content of a slab and returns a view of all three. Readers that share the content do not see
 * these strings, because their view ends at the content.
 * @param before up to 16 ASCII characters
 * @param after up to 2 ASCII characters
 */
export function frameSlab(content: Uint8Array, before: string, after: string): Uint8Array {
  const { buffer, byteOffset, length } = content;
  const frame = new Uint8Array(buffer, byteOffset - before.length, before.length + length + after.length);
  for (let i = 0; i < before.length; i++) frame[i] = before.charCodeAt(i);
  for (let i = 0; i < after.length; i++) frame[before.length + length + i] = after.charCodeAt(i);
  return frame;
}
