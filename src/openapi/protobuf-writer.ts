const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIRST_SIZE = 1 << 12;

const encoder = new TextEncoder();

/** Writes the wire format of protocol buffers into a growing buffer. */
export class ProtobufWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;

  /** Returns a copy of the bytes written so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  text(field: number, value: string): void {
    const bytes = encoder.encode(value);
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  boolean(field: number, value: boolean): void {
    this.#tag(field, VARINT);
    this.#varint(value ? 1 : 0);
  }

  /** Writes an integer from 0 to 2^53. */
  integer(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Writes a message into a field. `write` writes its content. */
  message(field: number, write: () => void): void {
    this.#tag(field, LENGTH_DELIMITED);
    const start = this.#length;
    write();
    const size = this.#length - start;
    // The length is known only after the content, so it is written behind the content and then moved to the front.
    this.#varint(size);
    const prefix = this.#bytes.slice(start + size, this.#length);
    this.#bytes.copyWithin(start + prefix.length, start, start + size);
    this.#bytes.set(prefix, start);
  }

  /** Writes the tag and length of a message whose bytes are kept elsewhere. */
  messageOf(field: number, length: number): void {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(length);
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
