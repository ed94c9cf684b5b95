/**
 * The most bytes of a slab of several items: large enough to need few writes, and small enough for other work in between. A connection writes
 * a slab at once.
 */
export const SLAB_BYTES = 256 * 1024;

/** Room before and after the content, in which a connection frames it without copying: a length in hexadecimal and line breaks. */
const ROOM_BEFORE = 16;
const ROOM_AFTER = 2;
/** The least size for which a buffer of the usual size is used; smaller ones are cheap to make. */
const LEAST_LENT = 32 * 1024;
/** The most buffers that wait for reuse. */
const MAX_FREE = 16;
const free: ArrayBuffer[] = [];

/** The contents of slabs, and those whose buffers may be used again. Parts of a content are others' objects, so they are in neither set. */
const contents = new WeakSet<Uint8Array>();
const lent = new WeakSet<Uint8Array>();

/** A piece of a list while it is written. */
export class Slab {
  /** The room for the content. */
  readonly room: Uint8Array;
  readonly #reusable: boolean;

  /**
   * @param size the least number of bytes
   * @param lend whether the content goes to a single reader that calls {@link releaseSlab}. The buffer of another content is used then if
   * there is one, because new memory costs more than what is written into it.
   */
  constructor(size: number, lend: boolean) {
    this.#reusable = lend && size >= LEAST_LENT && size <= SLAB_BYTES;
    const bytes = this.#reusable ? SLAB_BYTES : size;
    const used = this.#reusable ? free.pop() : undefined;
    this.room = new Uint8Array(used ?? new ArrayBuffer(ROOM_BEFORE + bytes + ROOM_AFTER), ROOM_BEFORE, bytes);
  }

  /** Returns the beginning of the room, which must not change any more. */
  content(length: number): Uint8Array {
    const content = this.room.subarray(0, length);
    contents.add(content);
    if (this.#reusable) lent.add(content);
    return content;
  }
}

/** Returns whether the chunk is the content of a slab that {@link releaseSlab} takes back. */
export const isLent = (chunk: Uint8Array): boolean => lent.has(chunk);

/** Takes back the buffer of a content that was sent, and that its only reader does not need any more. */
export function releaseSlab(content: Uint8Array): void {
  // Slabs are made of no other buffers.
  if (lent.delete(content) && free.length < MAX_FREE) free.push(content.buffer as ArrayBuffer);
}

/** Returns whether the chunk is the content of a slab, which {@link frameSlab} frames in place. */
export const isSlabContent = (chunk: Uint8Array): boolean => contents.has(chunk);

/**
 * Writes texts around the content of a slab, and returns all of it. Other readers of the content do not see what is around it.
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
