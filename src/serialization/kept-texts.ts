/** Shorter texts are about as large as what they are made of, and go with it. In bytes. */
const SMALL = 4096;
/** So many entries are never looked over for objects that are gone. */
const FEW = 1024;

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
  /** How many entries there may be before those of objects that are gone are dropped. */
  #enough = FEW;

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
    // Twice as many as are left, so that looking costs little for each entry.
    this.#enough = Math.max(FEW, 2 * this.#kept.length);
  }
}
