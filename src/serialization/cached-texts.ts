/** The size in bytes up to which texts are not counted: they are about as large as their objects, and are collected with them. */
const SMALL = 4096;
/** The number of entries up to which there is no search for collected objects. */
const FEW = 1024;

/**
 * Limits the total size of the texts that are cached with objects. Limits of stored objects do not limit the texts, because defaults make
 * the text of a small object large. The oldest texts are dropped first.
 */
export class CachedTexts<T extends object> {
  readonly #mostBytes: number;
  readonly #forget: (object: T) => void;
  #kept: { readonly object: WeakRef<T>; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;
  /** The number of entries above which those of collected objects are removed. */
  #enough = FEW;

  /**
   * @param mostBytes of all texts together.
   * @param forget called with the object whose text must be dropped.
   */
  constructor(mostBytes: number, forget: (object: T) => void) {
    this.#mostBytes = mostBytes;
    this.#forget = forget;
  }

  /** Counts a text of this many bytes. */
  add(object: T, bytes: number): void {
    if (bytes <= SMALL) return;
    this.#kept.push({ object: new WeakRef(object), bytes });
    this.#bytes += bytes;
    if (this.#kept.length > this.#enough) this.#dropGone();
    while (this.#bytes > this.#mostBytes) {
      const oldest = this.#kept[this.#first++];
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      const object = oldest.object.deref();
      if (object !== undefined) this.#forget(object);
    }
  }

  #dropGone(): void {
    this.#kept = this.#kept.slice(this.#first).filter(({ object }) => object.deref() !== undefined);
    this.#first = 0;
    this.#bytes = this.#kept.reduce((sum, { bytes }) => sum + bytes, 0);
    // The limit is twice the remaining number, so that the search costs little for each entry.
    this.#enough = Math.max(FEW, 2 * this.#kept.length);
  }
}
