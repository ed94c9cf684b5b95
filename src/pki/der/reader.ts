/** The error for bytes that are not DER, or that are not the expected element. */
export class DerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DerError';
  }
}

/** One tag-length-value element. Both arrays are views into the bytes that were read. */
export interface DerElement {
  /** The identifier byte: class, constructed bit and number. */
  readonly tag: number;
  readonly content: Uint8Array;
  /** The bytes of the whole element: tag, length and content. */
  readonly raw: Uint8Array;
}

/** Identifier bytes that this server uses. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  numericString: 0x12,
  utcTime: 0x17,
  generalizedTime: 0x18,
  /** Returns the identifier byte of the primitive context tag `[number]`. */
  context: (number: number) => 0x80 | number,
  /** Returns the identifier byte of the constructed context tag `[number]`. */
  constructed: (number: number) => 0xa0 | number,
} as const;

/**
 * Reads the element that starts at `offset`. Only strict DER is accepted: definite lengths in the shortest form, one-byte tags, and no
 * content beyond the end of the bytes. @throws DerError
 */
export function readElement(bytes: Uint8Array, offset = 0): DerElement {
  const tag = bytes[offset];
  const first = bytes[offset + 1];
  if (tag === undefined || first === undefined) throw new DerError('unexpected end');
  if ((tag & 0x1f) === 0x1f) throw new DerError('unsupported tag');
  let start = offset + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('unsupported length');
    length = 0;
    for (let i = 0; i < count; i++) length = length * 256 + (bytes[start + i] ?? 0);
    start += count;
    if (length < 0x80 || length < 2 ** (8 * (count - 1))) throw new DerError('length is not in its shortest form');
  }
  const end = start + length;
  if (end > bytes.length) throw new DerError('unexpected end');
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(offset, end) };
}

/** Returns the content of the element in `bytes`. The element must have the tag and must fill all the bytes. @throws DerError */
export function readWhole(bytes: Uint8Array, tag: number): Uint8Array {
  const element = readElement(bytes);
  if (element.tag !== tag) throw new DerError('unexpected element');
  if (element.raw.length !== bytes.length) throw new DerError('trailing data');
  return element.content;
}

/** Reads all elements of a constructed element's content, in order. @throws DerError */
export function readElements(content: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < content.length; ) {
    const element = readElement(content, offset);
    elements.push(element);
    offset += element.raw.length;
  }
  return elements;
}

/** Returns the content of an element, which must exist and have the tag. @throws DerError */
export function expectTag(element: DerElement | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new DerError('unexpected element');
  return element.content;
}

/** Reads an object identifier as `1.2.840`. @throws DerError */
export function readOid(content: Uint8Array): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const [i, byte] of content.entries()) {
    if (arc === 0 && byte === 0x80) throw new DerError('invalid object identifier');
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new DerError('invalid object identifier');
    if (byte & 0x80) {
      if (i === content.length - 1) throw new DerError('invalid object identifier');
      continue;
    }
    if (arcs.length === 0) {
      const top = Math.min(2, Math.floor(arc / 40));
      arcs.push(top, arc - top * 40);
    } else arcs.push(arc);
    arc = 0;
  }
  if (arcs.length === 0) throw new DerError('invalid object identifier');
  return arcs.join('.');
}

/** Reads a signed integer of any size. @throws DerError */
export function readInteger(content: Uint8Array): bigint {
  const [first, second] = content;
  if (first === undefined) throw new DerError('invalid integer');
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)))
    throw new DerError('integer is not in its shortest form');
  let hex = '';
  for (const byte of content) hex += (byte + 256).toString(16).slice(1);
  return BigInt.asIntN(content.length * 8, BigInt(`0x${hex}`));
}

/** Reads a small integer that is not negative. @throws DerError */
export function readSmallInteger(content: Uint8Array): number {
  const value = readInteger(content);
  if (value < 0n || value > 0x7fffffffn) throw new DerError('integer out of range');
  return Number(value);
}

/** Reads a bit string that has no unused bits. @throws DerError */
export function readBitString(content: Uint8Array): Uint8Array {
  if (content[0] !== 0) throw new DerError('invalid bit string');
  return content.subarray(1);
}

/** Returns whether two byte strings are equal. It must not be used for secrets, because its duration depends on the bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
