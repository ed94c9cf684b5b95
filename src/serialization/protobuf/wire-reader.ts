import { DecodeError } from '../../json/decode-error.js';
import { decodeUtf8 } from '../../values/utf8.js';
import { DELIMITED, END_GROUP, FIXED32, FIXED64, START_GROUP, VARINT } from './wire-type.js';

const SHORT_TEXT = 16;
const MAX_DEPTH = 1000;
const TWO_32 = 2 ** 32;

/**
 * Reads the wire format of protocol buffers. The input is not trusted: lengths are checked against the enclosing message, and every failure
 * is a DecodeError with Go's message.
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #end: number;
  #depth = 0;
  // The two 32-bit halves of the last varint.
  #low = 0;
  #high = 0;
  // The position and the wire type of the last tag.
  #tagStart = 0;
  #wireType = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  /** Whether the current message has more fields. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /**
   * Enters the next message. Returns the value to pass to {@link leave}, which returns to the outer message.
   * @throws DecodeError
   */
  enter(): number {
    const length = this.#length();
    if (++this.#depth > MAX_DEPTH) throw new DecodeError('exceeded max depth');
    const outer = this.#end;
    this.#end = this.#at + length;
    return outer;
  }

  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
    this.#depth--;
  }

  /** The wire type of the field whose tag was read last. */
  get wireType(): number {
    return this.#wireType;
  }

  /**
   * Reads the next tag and returns its field number.
   * @param message the name of the message in errors
   * @throws DecodeError for an invalid tag.
   */
  tag(message: string): number {
    const before = this.#at;
    this.#varint();
    const wireType = this.#low & 7;
    const field = (this.#high << 29) | (this.#low >>> 3) | 0;
    if (wireType === END_GROUP) throw new DecodeError(`proto: ${message}: wiretype end group for non-group`);
    if (field <= 0) {
      const wire = (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0);
      throw new DecodeError(`proto: ${message}: illegal tag ${field} (wire type ${wire})`);
    }
    this.#tagStart = before;
    this.#wireType = wireType;
    return field;
  }

  /**
   * Skips the field whose tag was just read.
   * @throws DecodeError
   */
  skip(): void {
    this.#at = this.#tagStart;
    let groups = 0;
    do {
      if (this.#at >= this.#end) throw endOfInput();
      this.#varint();
      const wireType = this.#low & 7;
      if (wireType === VARINT) this.#varint();
      else if (wireType === FIXED64) this.#advance(8);
      else if (wireType === DELIMITED) this.bytes();
      else if (wireType === START_GROUP) groups++;
      else if (wireType === FIXED32) this.#advance(4);
      else if (wireType !== END_GROUP) throw new DecodeError(`proto: illegal wireType ${wireType}`);
      else if (groups === 0) throw new DecodeError('proto: unexpected end of group');
      else groups--;
    } while (groups > 0);
  }

  /**
   * Reads a 32-bit integer.
   * @throws DecodeError
   */
  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /**
   * Reads a 64-bit integer. An integer beyond 2^53 is rounded to the nearest double.
   * @throws DecodeError
   */
  int64(): number {
    this.#varint();
    const high = this.#high | 0;
    const low = this.#low >>> 0;
    if (high >= -0x200000 && high < 0x200000) return high * TWO_32 + low;
    return Number((BigInt(high) << 32n) | BigInt(low));
  }

  boolean(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  float64(): number {
    this.#advance(8);
    return this.#view().getFloat64(this.#at - 8, true);
  }

  float32(): number {
    this.#advance(4);
    return this.#view().getFloat32(this.#at - 4, true);
  }

  /**
   * Reads length-delimited bytes. Returns a view, not a copy.
   * @throws DecodeError
   */
  bytes(): Uint8Array {
    const length = this.#length();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /**
   * Reads a length-delimited string; invalid UTF-8 becomes U+FFFD.
   * @throws DecodeError
   */
  text(): string {
    const length = this.#length();
    const start = this.#at;
    this.#at += length;
    if (length > SHORT_TEXT) return decodeUtf8(this.#bytes.subarray(start, this.#at));
    let text = '';
    for (let i = start; i < this.#at; i++) {
      const byte = this.#bytes[i] ?? 0;
      if (byte >= 0x80) return decodeUtf8(this.#bytes.subarray(start, this.#at));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #length(): number {
    this.#varint();
    if ((this.#high & 0x8000_0000) !== 0) throw new DecodeError('proto: negative length found during unmarshaling');
    const length = (this.#high >>> 0) * TWO_32 + (this.#low >>> 0);
    if (length > this.#end - this.#at) throw endOfInput();
    return length;
  }

  #advance(length: number): void {
    if (length > this.#end - this.#at) throw endOfInput();
    this.#at += length;
  }

  #varint(): void {
    this.#low = 0;
    this.#high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new DecodeError('proto: integer overflow');
      if (this.#at >= this.#end) throw endOfInput();
      const byte = this.#bytes[this.#at++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 28) this.#low |= bits << shift;
      else if (shift === 28) {
        this.#low |= bits << 28;
        this.#high = bits >>> 4;
      } else this.#high |= bits << (shift - 32);
      if (byte < 0x80) return;
    }
  }

  #view(): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
  }
}

const endOfInput = () => new DecodeError('unexpected EOF');
