/** Shorter texts are about as large as what they are made of, and go with it. In bytes. */
const SMALL = 4096;
/** Oldest entries that were dropped stay in the list until they are so many. */
const DROPPED = 1024;

/**
 * Bounds the sum of the texts that are kept beside their objects: defaults make the text of a small object large, so that bounds of
 * what is stored are none of the texts. The oldest are forgotten first.
 */
export class KeptTexts<T extends object> {
  readonly #mostBytes: number;
  readonly #forget: (object: T) => void;
  #kept: { readonly object: WeakRef<T>; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;

  /** @param mostBytes of all texts together. @param forget called with the object of a text that has to go. */
  constructor(mostBytes: number, forget: (object: T) => void) {
    this.#mostBytes = mostBytes;
    this.#forget = forget;
  }

  /** A text of so many bytes is kept from now on. */
  add(object: T, bytes: number): void {
    if (bytes <= SMALL) return;
    this.#kept.push({ object: new WeakRef(object), bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#mostBytes) {
      const oldest = this.#kept[this.#first++];
      if (oldest === undefined) break;
      this.#bytes -= oldest.bytes;
      const object = oldest.object.deref();
      if (object !== undefined) this.#forget(object);
    }
    if (this.#first < DROPPED || this.#first * 2 < this.#kept.length) return;
    this.#kept = this.#kept.slice(this.#first);
    this.#first = 0;
  }
}
