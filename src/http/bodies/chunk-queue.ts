const NONE: readonly Uint8Array[] = [];

/**
 * Chunks on their way to a client, handed out in slices of a bounded size: small ones together, as framing and encrypting
 * each costs more than copying it; large ones in parts, as what was handed out is copied for each client.
 */
export class ChunkQueue {
  #chunks: readonly Uint8Array[] = NONE;
  #at = 0;
  /** Bytes of the chunk at hand that are gone already. */
  #offset = 0;

  get empty(): boolean {
    return this.#at >= this.#chunks.length;
  }

  /** Takes over chunks; the queue is empty before. */
  fill(chunks: readonly Uint8Array[]): void {
    this.#chunks = chunks;
    this.#at = 0;
    this.#offset = 0;
  }

  /** The next bytes, at most so many; undefined when none are left. A chunk that fits alone is handed out as it is. */
  next(most: number): Uint8Array | undefined {
    const first = this.#chunks[this.#at];
    if (first === undefined) return undefined;
    if (first.length - this.#offset > most) {
      const part = first.subarray(this.#offset, this.#offset + most);
      this.#offset += most;
      return part;
    }
    const rest = this.#offset === 0 ? first : first.subarray(this.#offset);
    const from = this.#at++;
    this.#offset = 0;
    let size = rest.length;
    for (; this.#at < this.#chunks.length; this.#at++) {
      const { length } = this.#chunks[this.#at] ?? rest;
      if (size + length > most) break;
      size += length;
    }
    const joined =
      this.#at - from === 1 ? rest : Buffer.concat([rest, ...this.#chunks.slice(from + 1, this.#at)], size);
    if (this.empty) this.clear();
    return joined;
  }

  /** Forgets what is left. */
  clear(): void {
    this.fill(NONE);
  }
}
