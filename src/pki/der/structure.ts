import { DerError, derTag, readElement } from './reader.js';

/** The number of elements that may still be read. Several structures can share one budget. */
export interface ElementBudget {
  left: number;
}

/**
 * The maximum number of elements of a certificate. A certificate with a hundred names and twenty extensions has about two hundred elements.
 * The alternative names themselves do not count: `MAX_NAMES` limits them.
 */
export const MAX_ELEMENTS = 1024;
const MAX_DEPTH = 16;
/**
 * The maximum size in bytes of an integer or an object identifier. It is limited because the time to convert one to decimal grows faster
 * than its size. The longest integers in certificates are DSA parameters; the keys of other algorithms are in bit strings.
 */
const MAX_NUMBER = 512;

const CONSTRUCTED = 0x20;
const UNIVERSAL = 0xc0;

/**
 * Checks a structure before a package parses it, because the check takes a hundredth of the time of parsing. The structure must be one
 * element of strict DER with nothing after it. It must not be nested too deep or have more elements than the budget has left. The contents
 * of octet and bit strings are not checked.
 * @throws DerError
 */
export function checkStructure(bytes: Uint8Array, budget: ElementBudget): void {
  if (checkElement(bytes, 0, 1, budget) !== bytes.length) throw new DerError('trailing data');
}

/** Checks the element at an offset and returns its length. */
function checkElement(bytes: Uint8Array, offset: number, depth: number, budget: ElementBudget): number {
  if (depth > MAX_DEPTH) throw new DerError('too deep');
  if (--budget.left < 0) throw new DerError('too many elements');
  const { tag, content, raw } = readElement(bytes, offset);
  if ((tag & UNIVERSAL) === 0) checkUniversal(tag, content);
  if (tag & CONSTRUCTED) for (let at = 0; at < content.length; ) at += checkElement(content, at, depth + 1, budget);
  return raw.length;
}

function checkUniversal(tag: number, content: Uint8Array): void {
  const isList = (tag | CONSTRUCTED) === derTag.sequence || (tag | CONSTRUCTED) === derTag.set;
  if (tag === 0 || isList !== ((tag & CONSTRUCTED) !== 0)) throw new DerError('unsupported tag');
  const [first, second] = content;
  if (tag === derTag.boolean && (content.length !== 1 || (first !== 0 && first !== 0xff)))
    throw new DerError('invalid boolean');
  if (tag === derTag.null && content.length > 0) throw new DerError('invalid null');
  if (tag === derTag.bitString) checkUnusedBits(content);
  if (tag !== derTag.integer && tag !== derTag.oid) return;
  if (first === undefined || content.length > MAX_NUMBER) throw new DerError('invalid number');
  if (
    tag === derTag.integer &&
    second !== undefined &&
    ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  )
    throw new DerError('integer is not in its shortest form');
}

/** Checks a bit string: its first byte is the number of unused bits in its last byte, and the unused bits must be zero. */
function checkUnusedBits(content: Uint8Array): void {
  const [unused = 8] = content;
  const last = content.length > 1 ? (content[content.length - 1] ?? 0) : 0xff;
  if (unused > 7 || (unused > 0 && (last & ((1 << unused) - 1)) !== 0)) throw new DerError('invalid bit string');
}
