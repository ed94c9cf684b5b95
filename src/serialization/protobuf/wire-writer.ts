import { utf8Length } from '../../values/utf8.js';

const FIRST_SIZE = 1024;
/** The number of characters above which TextEncoder is faster than a loop. */
const SHORT_TEXT = 48;
const encoder = new TextEncoder();

/**
 * Writes the wire format of protocol buffers from the last byte to the first. A message is complete when its length has to be written, so
 * nothing is measured in advance or moved. For each field, callers write the value first and the tag last.
 */
export class WireWriter {
  #bytes: Uint8Array;
  /** The index where the output begins. */
  #start: number;

  /** @param size the expected number of bytes, which may be exceeded */
  constructor(size = FIRST_SIZE) {
    this.#bytes = new Uint8Array(size);
    this.#start = size;
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** Returns the output. The writer must not be used afterwards. */
  finish(): Uint8Array {
    // If much of the buffer is unused, the output is copied so that the buffer can be collected.
    return this.#start > this.length ? this.#bytes.slice(this.#start) : this.#bytes.subarray(this.#start);
  }

  tag(field: number, wireType: number): void {
    this.varint(field * 8 + wireType);
  }

  /** Writes an integer from 0 to 2^53. */
  varint(value: number): void {
    this.#reserve(10);
    if (value < 0x80) {
      this.#bytes[--this.#start] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    this.#start -= size;
    let at = this.#start;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest % 0x80) | 0x80;
    this.#bytes[at] = rest;
  }

  /** Writes a 64-bit integer as a varint. Negative integers take ten bytes. */
  integer(value: number): void {
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
      this.varint(value);
      return;
    }
    const groups: number[] = [];
    // In a double, the largest 64-bit integer is rounded to 2^63, so 2^63 is written as that integer.
    let rest = BigInt.asUintN(64, value >= 2 ** 63 ? 2n ** 63n - 1n : BigInt(Math.trunc(value)));
    for (; rest >= 0x80n; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    this.bytes(groups);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    new DataView(this.#bytes.buffer).setFloat64(this.#start, value, true);
  }

  float32(value: number): void {
    this.#reserve(4);
    this.#start -= 4;
    new DataView(this.#bytes.buffer).setFloat32(this.#start, value, true);
  }

  /** Writes bytes without their length. */
  bytes(bytes: ArrayLike<number>): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** Writes a length-delimited string: its byte length, then its UTF-8 bytes. */
  text(value: string): void {
    const length = value.length <= SHORT_TEXT ? this.#shortText(value) : this.#longText(value);
    this.varint(length);
  }

  #shortText(value: string): number {
    const { length } = value;
    this.#reserve(length);
    const at = this.#start - length;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code >= 0x80) return this.#longText(value);
      this.#bytes[at + i] = code;
    }
    this.#start = at;
    return length;
  }

  #longText(value: string): number {
    const length = utf8Length(value);
    this.#reserve(length);
    this.#start -= length;
    encoder.encodeInto(value, this.#bytes.subarray(this.#start, this.#start + length));
    return length;
  }

  #reserve(more: number): void {
    if (more <= this.#start) return;
    const used = this.length;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, used + more + FIRST_SIZE));
    grown.set(this.#bytes.subarray(this.#start), grown.length - used);
    this.#bytes = grown;
    this.#start = grown.length - used;
  }
}
